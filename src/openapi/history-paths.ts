/**
 * The endpoints of the history interface as paths. Their records are open objects: the managed service adds members
 * over time.
 */

import type { HistoryEndpoint } from '../history/table.js';
import type { Facts } from './examples.js';
import { answers, JSON_MEDIA, type Parameter, type PathItem, type Paths } from './operation.js';
import {
  ADDRESS_FORMAT,
  ADDRESS_PATTERN,
  address,
  body,
  component,
  count,
  integer,
  list,
  matching,
  type Schema,
  text,
  truth,
} from './schema.js';

export const HISTORY_COMPONENTS: Readonly<Record<string, Schema>> = {
  HistoryPage: {
    ...body({
      data: list({}),
      success: truth(),
      meta: body({
        at: integer('Milliseconds since 1970'),
        page_size: integer(),
        fingerprint: text('Fingerprint of the next page'),
        links: body({ next: text() }),
      }),
    }),
    required: ['data', 'success', 'meta'],
  },
  HistoryError: { ...body({ success: truth(), error: text(), statusCode: integer() }), required: ['success'] },
};

function query(name: string, schema: Schema, description: string, example?: unknown): Parameter {
  return { name, in: 'query', description, schema, ...(example !== undefined && { example }) };
}

const LIMIT = query('limit', { type: 'integer', minimum: 1, maximum: 200 }, '1 to 200, default 20', 5);
const FINGERPRINT = query('fingerprint', text(), 'meta.fingerprint of the previous page, with the same parameters');
/** The two exclude each other. */
const CONFIRMATION: readonly Parameter[] = [
  query('only_confirmed', truth(), 'Only solidified blocks'),
  query('only_unconfirmed', truth(), 'Only blocks above the solidified block'),
];
const MILLISECONDS = 'Milliseconds since 1970, inclusive';

/** For a list that can be sorted by these fields; the first is the default. */
function orderBy(...fields: readonly string[]): Parameter {
  const schema = matching(`^(${fields.join('|')})(,(asc|desc))?$`);
  return query('order_by', schema, `${fields.join(', ')}, followed by ,desc (default) or ,asc`);
}

/** Lists of events on the chain: docs/reference/history.md. */
const LIST: readonly Parameter[] = [
  LIMIT,
  FINGERPRINT,
  orderBy('block_timestamp', 'timestamp', 'block_number'),
  query('min_timestamp', count(), MILLISECONDS),
  query('max_timestamp', count(), MILLISECONDS),
  ...CONFIRMATION,
];
const BLOCK_EVENTS: readonly Parameter[] = [LIMIT, FINGERPRINT, ...CONFIRMATION];
const ASSETS: readonly Parameter[] = [
  LIMIT,
  FINGERPRINT,
  orderBy('id', 'total_supply', 'start_time', 'end_time'),
  ...CONFIRMATION,
];
const SIDES: readonly Parameter[] = [
  query('only_from', truth(), 'Only as the sender'),
  query('only_to', truth(), 'Only as the receiver'),
];
const ONE_TOKEN = query('contract_address', address(), 'Only this token');
/** Parameters of TRON's first event server. */
const EVENT_SERVER: readonly Parameter[] = [
  query('size', count(), 'At most 200, default 20'),
  query('sort', text(), 'block_timestamp, or -block_timestamp (default): newest first'),
  query('since', count(), `${MILLISECONDS}: the start; with -block_timestamp the end`),
  {
    name: 'filters',
    in: 'query',
    description: 'Required values of the event',
    content: { [JSON_MEDIA]: { schema: { type: 'object' } } },
  },
  FINGERPRINT,
  ...CONFIRMATION,
];

/** Parts of the path, by name. */
const PARTS: Readonly<
  Record<string, { readonly schema: Schema; readonly example: (facts: Facts) => string | number }>
> = {
  address: { schema: address(), example: ({ contract }) => contract },
  identifier: { schema: { anyOf: [matching('^\\d+$'), address()] }, example: () => '1000001' },
  name: { schema: { type: 'string', minLength: 1 }, example: () => 'Credits' },
  txid: { schema: matching('^(0x)?[0-9a-fA-F]{64}$'), example: ({ txid }) => txid },
  number: { schema: count(), example: ({ block }) => block.number },
  event: { schema: { type: 'string', minLength: 1 }, example: () => 'Transfer' },
  block: { schema: matching('^(latest|\\d{1,15})$'), example: () => 'latest' },
};

/** Query parameters of each endpoint. */
const parametersOf = ({ contract }: Facts): Readonly<Record<string, readonly Parameter[]>> => ({
  '/v1/accounts/{address}': CONFIRMATION,
  '/v1/accounts/{address}/transactions': [
    ...LIST,
    ...SIDES,
    query('search_internal', truth(), 'Include internal transactions'),
  ],
  '/v1/accounts/{address}/transactions/trc20': [
    ...LIST,
    ...SIDES,
    ONE_TOKEN,
    query('get_detail', truth(), 'Include the transactions'),
  ],
  '/v1/accounts/{address}/internal-transactions': [...LIST, ...SIDES],
  '/v1/accounts/{address}/trc20/balance': [LIMIT, FINGERPRINT, ...CONFIRMATION, ONE_TOKEN],
  '/v1/accounts/{address}/resources': CONFIRMATION,
  '/v1/contracts/{address}/transactions': LIST,
  '/v1/contracts/{address}/internal-transactions': LIST,
  '/v1/contracts/{address}/events': [
    ...LIST,
    query('event_name', text(), 'Only events with this name'),
    query('block_number', count(), 'Only events of this block'),
  ],
  '/v1/contracts/{address}/tokens': [LIMIT, FINGERPRINT, orderBy('balance')],
  '/v1/transactions/{txid}/events': CONFIRMATION,
  '/v1/transactions/{txid}/internal-transactions': CONFIRMATION,
  '/v1/blocks/latest/events': BLOCK_EVENTS,
  '/v1/blocks/{number}/events': BLOCK_EVENTS,
  '/v1/blocks/{number}/stats': [query('get_tx_detail', truth(), 'Include statistics of its transactions')],
  '/v1/trc20/info': [
    {
      ...query('contract_list', addressesOf(20), 'Up to 20 addresses, comma-separated', contract),
      required: true,
    },
  ],
  '/v1/assets': ASSETS,
  '/v1/assets/{identifier}': CONFIRMATION,
  '/v1/assets/{name}/list': ASSETS,
  '/event/contract/latestSolidifiedBlockNum': [],
  '/event/contract/{address}': EVENT_SERVER,
  '/event/contract/{address}/{event}': EVENT_SERVER,
  '/event/contract/{address}/{event}/{block}': EVENT_SERVER,
  '/event/transaction/{txid}': [],
});

function addressesOf(most: number): Schema {
  return {
    ...matching(`^(${ADDRESS_PATTERN})(,(${ADDRESS_PATTERN})){0,${most - 1}}$`),
    format: `${ADDRESS_FORMAT}-list`,
  };
}

export function historyPaths(endpoints: readonly HistoryEndpoint[], facts: Facts): Paths {
  return Object.fromEntries(endpoints.map((endpoint) => pathOf(endpoint, facts)));
}

const sentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

function pathOf({ path, about }: HistoryEndpoint, facts: Facts): readonly [string, PathItem] {
  const url = path.replace(/:(\w+)/g, '{$1}');
  const parts = [...path.matchAll(/:(\w+)/g)].map(([, name = '']): Parameter => {
    const part = PARTS[name];
    if (part === undefined) throw new Error(`the part ${name} of ${path} has no schema: history-paths.ts`);
    return { name, in: 'path', required: true, schema: part.schema, example: part.example(facts) };
  });
  const isEventServer = path.startsWith('/event');
  const own = parametersOf(facts)[url];
  if (own === undefined) throw new Error(`the parameters of ${url} are not declared: history-paths.ts`);
  const refused = {
    description: 'Invalid request',
    content: { [JSON_MEDIA]: { schema: component('HistoryError') } },
  };
  const operation = {
    operationId: url.replace(/[/{}]+/g, '_').replace(/^_|_$/g, ''),
    summary: sentence(about.split(/; |, for /)[0] ?? about).replaceAll('`', ''),
    description: `${sentence(about)}. ${isEventServer ? "In the format of TRON's first event server. " : ''}More in docs/reference/history.md.`,
    tags: ['history'],
    parameters: [...parts, ...own],
    responses: {
      200: answers(isEventServer ? {} : component('HistoryPage')),
      400: refused,
      404: refused,
    },
  };
  return [url, { get: operation }];
}
