/**
 * The HTTP server under every text interface: finds the row of a path, hands it the request, sends what it answers.
 * Owns transport and nothing else: charset and size of bodies, unknown paths and wrong methods as java-tron's Jetty
 * answers them, CORS, health, slow clients, graceful close. What a row does is in `table.ts` and `rows/`.
 */

import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import { withRows } from '../state/missing-row.js';
import { bodyTooBig, errorBody, errorPage, errorText, notSupported } from './errors.js';
import { answerPosts, type PostPath } from './post-paths.js';
import type { HttpRow, Service } from './table.js';
import { WireRequest } from './wire-request.js';

export const DEFAULT_BODY_LIMIT_BYTES = 4_194_304;

/** A body this many times the limit is not even read to its end: the connection is cut. */
const DRAIN_FACTOR = 16;
/** How long requests under way may hold up {@link HttpServer.close}. */
const CLOSE_GRACE_MS = 2_000;

export interface HttpServerOptions<View> {
  /** 0 takes a free port. */
  readonly port: number;
  /** Default `127.0.0.1`. */
  readonly host?: string;
  readonly rows: readonly HttpRow<View>[];
  /** The view of the chain that each path prefix reads; a prefix without one is not served (default: none is). */
  readonly views: { readonly [S in Service]?: () => View };
  /** Paths of other interfaces, which take a document by POST and nothing else. */
  readonly posts?: readonly PostPath[];
  readonly bodyLimitBytes?: number;
  /** Whether pages of other origins (browser wallets) are let in. Default true. */
  readonly cors?: boolean;
  /** Awaited before an answer leaves, so that no client is told of what a crash could undo. */
  readonly durable?: () => Promise<void>;
  /** Told of failures that are ours, not the client's. */
  readonly onInternalError?: (error: unknown, path: string) => void;
  /** Cut a connection whose request is not complete after this time; 0 never does. Default 30,000. */
  readonly requestTimeoutMs?: number;
}

export interface HttpServer {
  /** `http://127.0.0.1:9090`, with the port that was taken. */
  readonly url: string;
  readonly port: number;
  /** Stops listening, lets requests under way finish for two seconds, then cuts what is left. */
  close(): Promise<void>;
}

const JSON_TYPE = 'application/json;charset=utf-8';
const NOTHING = new Uint8Array(0);
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, OPTIONS',
  'access-control-allow-headers': '*',
  'access-control-max-age': '86400',
};

/**
 * Listens; resolves once requests are answered.
 *
 * @param register adds further interfaces (JSON-RPC, history, developer tools) to the same server before it listens;
 *   their routes win over the table's
 * @throws Error with code EADDRINUSE when the port is taken
 */
export async function startHttpServer<View>(
  options: HttpServerOptions<View>,
  register?: (app: FastifyInstance) => void | Promise<void>,
): Promise<HttpServer> {
  const app = createHttpApp(options);
  await register?.(app);
  const host = options.host ?? '127.0.0.1';
  await app.listen({ port: options.port, host });
  const { port } = app.server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    port,
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

/** No route has a JSON schema: rows read requests as java-tron does. Loading fastify's compilers costs 10 ms at start. */
const withoutSchemas = () => () => {
  throw new Error('a route has a JSON schema');
};
const NO_SCHEMAS = { compilersFactory: { buildValidator: withoutSchemas, buildSerializer: withoutSchemas } };

/** The server before it listens. */
export function createHttpApp<View>(options: HttpServerOptions<View>): FastifyInstance {
  const limit = options.bodyLimitBytes ?? DEFAULT_BODY_LIMIT_BYTES;
  const timeoutMs = options.requestTimeoutMs ?? 30_000;
  const posts = new Map((options.posts ?? []).map((post) => [post.path, post]));
  const direct = new Map(posts);
  const answerPost = answerPosts({
    limitBytes: limit,
    headers: options.cors === false ? [] : Object.entries(CORS).flat(),
    durable: options.durable,
    onInternalError: options.onInternalError,
  });
  const app = fastify({
    serverFactory: (routed) => {
      const server = createServer((request, response) => {
        const post = request.method === 'POST' ? direct.get(splitUrl(request.url ?? '')[0]) : undefined;
        if (post === undefined) routed(request, response);
        else answerPost(post, request, response);
      });
      server.requestTimeout = timeoutMs;
      server.headersTimeout = timeoutMs;
      return server;
    },
    forceCloseConnections: 'idle',
    schemaController: NO_SCHEMAS,
    exposeHeadRoutes: false,
    // Bodies are measured while they are read (readBody); fastify's own check would answer with its own words.
    bodyLimit: Number.MAX_SAFE_INTEGER,
    frameworkErrors: (_error, request, reply) => {
      const page = errorPage(400, 'Bad Request', splitUrl(request.url)[0], request.headers.accept);
      (reply as unknown as FastifyReply)
        .code(400)
        .header('content-type', page.contentType)
        .send(Buffer.from(page.body));
    },
  });
  app.removeAllContentTypeParsers();
  // Whoever posts to a path that takes no document gets its refusal after the body has come.
  app.addContentTypeParser('*', (_request: FastifyRequest, payload: IncomingMessage) => readAway(payload, limit));
  app.addHook('onRequest', async (request, reply) => {
    if (options.cors !== false) {
      reply.headers(CORS);
    }
    // fastify refuses media types that it cannot parse.
    delete request.raw.headers['content-type'];
  });
  app.get('/healthcheck', async (_request, reply) => reply.type(JSON_TYPE).send('{"status":"ok"}\n'));

  const refuse = (error: unknown, path: string): string => {
    if (!isUsersMistake(error)) {
      options.onInternalError?.(error, path);
    }
    return errorBody(errorText(error));
  };

  const postPathOf = (path: string, row: HttpRow<View>, view: () => View): PostPath => ({
    path,
    servlet: row.servlet ?? '',
    contentType: JSON_TYPE,
    answer: (body, { url = '', headers }) =>
      answerOf(row, view, new WireRequest('POST', splitUrl(url)[1], headers['content-type'], body), url),
    tooBig: () => refuse(bodyTooBig(limit), path),
  });

  const answerOf = (
    row: HttpRow<View>,
    view: () => View,
    request: WireRequest,
    path: string,
  ): string | Promise<string> => {
    try {
      const text = withRows(() => row.answer(view(), request));
      return typeof text === 'string' ? text : text.catch((error: unknown) => refuse(error, path));
    } catch (error) {
      return refuse(error, path);
    }
  };

  const endpoints = new Map<string, { row: HttpRow<View>; view: () => View }>();
  for (const row of options.rows) {
    for (const service of row.services) {
      const view = options.views[service];
      if (view !== undefined) {
        const path = `${SERVICE_PREFIXES[service]}${row.name}`;
        endpoints.set(path, { row, view });
        if (row.post === 'answers') direct.set(path, postPathOf(path, row, view));
      }
    }
  }

  const handle = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const [path, queryString] = splitUrl(request.url);
    const endpoint = endpoints.get(path);
    const method = request.method;
    if (method === 'PUT' || method === 'DELETE' || method === 'PATCH') {
      return reply.code(method === 'PATCH' ? 501 : 405).send();
    }
    if (method === 'OPTIONS') {
      return reply.header('allow', allowed(endpoint?.row)).type(JSON_TYPE).send('');
    }
    const verb = method === 'HEAD' ? 'GET' : method;
    const capability = verb === 'GET' ? (endpoint?.row.get ?? 'refused') : (endpoint?.row.post ?? 'refused');
    if (endpoint === undefined || capability === 'refused' || (verb !== 'GET' && verb !== 'POST')) {
      const servlet = posts.get(path)?.servlet ?? endpoint?.row.servlet;
      const page =
        endpoint === undefined && !posts.has(path) && verb === 'GET'
          ? errorPage(404, 'Not Found', path, request.headers.accept)
          : errorPage(405, notSupported(verb), path, request.headers.accept, servlet);
      return reply.code(page.status).header('content-type', page.contentType).send(Buffer.from(page.body));
    }
    reply.header('content-type', JSON_TYPE);
    if (capability === 'empty') {
      return reply.send('');
    }
    const answer = await answerOf(
      endpoint.row,
      endpoint.view,
      new WireRequest('GET', queryString, undefined, NOTHING),
      path,
    );
    await options.durable?.();
    return reply.send(answer);
  };

  app.all('/*', handle);
  app.setNotFoundHandler(handle);
  app.setErrorHandler(async (error, request, reply) => {
    // What fastify itself refuses: a request that was cut short, a malformed header.
    return reply.code(200).header('content-type', JSON_TYPE).send(refuse(error, request.url));
  });
  return app;
}

export const SERVICE_PREFIXES: Readonly<Record<Service, string>> = {
  wallet: '/wallet/',
  walletsolidity: '/walletsolidity/',
  net: '/net/',
  monitor: '/monitor/',
  sunup: '/sunup/',
};

function isUsersMistake(error: unknown): boolean {
  return error instanceof Error && (error.name === 'JavaException' || 'statusCode' in error);
}

function splitUrl(url: string): [path: string, queryString: string] {
  const mark = url.indexOf('?');
  return mark < 0 ? [url, ''] : [url.slice(0, mark), url.slice(mark + 1)];
}

function allowed<View>(row: HttpRow<View> | undefined): string {
  const methods = ['OPTIONS', 'TRACE'];
  if (row === undefined || row.get !== 'refused') {
    methods.unshift('GET', 'HEAD');
  }
  if (row?.post === 'answers') {
    methods.push('POST');
  }
  return methods.join(', ');
}

/** Reads a body that nobody wants to its end, so that the client gets its answer. */
function readAway(payload: IncomingMessage, limit: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let size = 0;
    payload.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit * DRAIN_FACTOR) payload.destroy();
    });
    payload.on('end', resolve);
    payload.on('error', reject);
    payload.on('close', () => {
      if (!payload.readableEnded) reject(Object.assign(new Error('request aborted'), { statusCode: 400 }));
    });
  });
}
