/**
 * `/openapi.json` and `/docs`: the interfaces described by data, and a page to try them. Made when first asked for, and
 * again when the chain has gone on: the examples are of its head.
 */

import type { FastifyPluginAsync } from 'fastify';
import { PAGE_HEADERS } from '../http/page-headers.js';
import { httpFormsOf } from '../http/release-forms.js';
import type { Service } from '../http/table.js';
import type { Node } from '../node/node.js';
import { withRows } from '../node/with-rows.js';
import type { Address } from '../primitives/ids.js';
import { isSince } from '../primitives/release.js';

export interface OpenApiRoutes {
  readonly node: Node;
  /** Whose examples are. */
  readonly accounts: readonly Address[];
  readonly version: string;
  /** What the port serves. */
  readonly services: readonly Service[];
  readonly indexed: boolean;
  readonly devMethods: boolean;
  readonly metrics: boolean;
  readonly refusedWith: 403 | 429 | undefined;
}

const config = { callers: 'anyone', rateLimit: false } as const;
const JSON_TYPE = 'application/json; charset=utf-8';

export function openApiRoutes(about: OpenApiRoutes): FastifyPluginAsync {
  return async (app) => {
    let made: { readonly head: string; readonly text: Promise<string> } | undefined;
    app.get('/openapi.json', { config }, async (_request, reply) => {
      const head = about.node.chain.headId;
      if (made?.head !== head) {
        const text = documentText(about);
        made = { head, text };
        // Of a fork whose network does not answer: it is made when somebody asks again.
        text.catch(() => {
          made = undefined;
        });
      }
      return reply.type(JSON_TYPE).send(await made.text);
    });
    for (const url of ['/docs', '/docs/:file']) {
      app.get<{ Params: { file?: string } }>(url, { config }, async ({ params: { file = '' } }, reply) => {
        const { pageFile } = await import('./page.js');
        const found = await pageFile(file);
        if (found === undefined) return reply.callNotFound();
        return reply.headers(PAGE_HEADERS).type(found.type).send(found.body);
      });
    }
  };
}

async function documentText({ node, accounts, indexed, ...about }: OpenApiRoutes): Promise<string> {
  const [{ openApiDocument }, { factsOf }, { httpEndpoints }, { historyEndpoints }] = await Promise.all([
    import('./document.js'),
    import('./facts.js'),
    import('../http/endpoints.js'),
    import('../history/endpoints.js'),
  ]);
  const history = indexed ? historyEndpoints() : [];
  const facts = await withRows(() => factsOf(node, accounts));
  const { release } = node.chain.config;
  const endpoints = httpEndpoints.filter(({ since }) => isSince(since, release));
  const forms = httpFormsOf(release);
  return JSON.stringify(openApiDocument({ ...about, endpoints, forms, history, facts }));
}
