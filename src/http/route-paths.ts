/**
 * Routes with many paths. fastify keeps what hooks need to know of a path (`config`) with its route, but a route for
 * each of the 200 endpoints was half of the time of `createDevnet`. So endpoints share a route, whose `config` has a
 * list of its paths. Hooks see a route of one path and a route of many in the same way.
 */

import type { FastifyContextConfig, FastifyRequest, RouteHandlerMethod, RouteOptions } from 'fastify';

/** A path that a route answers. */
export interface RoutePath {
  readonly url: string;
  readonly config: FastifyContextConfig;
  readonly handler: RouteHandlerMethod;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The paths of a route of many, by their last segment. */
    readonly paths?: ReadonlyMap<string, RoutePath>;
  }
}

/** The options of a route for paths that differ in their last segment only. */
export function routeOf(
  prefix: string,
  method: string,
  paths: ReadonlyMap<string, RoutePath>,
): Pick<RouteOptions, 'method' | 'url' | 'config' | 'handler'> {
  const asked = finder(paths);
  // @fastify/rate-limit reads this from the route.
  const isUnlimited = [...paths.values()].every(({ config }) => config.rateLimit === false);
  // A regular expression, so that a request for any other path or method has no route.
  const names = [...paths.keys()].join('|');
  return {
    method,
    url: `${prefix}:name(^(?:${names})$)`,
    config: { paths, ...(isUnlimited && { rateLimit: false }) },
    handler(request, reply) {
      return asked(request).handler.call(this, request, reply);
    },
  };
}

/** All paths of a route. */
export function pathsOf({ url, config = {}, handler }: RouteOptions): Iterable<RoutePath> {
  return config.paths?.values() ?? [{ url, config, handler }];
}

/** Finds which path of a route is requested. */
export function pathFinder(route: RouteOptions): (request: FastifyRequest) => RoutePath {
  const { url, config = {}, handler } = route;
  if (config.paths !== undefined) return finder(config.paths);
  const only = { url, config, handler };
  return () => only;
}

function finder(paths: ReadonlyMap<string, RoutePath>): (request: FastifyRequest) => RoutePath {
  return ({ params }) => paths.get((params as { readonly name: string }).name) as RoutePath;
}

/** The path that is requested, of any route; without a `url` if no route answers. */
export function askedPath(request: FastifyRequest): Partial<Pick<RoutePath, 'url'>> & Pick<RoutePath, 'config'> {
  const { url, config } = request.routeOptions;
  return config.paths === undefined ? { ...(url !== undefined && { url }), config } : finder(config.paths)(request);
}
