/**
 * Paths of the first event server, used by TronWeb up to version 5 (protocol/v1.md#legacy-event-server-paths): a plain
 * list of records, with the next page's cursor on the last record.
 */

import type { WalletContext } from '../../wallet/context.js';
import { type ContractEvent, contractEvents, transactionEvents } from '../../wallet/history/events.js';
import type { Page } from '../../wallet/history/pages.js';
import { latestConfirmed, windowOf } from '../../wallet/history/window.js';
import { invalid } from '../errors.js';
import { type Json, jsonText } from '../json.js';
import { MAX_LIMIT, type Query, readAddress, readTxId, wholeNumber } from '../query.js';
import { eventRecord } from '../records/event.js';
import { cursorOf, fingerprintOf, type HistoryEndpoint, type HistoryRequest } from '../table.js';

/** The service's rule: default twenty, and two hundred for larger values. */
function sizeOf(query: Query): number {
  return Math.min(Math.max(query.number('size') ?? query.number('limit') ?? 20, 1), MAX_LIMIT);
}

/** `filters`: a JSON object of names and values; events must have equal values. */
function filtersOf(query: Query): ReadonlyMap<string, string> {
  const text = query.text('filters');
  if (text === undefined) return new Map();
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return new Map(Object.entries(value).map(([name, wanted]) => [name, String(wanted)]));
  } catch {
    // The error follows below, as for JSON of another type.
  }
  throw invalid('filters has to be a JSON object');
}

/** The same record without the signature's text. */
function legacyRecord(event: ContractEvent): { readonly [name: string]: Json } {
  const { event: _, ...record } = eventRecord(event) as { readonly [name: string]: Json };
  return record;
}

function matches(record: { readonly [name: string]: Json }, filters: ReadonlyMap<string, string>): boolean {
  const result = record.result as { readonly [name: string]: Json };
  return [...filters].every(([name, wanted]) => Object.hasOwn(result, name) && String(result[name]) === wanted);
}

/** Maximum number of events that are read for a page of filtered events. */
const MAX_FILTERED_EVENTS = 10_000;

async function contractAnswer(context: WalletContext, request: HistoryRequest): Promise<string> {
  const { query, params } = request;
  const contract = readAddress(params.address ?? '', 'contract address');
  const filters = filtersOf(query);
  const size = sizeOf(query);
  const cursor = cursorOf(request);
  const sort = query.text('sort') ?? '-block_timestamp';
  const descending = sort.startsWith('-');
  const since = query.number('from_timestamp') ?? query.number('since');
  const upTo = cursor?.upTo ?? context.ledger.headNumber;
  // TronWeb 5 requests `latest` every 3 s to watch a contract: it expects events of all blocks since the last request.
  const { block = '' } = params;
  const span = {
    ...windowOf(context.node, {
      // One bound with two meanings: the start of an ascending list, or of a descending one.
      ...(descending ? { maxTimestampMs: since } : { minTimestampMs: since }),
      confirmation: query.confirmation,
      block: block === '' || block === 'latest' ? undefined : wholeNumber('block number', block),
      upTo,
    }),
    descending,
  };
  const records: { readonly [name: string]: Json }[] = [];
  let after = cursor?.after;
  let more = false;
  for (let looked = 0; ; ) {
    const page: Page<ContractEvent> = await contractEvents(context, contract, params.event, {
      ...span,
      after,
      limit: MAX_LIMIT,
    });
    for (const event of page.items) {
      const record = legacyRecord(event);
      if (!matches(record, filters)) continue;
      more = records.length === size;
      if (more) break;
      records.push(record);
      const { block, transaction } = event.transaction.place;
      after = { block, transaction, entry: event.index };
    }
    looked += page.items.length;
    if (more || page.last === undefined) break;
    after = page.last;
    more = looked >= MAX_FILTERED_EVENTS;
    if (more) break;
  }
  const last = records.pop();
  if (last === undefined) return '[]';
  const cursorText = more && after !== undefined ? fingerprintOf(request, { upTo, after }) : undefined;
  return jsonText([...records, { ...last, ...(cursorText !== undefined && { _fingerprint: cursorText }) }]);
}

const CONTRACT = '/event/contract/:address';

export const eventServerEndpoints: readonly HistoryEndpoint[] = [
  {
    path: '/event/contract/latestSolidifiedBlockNum',
    about: 'number of the highest confirmed block',
    answer: ({ node }) => String(latestConfirmed(node)),
  },
  { path: CONTRACT, about: 'events of a contract', answer: contractAnswer },
  { path: `${CONTRACT}/:event`, about: 'events of a contract with a name', answer: contractAnswer },
  {
    path: `${CONTRACT}/:event/:block`,
    about: 'events of a contract with a name, in one block; `latest` sets no limit by block',
    answer: contractAnswer,
  },
  {
    path: '/event/transaction/:txid',
    about: 'events of a transaction',
    answer: async (context, { params }) =>
      jsonText((await transactionEvents(context, readTxId(params.txid ?? ''))).map(legacyRecord)),
  },
];
