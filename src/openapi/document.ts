/**
 * The description of a node's HTTP interfaces in OpenAPI 3.1, made from the tables that the interfaces use. Examples
 * use the accounts and blocks of this chain.
 */

import type { HistoryEndpoint } from '../history/table.js';
import type { HttpForms } from '../http/release-forms.js';
import type { HttpEndpoint, Service } from '../http/table.js';
import type { WalletContext } from '../wallet/context.js';
import { endpointPaths } from './endpoint-paths.js';
import type { Facts } from './examples.js';
import { HISTORY_COMPONENTS, historyPaths } from './history-paths.js';
import { MessageSchemas } from './message-schemas.js';
import { ERROR_COMPONENTS, type Paths, withRefusals } from './operation.js';
import { OWN_COMPONENTS, ownPaths } from './own-paths.js';
import type { Schema } from './schema.js';

export interface Described {
  readonly version: string;
  readonly endpoints: readonly HttpEndpoint<WalletContext>[];
  /** Deviations of the java-tron release. */
  readonly forms: HttpForms;
  /** Forms that are served here. */
  readonly services: readonly Service[];
  readonly history: readonly HistoryEndpoint[];
  readonly devMethods: boolean;
  /** Whether requests are counted for Prometheus. */
  readonly metrics: boolean;
  /** HTTP status for callers above a limit; undefined: there are no limits, and API keys are ignored. */
  readonly refusedWith: 403 | 429 | undefined;
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
  wallet: 'State of the head block, and pending transactions',
  walletsolidity: 'Solidified state',
  walletpbft: 'State that PBFT has confirmed',
  net: 'Peers',
  monitor: 'State of the node',
  history: 'Accounts, contracts and events over time, as the managed service of the network has them',
  'json-rpc': "For Ethereum's tools, and for control",
  sunup: "Sunup's own: blocks, time, snapshots, explanations",
  admin: 'Endpoints of the TronBox Runtime Environment',
  node: 'Health and metrics',
};

const A_KEY = { type: 'apiKey', in: 'header' } as const;
const WHY_A_KEY =
  'Optional. The options --api-key and --rate-limit define valid keys and their limits: docs/reference/limits.md';
const KEYS = {
  apiKey: { ...A_KEY, name: 'TRON-PRO-API-KEY', description: WHY_A_KEY },
  chainApiKey: { ...A_KEY, name: 'CHAIN-PRO-API-KEY', description: WHY_A_KEY },
} as const;

/** @example const { paths } = openApiDocument({ version, endpoints: httpEndpoints, forms: FIRST_FORMS, services: ['wallet'], history: [], devMethods: true, metrics: false, refusedWith: undefined, facts }) */
export function openApiDocument({ facts, ...about }: Described): OpenApiDocument {
  const { version, endpoints, forms, services, history, devMethods, metrics, refusedWith } = about;
  const messages = new MessageSchemas();
  const described: Paths = {
    ...endpointPaths(endpoints, services, messages, facts, forms),
    ...historyPaths(history, facts),
    ...ownPaths({ devMethods, metrics }, facts),
  };
  const paths = refusedWith === undefined ? described : withRefusals(described, refusedWith);
  const used = new Set(Object.values(paths).flatMap((path) => Object.values(path).flatMap(({ tags }) => tags)));
  const own = { ...ERROR_COMPONENTS, ...HISTORY_COMPONENTS, ...OWN_COMPONENTS };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Sunup',
      version,
      summary: 'A local node of a TRON-protocol network',
      description:
        'Bodies are JSON; `/wallet` and `/walletsolidity` also accept forms. Integers can have 64 bits: parsers that use doubles lose digits above 2^53. Fields with their default value (0, false, empty text) are omitted from responses. Amounts are in sun (1 TRX = 1,000,000 sun). Errors of `/wallet` have status 200 and a member `Error`, as in java-tron.',
      contact: { name: 'Sunup contributors' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    // Beside this description: paths below an additional chain's prefix belong to that chain.
    servers: [{ url: '.', description: 'The chain that this document describes' }],
    security: [{}, ...Object.keys(KEYS).map((name) => ({ [name]: [] }))],
    tags: Object.entries(TAGS)
      .filter(([name]) => used.has(name))
      .map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: { ...messages.components, ...pick(own, JSON.stringify(paths)) },
      securitySchemes: KEYS,
    },
  };
}

/** Referenced schemas, transitively. */
function pick(schemas: Readonly<Record<string, Schema>>, where: string): Record<string, Schema> {
  const picked: Record<string, Schema> = {};
  for (let text = where; text !== ''; ) {
    const found = Object.entries(schemas).filter(([name]) => !(name in picked) && text.includes(`schemas/${name}"`));
    Object.assign(picked, Object.fromEntries(found));
    text = found.length === 0 ? '' : JSON.stringify(found);
  }
  return picked;
}
