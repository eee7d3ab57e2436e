/**
 * Lists of a fork, continued with those of its network: the fork's items are newer, and the network's own `/v1` answers
 * up to the forked block. A page can contain items of both sides; its cursor then belongs to the network's side.
 */

import type { WalletContext } from '../wallet/context.js';
import { forkedAtMs, markOf } from '../wallet/known-blocks.js';
import type { Json } from './json.js';
import type { Query } from './query.js';

/**
 * Cursors on the network's side: the number of items of a page that were already sent, and the cursor of that page. A
 * node's cursor is valid for one page size, so complete pages are requested.
 */
const NETWORK_CURSOR = /^~(\d{1,3})\.(.{0,500})$/;
/** Maximum number of the network's pages for one page here: its pages may have few items. */
export const MAX_NETWORK_PAGES = 10;
const NETWORK_START = '~0.';
/** For ascending lists, at the end of the network's side. */
const OWN_START = '~own';

/** The parts of a request that determine its answer. */
interface PagedRequest {
  readonly path: string;
  readonly query: Query;
  readonly markAnswer: (mark: string) => void;
}

export interface PageSource {
  readonly data: readonly Json[];
  /** The cursor of the next page on the same side; undefined: there is none. */
  readonly next: string | undefined;
}

interface NetworkPage {
  readonly data: readonly unknown[];
  readonly fingerprint: string | undefined;
}

export interface PageSources {
  readonly descending: boolean;
  readonly limit: number;
  readonly fingerprint: string | undefined;
  /** Only this block. */
  readonly block: number | undefined;
  /** @param fingerprint undefined: the first page */
  readonly own: (limit: number, fingerprint: string | undefined) => Promise<PageSource>;
}

/** @throws RemoteError if the network does not answer */
export async function mergedPage(
  context: WalletContext,
  request: PagedRequest,
  sides: PageSources,
): Promise<PageSource> {
  const { descending, limit, fingerprint, own } = sides;
  const isNetwork = fingerprint !== undefined && NETWORK_CURSOR.test(fingerprint);
  const network = (max: number, cursor: string) => networkPage(context, request, sides, max, cursor);
  // Descending: the fork, then the network. Ascending: the reverse.
  if (descending) {
    if (isNetwork) return network(limit, fingerprint);
    const first = await own(limit, fingerprint);
    if (first.next !== undefined) return first;
    return withNextCursor(first, limit, (max) => network(max, NETWORK_START), NETWORK_START);
  }
  if (fingerprint === OWN_START) return own(limit, undefined);
  if (fingerprint !== undefined && !isNetwork) return own(limit, fingerprint);
  const first = await network(limit, fingerprint ?? NETWORK_START);
  if (first.next !== undefined) return first;
  return withNextCursor(first, limit, (max) => own(max, undefined), OWN_START);
}

async function withNextCursor(
  first: PageSource,
  limit: number,
  rest: (max: number) => Promise<PageSource>,
  atItsBeginning: string,
): Promise<PageSource> {
  const room = limit - first.data.length;
  if (room > 0) {
    const { data, next } = await rest(room);
    return { data: [...first.data, ...data], next };
  }
  // The next page tells whether it has items, but a cursor for an empty page is avoided.
  const { data } = await rest(1);
  return { data: first.data, next: data.length === 0 ? undefined : atItsBeginning };
}

const EMPTY_PAGE: PageSource = { data: [], next: undefined };

async function networkPage(
  context: WalletContext,
  request: PagedRequest,
  { block, descending, limit }: PageSources,
  max: number,
  from: string,
): Promise<PageSource> {
  const { networkBlocks } = context.node.chain;
  const { query, path } = request;
  // Forked blocks count as confirmed.
  if (networkBlocks === undefined || query.confirmation === 'unconfirmed') return EMPTY_PAGE;
  if (block !== undefined && !networkBlocks.has(block)) return EMPTY_PAGE;
  const lastMs = forkedAtMs(context);
  const minMs = query.number('min_timestamp');
  const maxMs = Math.min(query.number('max_timestamp') ?? lastMs, lastMs);
  if (minMs !== undefined && minMs > maxMs) return EMPTY_PAGE;
  const ofEvents = path.endsWith('/events') ? 'block_timestamp' : 'timestamp';
  const parameters = new URLSearchParams(
    query.entries().filter(([name]) => !REPLACED.includes(name)) as [string, string][],
  );
  if (minMs !== undefined) parameters.set(`min_${ofEvents}`, String(minMs));
  parameters.set(`max_${ofEvents}`, String(maxMs));
  parameters.set('limit', String(limit));
  parameters.set('order_by', `block_timestamp,${descending ? 'desc' : 'asc'}`);

  const [, told, cursor] = NETWORK_CURSOR.exec(from) ?? [];
  let at = { skip: Number(told ?? 0), cursor: cursor ?? '' };
  const data: Json[] = [];
  for (let pages = 1; ; pages++) {
    if (at.cursor !== '') parameters.set('fingerprint', at.cursor);
    const page = await networkBlocks.history(`${path}?${parameters}`);
    if (page === undefined) return EMPTY_PAGE;
    request.markAnswer(markOf(networkBlocks));
    const taken = page.data.slice(at.skip, at.skip + max - data.length) as readonly Json[];
    data.push(...taken.map(confirmed));
    const skip = at.skip + taken.length;
    const isWhole = skip >= page.data.length;
    const after = afterPage(page);
    if (isWhole && after === undefined) return { data, next: undefined };
    at = isWhole ? { skip: 0, cursor: after ?? '' } : { skip, cursor: at.cursor };
    if (data.length >= max || pages === MAX_NETWORK_PAGES) return { data, next: `~${at.skip}.${at.cursor}` };
  }
}

/** The cursor of the page after a page of the network. An empty page is the last one, even if it has a cursor. */
export function afterPage({ data, fingerprint }: NetworkPage): string | undefined {
  return data.length === 0 ? undefined : fingerprint;
}

/** The network may roll back its newest blocks, but forked blocks are final. A transfer may contain its transaction. */
function confirmed(record: Json): Json {
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return record;
  const { detail } = record as { readonly detail?: Json };
  return { ...record, _unconfirmed: undefined, ...(detail !== undefined && { detail: confirmed(detail) }) };
}

const REPLACED = ['min_timestamp', 'max_timestamp', 'limit', 'order_by', 'only_confirmed'];
