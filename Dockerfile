# syntax=docker/dockerfile:1
#   docker build -t sunup .
#   docker run --rm -p 9090:9090 -p 50051:50051 -p 50052:50052 sunup
#   docker run --rm -p 9090:9090 -v sunup-chain:/chain sunup --db /chain --instant
#   docker run --rm -p 9090:9090 -e SUNUP_TRE=true -e accounts=5 sunup      in the place of tronbox/tre (docs/how-to/tre.md)

FROM node:22-bookworm-slim AS build
WORKDIR /source
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build && npm pack --ignore-scripts --pack-destination /tmp && mv /tmp/sunup-*.tgz /tmp/sunup.tgz

# The simulator of whole nodes, which needs the sources: docs/how-to/many-machines.md
FROM build AS simulator
ARG COMMIT=unknown
ENV SUNUP_COMMIT=$COMMIT
RUN mkdir -p node_modules/.cache && chown node:node node_modules/.cache
USER node
ENTRYPOINT ["node", "scripts/run.mjs", "simulate"]

FROM node:22-bookworm-slim
COPY --from=build /tmp/sunup.tgz /tmp/sunup.tgz
# Debian, because the prebuilt binaries of all dependencies are made for glibc. zeromq for --event-queue: who is in a
# container cannot install it later.
RUN npm install --global --ignore-scripts --no-audit --no-fund /tmp/sunup.tgz zeromq@6 \
  && rm /tmp/sunup.tgz \
  && mkdir /chain \
  && chown node:node /chain
USER node
WORKDIR /home/node
# Other containers and the host call it under any name without a dot, or by address.
ENV SUNUP_HOST=0.0.0.0
VOLUME /chain
EXPOSE 9090 50051 50052
HEALTHCHECK --interval=5s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.SUNUP_HTTP_PORT || 9090}/healthcheck`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["sunup"]
