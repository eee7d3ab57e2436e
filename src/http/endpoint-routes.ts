/**
 * Adds the endpoints of the table as routes, one for each prefix and method. Each path answers GET and POST as its
 * endpoint defines.
 */

import type { IncomingMessage } from 'node:http';
import type { FastifyPluginAsync, FastifyRequest, RouteHandlerMethod } from 'fastify';
import { withRows } from '../node/with-rows.js';
import { FIRST_RELEASE, isSince, type Release } from '../primitives/release.js';
import type { Mark } from '../wallet/known-blocks.js';
import { JSON_TYPE } from './errors.js';
import { type HttpForms, httpFormsOf } from './release-forms.js';
import { type RoutePath, routeOf } from './route-paths.js';
import type { HttpEndpoint, Service } from './table.js';
import { WireRequest } from './wire-request.js';

export const SERVICE_PREFIXES: Readonly<Record<Service, string>> = {
  wallet: '/wallet/',
  walletsolidity: '/walletsolidity/',
  walletpbft: '/walletpbft/',
  solidityPort: '/wallet/',
  net: '/net/',
  monitor: '/monitor/',
  sunup: '/sunup/',
};

export interface EndpointRoutes<View> {
  /** Endpoints of later releases are unknown paths. Default: the first release that Sunup knows. */
  readonly release?: Release;
  readonly endpoints: readonly HttpEndpoint<View>[];
  /** The view of the chain for each path prefix; a prefix without a view is not served. */
  readonly views: { readonly [S in Service]?: () => View };
  /** Answers, and reports marks if the answer contains data of a fork's network. */
  readonly withMarks?: <Answer>(view: View, answer: () => Answer, marked: (mark: Mark) => void) => Answer;
}

export function endpointRoutes<View>({
  endpoints,
  views,
  withMarks,
  release = FIRST_RELEASE,
}: EndpointRoutes<View>): FastifyPluginAsync {
  const forms = httpFormsOf(release);
  return async (app) => {
    const routes = new Map<string, { readonly GET: Map<string, RoutePath>; readonly POST: Map<string, RoutePath> }>();
    for (const endpoint of endpoints) {
      const { name, callers, servlet, since, isCostly, takesUploads } = endpoint;
      if (!isSince(since, release)) continue;
      for (const service of endpoint.services) {
        const view = views[service];
        if (view === undefined) continue;
        const prefix = SERVICE_PREFIXES[service];
        const answerTo = (body: string) => {
          const asked = new WireRequest('POST', '', 'application/json', Buffer.from(body), undefined, forms);
          return withRows(() => endpoint.answer(view(), asked));
        };
        const config = {
          callers,
          ...(isCostly && { isCostly }),
          ...(takesUploads && { takesUploads }),
          ...(servlet !== undefined && { servlet }),
          ...(endpoint.post === 'answers' && { answerTo }),
          // A limited client must still be able to control the chain.
          ...(service === 'sunup' && { rateLimit: false as const }),
        };
        const handler: RouteHandlerMethod = (request, reply) => {
          reply.type(JSON_TYPE);
          if (endpoint.get === 'empty' && request.method !== 'POST') return '';
          const asked = wireRequest(request, forms);
          return withRows(() => {
            const seen = view();
            if (withMarks === undefined) return endpoint.answer(seen, asked);
            return withMarks(
              seen,
              () => endpoint.answer(seen, asked),
              ({ name, value }) => void reply.header(name, value),
            );
          });
        };
        const path = { url: prefix + name, config, handler };
        const route = routes.get(prefix) ?? { GET: new Map(), POST: new Map() };
        routes.set(prefix, route);
        if (route.GET.has(name) || route.POST.has(name)) throw new Error(`two endpoints have the path ${path.url}`);
        if (endpoint.get !== 'refused') route.GET.set(name, path);
        if (endpoint.post === 'answers') route.POST.set(name, path);
      }
    }
    for (const [prefix, methods] of routes)
      for (const [method, paths] of Object.entries(methods))
        if (paths.size > 0) app.route(routeOf(prefix, method, paths));
  };
}

const NOTHING = new Uint8Array(0);

function wireRequest(
  { method, raw: { url = '', socket }, body, contentType }: FastifyRequest,
  forms: HttpForms,
): WireRequest {
  const mark = url.indexOf('?');
  const queryString = mark < 0 ? '' : url.slice(mark + 1);
  if (method !== 'POST') return new WireRequest('GET', queryString, undefined, NOTHING, socket, forms);
  const content = (body as Buffer | IncomingMessage | undefined) ?? NOTHING;
  return new WireRequest('POST', queryString, contentType, content, socket, forms);
}
