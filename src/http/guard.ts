/**
 * The hook in front of every route: it reads what the route's endpoint says about its callers, refuses whom it does not let
 * in, and tells browsers who may read the answer. CORS is here and not in a plugin (`@fastify/cors`), because which
 * headers are sent and who is refused are one decision, made by endpoint, and because that plugin knows neither endpoints nor
 * Chrome's private-network preflight. Requests for a WebSocket are judged in the same way where they come in
 * (`upgrades.ts`).
 */

import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod, RouteOptions } from 'fastify';
import type { Access, Callers } from '../access/access.js';
import { errorBody, JSON_TYPE } from './errors.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call the route. Every route has to say it. */
    readonly callers?: Callers;
    /** Class name of java-tron's servlet, for the page that refuses another method. */
    readonly servlet?: string;
  }
}

/** What a path is known to be, for requests that no route answers: other methods, preflights. */
export interface KnownPath {
  readonly callers: Callers;
  readonly servlet: string | undefined;
  /** Whether requests to it are counted where callers have limits. */
  readonly limited: boolean;
  readonly methods: ReadonlySet<string>;
  /** What answers GET, and so HEAD. */
  readonly get: RouteHandlerMethod | undefined;
}

/** Answers preflights and every OPTIONS itself. Returns the paths that get a route from here on. */
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
    const { callers } = route.config ?? {};
    if (callers === undefined) throw new Error(`the route ${route.url} does not say who may call it`);
    // Where a route has its own form of errors (`/v1`), the path is unknown to methods that it does not answer.
    if (route.errorHandler === undefined) paths.set(route.url, knownPath(callers, route, paths.get(route.url)));
    const { url } = route;
    const guard = (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
      if (admit(access, callers, url, request, reply)) done();
    };
    route.onRequest = [guard, ...[route.onRequest ?? []].flat()];
  });
  return paths;
}

/** @param before what the path's other routes make of it */
function knownPath(
  callers: Callers,
  { method, handler, config: { servlet, rateLimit } = {} }: RouteOptions,
  before: KnownPath | undefined,
): KnownPath {
  const own = [method].flat();
  const methods = new Set([
    ...(before?.methods ?? []),
    ...own.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : method)),
  ]);
  const get = own.includes('GET') ? handler : before?.get;
  return { callers, servlet, limited: rateLimit !== false, methods, get };
}

/** Puts in the headers that let the page read the answer, or sends the refusal. */
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

/** What a page may send: any header, the API keys of public gateways among them, which `*` does not name to every browser. */
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

/** The path of a request as it came, without its query. */
export function pathOf({ url }: { readonly url: string }): string {
  const mark = url.indexOf('?');
  return mark < 0 ? url : url.slice(0, mark);
}
