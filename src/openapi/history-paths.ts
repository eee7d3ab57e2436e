/** The rows of the history interface as paths. Its records are open: they grow with the service that they follow. */

import type { HistoryRow } from '../history/table.js';
import type { Facts } from './examples.js';
import { answers, JSON_MEDIA, type Parameter, type PathItem, type Paths } from './operation.js';
import { body, component, integer, list, type Schema, text, truth } from './schema.js';

export const HISTORY_COMPONENTS: Readonly<Record<string, Schema>> = {
  HistoryPage: {
    ...body({
      data: list({}),
      success: truth(),
      meta: body({
        at: integer('Milliseconds since 1970'),
        page_size: integer(),
        fingerprint: text('Of the page after this one'),
        links: body({ next: text() }),
      }),
    }),
    required: ['data', 'success', 'meta'],
  },
  HistoryError: { ...body({ success: truth(), error: text(), statusCode: integer() }), required: ['success'] },
};

/** Of lists: docs/history.md. */
const PAGING: readonly Parameter[] = [
  query('limit', { type: 'integer', minimum: 1, maximum: 200 }, '1 to 200, default 20', 5),
  query('fingerprint', text(), 'The page after the one that had it in meta'),
  query('order_by', text(), 'block_timestamp,desc (default) or block_timestamp,asc'),
  query('min_timestamp', integer(), 'Milliseconds, included'),
  query('max_timestamp', integer(), 'Milliseconds, included'),
  query('only_confirmed', truth(), 'In solidified blocks'),
  query('only_unconfirmed', truth(), 'Above them'),
];

function query(name: string, schema: Schema, description: string, example?: unknown): Parameter {
  return { name, in: 'query', description, schema, ...(example !== undefined && { example }) };
}

/** A part of the path, by its name. */
const PARTS: Readonly<Record<string, (facts: Facts) => string>> = {
  address: ({ contract }) => contract,
  identifier: () => '1000001',
  name: () => 'Credits',
  txid: ({ txid }) => txid,
  number: ({ block }) => String(block.number),
  contract: ({ contract }) => contract,
  event: () => 'Transfer',
  block: () => 'latest',
};

/** Of accounts. */
const SIDES: readonly Parameter[] = [
  query('only_from', truth(), 'Where the account is the sender'),
  query('only_to', truth(), 'Where it is the receiver'),
];

/** Beside {@link PAGING}, by the end of the path. */
const further = ({ contract }: Facts): readonly (readonly [end: string, Parameter])[] => [
  ...['/accounts/{address}/transactions', '/trc20', '/internal-transactions'].flatMap((end) =>
    SIDES.map((side) => [end, side] as const),
  ),
  ['/accounts/{address}/transactions', query('search_internal', truth(), 'Internal ones, too')],
  ['/trc20', query('contract_address', text(), 'Of one token')],
  ['/trc20', query('get_detail', truth(), 'With their transactions')],
  ['/trc20/balance', query('contract_address', text(), 'Of one token')],
  ['/v1/trc20/info', query('contract_list', text(), 'Up to 20 addresses, with commas', contract)],
  ['/contracts/{address}/events', query('event_name', text(), 'Of one name')],
  ['/contracts/{address}/events', query('block_number', integer(), 'Of one block')],
];

export function historyPaths(rows: readonly HistoryRow[], facts: Facts): Paths {
  return Object.fromEntries(rows.map((row) => pathOf(row, facts)));
}

const sentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

function pathOf({ path, about }: HistoryRow, facts: Facts): readonly [string, PathItem] {
  const url = path.replace(/:(\w+)/g, '{$1}');
  const parts = [...path.matchAll(/:(\w+)/g)].map(([, name = '']): Parameter => {
    const example = PARTS[name]?.(facts);
    return { name, in: 'path', required: true, schema: text(), ...(example !== undefined && { example }) };
  });
  const isEventServer = path.startsWith('/event');
  const own = further(facts)
    .filter(([end]) => url.endsWith(end))
    .map(([, parameter]) => parameter);
  const refused = {
    description: 'What is wrong with the question',
    content: { [JSON_MEDIA]: { schema: component('HistoryError') } },
  };
  const operation = {
    operationId: url.replace(/[/{}]+/g, '_').replace(/^_|_$/g, ''),
    summary: sentence(about.split(/; |, for /)[0] ?? about).replaceAll('`', ''),
    description: `${sentence(about)}. ${isEventServer ? 'As the first event server answered. ' : ''}More in docs/history.md.`,
    tags: ['history'],
    parameters: [...parts, ...(isEventServer ? [] : PAGING), ...own],
    responses: {
      200: answers(isEventServer ? {} : component('HistoryPage')),
      400: refused,
      404: refused,
    },
  };
  return [url, { get: operation }];
}
