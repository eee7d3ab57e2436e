/**
 * The description of a node's HTTP interfaces in OpenAPI 3.1, made from the tables that the interfaces are made from.
 * Examples are of the chain that is asked.
 */

import type { HistoryRow } from '../history/table.js';
import type { HttpRow, Service } from '../http/table.js';
import type { WalletContext } from '../wallet/context.js';
import type { Facts } from './examples.js';
import { HISTORY_COMPONENTS, historyPaths } from './history-paths.js';
import { MessageSchemas } from './message-schemas.js';
import { ERROR_COMPONENTS, type Paths } from './operation.js';
import { OWN_COMPONENTS, ownPaths } from './own-paths.js';
import { rowPaths } from './row-paths.js';
import type { Schema } from './schema.js';

export interface Described {
  readonly version: string;
  readonly rows: readonly HttpRow<WalletContext>[];
  /** Which of their places are served here. */
  readonly services: readonly Service[];
  readonly history: readonly HistoryRow[];
  readonly devMethods: boolean;
  readonly facts: Facts;
}

export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: object;
  readonly servers: readonly object[];
  readonly security: readonly object[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Paths;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>>; readonly securitySchemes: object };
}

const TAGS: Readonly<Record<string, string>> = {
  wallet: 'Head of the chain and what is pending',
  walletsolidity: 'The solidified state',
  walletpbft: 'What PBFT has confirmed',
  net: 'Peers',
  monitor: 'The node',
  history: 'Accounts, contracts and events over time, as the managed service of the network has them',
  'json-rpc': "For Ethereum's tools, and for control",
  sunup: "Sunup's own: blocks, time, snapshots, explanations",
  node: 'Whether it lives',
};

/** @example const { paths } = openApiDocument({ version, rows: httpRows, services: ['wallet'], history: [], devMethods: true, facts }) */
export function openApiDocument({ version, rows, services, history, devMethods, facts }: Described): OpenApiDocument {
  const messages = new MessageSchemas();
  const paths: Paths = {
    ...rowPaths(rows, services, messages, facts),
    ...historyPaths(history, facts),
    ...ownPaths(devMethods, facts),
  };
  const used = new Set(Object.values(paths).flatMap((path) => Object.values(path).flatMap(({ tags }) => tags)));
  const own = { ...ERROR_COMPONENTS, ...HISTORY_COMPONENTS, ...OWN_COMPONENTS };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Sunup',
      version,
      summary: 'A local node of a TRON-protocol network',
      description:
        'Bodies are JSON; `/wallet` and `/walletsolidity` take forms, too. Integers may have 64 bits: readers that keep them in doubles lose digits beyond 2^53. A field that holds its default (0, false, an empty text) is left out of answers. Refusals have status 200 and a member `Error`, as in java-tron.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'This node' }],
    security: [{}, { apiKey: [] }],
    tags: Object.entries(TAGS)
      .filter(([name]) => used.has(name))
      .map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: { ...messages.components, ...pick(own, JSON.stringify(paths)) },
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'TRON-PRO-API-KEY',
          description: 'Only where the node was started with --api-key',
        },
      },
    },
  };
}

/** Those that something refers to. */
function pick(schemas: Readonly<Record<string, Schema>>, where: string): Record<string, Schema> {
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => where.includes(`schemas/${name}"`)));
}
