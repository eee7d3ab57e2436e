/**
 * The HTTP server of all text interfaces: a fastify instance with their common parts. It owns transport only: access
 * (`guard.ts`), bodies (`body-limit.ts`), unknown paths and wrong methods as in java-tron's Jetty, health, slow
 * clients, graceful close. Plugins add the endpoints of the table (`endpoint-routes.ts`) and JSON-RPC.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import {
  type FastifyInstance,
  type FastifyPluginAsync,
  type FastifyReply,
  type FastifyRequest,
  fastify,
} from 'fastify';
import { Access } from '../access/access.js';
import { heldFor, heldForm, LONG_ANSWER_BYTES } from '../access/held-answers.js';
import { QuotaRefusal } from '../access/quota-refusal.js';
import type { Quotas } from '../access/quotas.js';
import type { Fetch, Post, PostAnswer } from '../platform/fetch.js';
import { connected } from '../platform/turns.js';
import { acceptAnyBody } from './body-limit.js';
import {
  badMessage,
  type ErrorPage,
  errorBody,
  errorOfRelease,
  errorPage,
  errorText,
  isBodyTooBig,
  isClientError,
  isOwnPath,
  JSON_TYPE,
  LONG_BODY_PAGE,
  notSupported,
  ownRefusal,
} from './errors.js';
import { admit, guardRoutes, type KnownPath, pathOf } from './guard.js';
import { asksForHtml, type HomePage } from './home-page.js';
import { inProcessFetch, inProcessPost, type PostRules } from './in-process.js';
import { FIRST_FORMS, type HttpForms } from './release-forms.js';
import { createRounds } from './rounds.js';
import { askedPath, pathFinder } from './route-paths.js';
import { lazySchemaCompilers } from './schema-compilers.js';
import { takeUpgrades, type UpgradeTaker } from './upgrades.js';

export const DEFAULT_BODY_LIMIT_BYTES = 4_194_304;

/** Time that running requests may delay {@link HttpServer.close}. */
const CLOSE_GRACE_MS = 2_000;

export interface HttpServerOptions extends HttpSurfaces {
  /** 0 selects a free port. */
  readonly port: number;
  /** Default `127.0.0.1`. */
  readonly host?: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Awaited before the answer is sent. */
    untilDurable: (() => Promise<void> | undefined) | undefined;
  }
}

/** The served interfaces, with or without a port. */
export interface HttpSurfaces {
  /** Plugins with routes. Their answers wait for `durable`. */
  readonly plugins: readonly FastifyPluginAsync[];
  /** The page at `/` for browsers; all others, and all clients if it is absent, get java-tron's 404. */
  readonly home?: HomePage | undefined;
  /** Default: pages of other origins may read and broadcast, those of this machine may do everything. */
  readonly access?: Access;
  /** API keys and limits of callers; undefined: no limits. */
  readonly quotas?: Quotas | undefined;
  readonly bodyLimitBytes?: number;
  /** Differences of the chain's release from the first one. */
  readonly forms?: HttpForms;
  /**
   * Called when a request begins. The result is called and awaited before its answer is sent, so that no client sees
   * data that a crash could undo; undefined if there is nothing to wait for.
   */
  readonly durable?: () => () => Promise<void> | undefined;
  /** Called for internal errors, not for errors of the client. */
  readonly onInternalError?: (error: unknown, path: string) => void;
  /**
   * Called for every sent answer with the route as it is declared (`/v1/blocks/:number/stats`), or `unknown` if there
   * is none; never with text of the client.
   */
  readonly onAnswered?: ((route: string, status: number, tookMs: number) => void) | undefined;
  /** A connection is cut if its request is not complete after this time; 0: never. Default 30,000. */
  readonly requestTimeoutMs?: number;
}

export interface HttpServer extends InProcessServer {
  /** `http://127.0.0.1:9090`, with the actual port. */
  readonly url: string;
  readonly port: number;
}

/** A server without a port, for this process only. */
export interface InProcessServer {
  readonly fetch: Fetch;
  readonly post: Post;
  /** Answers a request that another server received. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void;
  readonly upgrade: UpgradeTaker;
  /** Stops listening, gives running requests two seconds, then cuts the remaining connections. */
  close(): Promise<void>;
}

/**
 * Listens. Resolves when requests are answered.
 *
 * @throws Error with code EADDRINUSE if the port is in use
 * @example await startHttpServer({ port: 0, plugins: [endpointRoutes({ endpoints: httpEndpoints, views: { wallet } })]
 *   })
 */
export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const { app, server } = createHttpApp(options);
  const host = options.host ?? '127.0.0.1';
  await app.listen({ port: options.port, host });
  const { port } = app.server.address() as AddressInfo;
  return { ...server, url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`, port };
}

/** Opens no port. Resolves when requests are answered. */
export async function startInProcess(surfaces: HttpSurfaces): Promise<InProcessServer> {
  const { app, server } = createHttpApp(surfaces);
  await app.ready();
  return server;
}

function inProcess(app: FastifyInstance, post: Post, fetch: Fetch): InProcessServer {
  return {
    fetch,
    post,
    handle: (request, response) => app.routing(request, response),
    upgrade: app.takeUpgrade,
    close: async () => {
      const cut = setTimeout(() => app.server.closeAllConnections(), CLOSE_GRACE_MS);
      try {
        await app.close();
      } finally {
        clearTimeout(cut);
      }
    },
  };
}

/** The server before it listens. */
function createHttpApp(options: HttpSurfaces): { readonly app: FastifyInstance; readonly server: InProcessServer } {
  const requestTimeout = options.requestTimeoutMs ?? 30_000;
  const { access = new Access(), quotas, durable, onAnswered, bodyLimitBytes = DEFAULT_BODY_LIMIT_BYTES } = options;
  const { forms = FIRST_FORMS } = options;
  const lost = (error: unknown, path: string): PostAnswer => {
    options.onInternalError?.(error, path);
    return { status: 500, text: '' };
  };
  const failed = (error: unknown, path: string): PostAnswer => {
    if (!isClientError(error)) options.onInternalError?.(error, path);
    if (isOwnPath(path)) return ownRefusal(errorOfRelease(forms, error));
    return { status: 200, text: errorBody(errorText(errorOfRelease(forms, error))) };
  };
  const app = fastify({
    requestTimeout,
    forceCloseConnections: 'idle',
    // While the server closes, requests on open connections are answered; clients do not know fastify's refusal.
    return503OnClosing: false,
    exposeHeadRoutes: false,
    schemaController: { compilersFactory: lazySchemaCompilers },
    clientErrorHandler: (error, socket) => refuseMessage(error.code, socket),
    frameworkErrors: (error, request, reply) => {
      // The name of no endpoint is so long.
      if (error.code === 'FST_ERR_MAX_PARAM_LENGTH') answerUnknown(request, reply as unknown as FastifyReply);
      else sendPage(reply as unknown as FastifyReply, 400, 'Bad Request', request.url, request.headers.accept);
    },
  });
  app.server.headersTimeout = requestTimeout;
  app.server.on('connection', connected);
  acceptAnyBody(app, bodyLimitBytes);
  const paths = guardRoutes(app, access);
  if (onAnswered !== undefined) app.addHook('onResponse', answerReporter(onAnswered, paths));
  const fetch = inProcessFetch(app);
  const post = inProcessPost(app, { access, bodyLimitBytes, counted: quotas !== undefined, durable, lost, failed });
  takeUpgrades(app, access, quotas, options.onInternalError);
  app.get('/healthcheck', { config: { callers: 'anyone', rateLimit: false } }, (_request, reply) =>
    reply.type(JSON_TYPE).send('{"status":"ok"}\n'),
  );
  const rounds = createRounds();
  app.register(async (scope) => {
    scope.addHook('onRoute', (route) => {
      const asked = pathFinder(route);
      const turn = rounds.preHandler((request) => asked(request).config.isCostly === true);
      route.preHandler = [turn, ...[route.preHandler ?? []].flat()];
    });
    scope.addHook('onSend', counted);
    if (durable !== undefined) {
      scope.decorateRequest('untilDurable', undefined);
      scope.addHook('onRequest', (request, _reply, done) => {
        request.untilDurable = durable();
        done();
      });
      scope.addHook('onSend', sendWhenDurable(lost));
    }
    scope.addHook('onSend', rounds.onSend);
    if (quotas !== undefined) await (await import('./rate-limits.js')).limitRoutes(scope, quotas);
    for (const plugin of options.plugins) scope.register(plugin);
  });
  const answerUnknown = (request: FastifyRequest, reply: FastifyReply) => {
    const path = pathOf(request);
    const known = paths.get(path);
    if (!admit(access, known?.callers ?? 'anyone', path, request, reply)) return;
    if (known?.limited !== false) quotas?.admit(request.raw.headers, request.raw.socket.remoteAddress ?? '');
    // No routes for HEAD: each route takes 0.1 ms at start.
    if (request.method === 'HEAD' && known?.get !== undefined) return known.get.call(app, request, reply);
    if (options.home !== undefined && path === '/' && isReading(request.method) && asksForHtml(request.headers.accept))
      return sendHome(reply, options.home);
    refuseMethod(request.method, path, request.headers.accept, known, reply);
  };
  app.setNotFoundHandler(answerUnknown);
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof QuotaRefusal) return refuseCaller(error, reply);
    const path = pathOf(request);
    if (forms.longBodiesRefused && isBodyTooBig(error) && !isOwnPath(path)) return send(reply, LONG_BODY_PAGE);
    const { status, text } = failed(error, path);
    // fastify closes the connection after a body error; here the body was read.
    reply.removeHeader('connection').code(status).type(JSON_TYPE).send(text);
  });
  return { app, server: inProcess(app, post, fetch) };
}

function refuseCaller({ statusCode, message, retryAfterSeconds }: QuotaRefusal, reply: FastifyReply): void {
  if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds);
  reply.code(statusCode).type(JSON_TYPE).send(errorBody(message));
}

/** An `onSend` hook: counts the bytes of an answer until it is sent. */
function counted(
  _request: unknown,
  { raw }: { readonly raw: ServerResponse },
  payload: unknown,
  done: (error: null, payload: unknown) => void,
): void {
  const kept = typeof payload === 'string' ? heldForm(payload) : payload;
  const bytes = Buffer.isBuffer(kept) ? kept.length : 0;
  if (bytes >= LONG_ANSWER_BYTES) {
    const held = heldFor(() => raw.destroy());
    const left = () => held.set(0);
    raw.once('finish', left).once('close', left);
    held.set(bytes);
  }
  done(null, kept);
}

/**
 * An `onResponse` hook. Streams are omitted: their reader decides when they end.
 *
 * @param paths all paths with routes; a request may use another method than the route's
 */
function answerReporter(onAnswered: NonNullable<HttpSurfaces['onAnswered']>, paths: ReadonlyMap<string, KnownPath>) {
  return (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    const { url, config } = askedPath(request);
    if (!config.streamed) {
      const path = pathOf(request);
      const route = url ?? (paths.has(path) ? path : 'unknown');
      onAnswered(route, reply.statusCode, reply.elapsedTime);
    }
    done();
  };
}

/** An `onSend` hook: sends the answer when the store has accepted the data in it. */
function sendWhenDurable(lost: PostRules['lost']) {
  return (
    request: Pick<FastifyRequest, 'url' | 'untilDurable'>,
    reply: FastifyReply,
    payload: unknown,
    done: (error: null, payload: unknown) => void,
  ): void => {
    const waiting = request.untilDurable?.();
    if (waiting === undefined) done(null, payload);
    else
      waiting.then(
        () => done(null, payload),
        (error: unknown) => {
          const { status, text } = lost(error, pathOf(request));
          reply.code(status);
          done(null, text);
        },
      );
  };
}

function isReading(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

async function sendHome(reply: FastifyReply, { headers, body }: HomePage): Promise<void> {
  const vary = reply.getHeader('vary');
  const content = Buffer.from(await body());
  await reply.headers({ ...headers, vary: vary === undefined ? 'Accept' : `${vary}, Accept` }).send(content);
}

/** Answers a request without a route as Jetty does (protocol/http.md#http-transport-behaviour). */
function refuseMethod(
  method: string,
  path: string,
  accept: string | undefined,
  known: KnownPath | undefined,
  reply: FastifyReply,
): void {
  if (method === 'PUT' || method === 'DELETE' || method === 'PATCH') {
    reply.code(method === 'PATCH' ? 501 : 405).send();
    return;
  }
  const verb = method === 'HEAD' ? 'GET' : method;
  if (known === undefined && verb === 'GET') sendPage(reply, 404, 'Not Found', path, accept);
  else sendPage(reply, 405, notSupported(verb), path, accept, known?.servlet);
}

function sendPage(
  reply: FastifyReply,
  status: number,
  message: string,
  url: string,
  accept: string | undefined,
  servlet?: string,
): void {
  send(reply, errorPage(status, message, pathOf({ url }), accept, servlet));
}

/** As bytes: fastify would add a charset to the content type of text. */
function send(reply: FastifyReply, { status, contentType, body }: ErrorPage): void {
  reply.code(status).type(contentType).send(Buffer.from(body));
}

/** For data that the HTTP parser cannot read: there is no request object. */
function refuseMessage(code: string | undefined, socket: Socket): void {
  if (code === 'ECONNRESET' || !socket.writable) return;
  socket.end(badMessage(code));
}
