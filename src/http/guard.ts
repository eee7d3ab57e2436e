/**
 * The hook before every route: checks whether the caller may use the endpoint, and sends the CORS headers. This is not
 * `@fastify/cors`, because headers and refusal are one decision for each endpoint, and that plugin knows neither
 * endpoints nor Chrome's private-network preflight. `upgrades.ts` checks requests for a WebSocket in the same way.
 */

import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import type { Access, Callers } from '../access/access.js';
import { errorBody, JSON_TYPE } from './errors.js';
import { pathFinder, pathsOf, type RoutePath } from './route-paths.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call the route. Required for every route. */
    readonly callers?: Callers;
    /** Class name of java-tron's servlet, for the error page of other methods. */
    readonly servlet?: string;
  }
}

/** A path that has routes, for requests that no route answers: other methods, preflights. */
export interface KnownPath {
  readonly callers: Callers;
  readonly servlet: string | undefined;
  /** Whether rate limits count its requests. */
  readonly limited: boolean;
  readonly methods: ReadonlySet<string>;
  /** Handler for GET, and so for HEAD. */
  readonly get: RouteHandlerMethod | undefined;
}

/** Answers preflights and all OPTIONS requests. Returns the paths of all routes added afterwards. */
export function guardRoutes(app: FastifyInstance, access: Access): ReadonlyMap<string, KnownPath> {
  const paths = new Map<string, KnownPath>();
  app.options('/*', (request, reply) => {
    const path = pathOf(request);
    const known = paths.get(path);
    const callers = known?.callers ?? 'anyone';
    if (!admit(access, callers, path, request, reply)) return;
    allowPreflight(request, reply);
    reply.header('allow', [...(known?.methods ?? ['GET', 'HEAD']), 'OPTIONS'].join(', '));
    reply.type(JSON_TYPE).send('');
  });
  app.addHook('onRoute', (route) => {
    const methods = [route.method].flat();
    for (const path of pathsOf(route)) {
      const known = knownPath(path, methods, paths.get(path.url));
      // If a route has its own error format (`/v1`), its path is unknown for other methods.
      if (route.errorHandler === undefined) paths.set(path.url, known);
    }
    const asked = pathFinder(route);
    const guard = (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
      const path = asked(request);
      if (admit(access, callersOf(path), path.url, request, reply)) done();
    };
    route.onRequest = [guard, ...[route.onRequest ?? []].flat()];
  });
  return paths;
}

function callersOf({ url, config: { callers } }: RoutePath): Callers {
  if (callers === undefined) throw new Error(`the route ${url} does not say who may call it`);
  return callers;
}

/** @param before the path's entry from its other routes */
function knownPath(path: RoutePath, own: readonly string[], before: KnownPath | undefined): KnownPath {
  const { servlet, rateLimit } = path.config;
  const methods = new Set([
    ...(before?.methods ?? []),
    ...own.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : method)),
  ]);
  const get = own.includes('GET') ? path.handler : before?.get;
  return { callers: callersOf(path), servlet, limited: rateLimit !== false, methods, get };
}

/** Adds the headers that let a page read the answer, or sends the refusal. */
export function admit(
  access: Access,
  callers: Callers,
  what: string,
  { raw: { headers } }: FastifyRequest,
  reply: FastifyReply,
): boolean {
  const refusal = access.refusal(callers, headers, what);
  const readableBy = refusal === undefined ? access.readableBy(callers, headers) : undefined;
  if (readableBy !== undefined) reply.header('access-control-allow-origin', readableBy);
  if (readableBy !== '*') reply.header('vary', 'Origin');
  if (refusal === undefined) return true;
  reply.code(403).type(JSON_TYPE).send(errorBody(refusal));
  return false;
}

/**
 * Headers that a page may send: all, including API keys of public gateways, because some browsers do not apply `*` to
 * them.
 */
function allowPreflight({ raw: { headers } }: FastifyRequest, reply: FastifyReply): void {
  const asked = headers['access-control-request-headers'];
  reply.headers({
    'access-control-allow-methods': 'GET, POST, OPTIONS',
    'access-control-allow-headers': asked ?? '*',
    'access-control-max-age': '86400',
  });
  if (headers['access-control-request-private-network'] === 'true') {
    reply.header('access-control-allow-private-network', 'true');
  }
}

/** The raw path of a request, without its query. */
export function pathOf({ url }: { readonly url: string }): string {
  const mark = url.indexOf('?');
  return mark < 0 ? url : url.slice(0, mark);
}
