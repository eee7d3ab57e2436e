/** A simulated chain behind real sockets, as a network that a fork reads. */

import type { RemotePlatform } from '../../src/fork/network/remote-client.js';
import { type GrpcServer, startGrpcServer } from '../../src/grpc/server.js';
import { historyRoutes } from '../../src/history/routes.js';
import { endpointRoutes } from '../../src/http/endpoint-routes.js';
import { httpEndpoints } from '../../src/http/endpoints.js';
import { type HttpServer, startHttpServer } from '../../src/http/server.js';
import { jsonRpcRoute } from '../../src/jsonrpc/endpoint.js';
import type { Node } from '../../src/node/node.js';
import type { Release } from '../../src/primitives/release.js';
import { fullContext } from '../../src/wallet/context.js';

/**
 * @param release whose interfaces it has; by default that of the chain
 * @param hasHistory whether it serves `/v1`
 */
export function serveChain(
  node: Node,
  release: Release = node.chain.config.release,
  hasHistory = false,
): Promise<HttpServer> {
  return startHttpServer({
    port: 0,
    plugins: [
      endpointRoutes({ endpoints: httpEndpoints, views: { wallet: () => fullContext(node) }, release }),
      jsonRpcRoute({ node, view: 'full' }),
      ...(hasHistory ? [historyRoutes({ view: () => fullContext(node), indexed: true })] : []),
    ],
  });
}

export function serveChainByGrpc(node: Node): Promise<GrpcServer> {
  return startGrpcServer({ port: 0, serves: 'full', view: () => fullContext(node) });
}

/** Time that stands still, pauses that are over at once. */
export const STILL: RemotePlatform = {
  fetch: (url, init) => fetch(url, init),
  clock: { nowMs: () => 0n, after: () => () => {} },
  random: { bytes: (length) => new Uint8Array(length) },
};
