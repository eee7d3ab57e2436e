/**
 * Lists of a fork, joined to those of its network: what the fork has done is newer, and what came before is what the
 * network's own `/v1` answers up to the block that was forked. A page goes over from the one to the other where it has
 * to; its cursor then is of the network's side.
 */

import type { WalletContext } from '../wallet/context.js';
import { forkedAtMs, markOf } from '../wallet/known-blocks.js';
import type { Json } from './json.js';
import type { Query } from './query.js';

/**
 * Cursors on the network's side: how many items of one of its pages were told already, and that page's own cursor. A
 * node's cursor is good for one size of pages, so its pages are always asked for whole.
 */
const NETWORK_CURSOR = /^~(\d{1,3})\.(.{0,500})$/;
/** Of the network's that are asked for one page here: its pages may have little in them. */
export const MOST_PAGES = 10;
const NETWORK_BEGINNING = '~0.';
/** Oldest first, where the network's side has ended. */
const OWN_BEGINNING = '~own';

/** Of a request, what decides its answer. */
interface Asked {
  readonly path: string;
  readonly query: Query;
  readonly passedOn: (mark: string) => void;
}

export interface Side {
  readonly data: readonly Json[];
  /** The cursor of the page after it on the same side; undefined: there is none. */
  readonly next: string | undefined;
}

interface NetworkPage {
  readonly data: readonly unknown[];
  readonly fingerprint: string | undefined;
}

export interface Sides {
  readonly descending: boolean;
  readonly limit: number;
  readonly fingerprint: string | undefined;
  /** Only this block. */
  readonly block: number | undefined;
  /** @param fingerprint undefined: from the beginning */
  readonly own: (limit: number, fingerprint: string | undefined) => Promise<Side>;
}

/** @throws RemoteError where the network does not answer */
export async function joinedPage(context: WalletContext, request: Asked, sides: Sides): Promise<Side> {
  const { descending, limit, fingerprint, own } = sides;
  const isNetwork = fingerprint !== undefined && NETWORK_CURSOR.test(fingerprint);
  const network = (most: number, cursor: string) => networkPage(context, request, sides, most, cursor);
  // Newest first: the fork, then the network. Oldest first: the other way round.
  if (descending) {
    if (isNetwork) return network(limit, fingerprint);
    const first = await own(limit, fingerprint);
    if (first.next !== undefined) return first;
    return behind(first, limit, (most) => network(most, NETWORK_BEGINNING), NETWORK_BEGINNING);
  }
  if (fingerprint === OWN_BEGINNING) return own(limit, undefined);
  if (fingerprint !== undefined && !isNetwork) return own(limit, fingerprint);
  const first = await network(limit, fingerprint ?? NETWORK_BEGINNING);
  if (first.next !== undefined) return first;
  return behind(first, limit, (most) => own(most, undefined), OWN_BEGINNING);
}

async function behind(
  first: Side,
  limit: number,
  rest: (most: number) => Promise<Side>,
  atItsBeginning: string,
): Promise<Side> {
  const room = limit - first.data.length;
  if (room > 0) {
    const { data, next } = await rest(room);
    return { data: [...first.data, ...data], next };
  }
  // Whether there is anything is the next page's to say, but one that is empty is better not offered.
  const { data } = await rest(1);
  return { data: first.data, next: data.length === 0 ? undefined : atItsBeginning };
}

const NOTHING: Side = { data: [], next: undefined };

async function networkPage(
  context: WalletContext,
  request: Asked,
  { block, descending, limit }: Sides,
  most: number,
  from: string,
): Promise<Side> {
  const { networkBlocks } = context.node.chain;
  const { query, path } = request;
  // What was forked counts as confirmed.
  if (networkBlocks === undefined || query.confirmation === 'unconfirmed') return NOTHING;
  if (block !== undefined && !networkBlocks.has(block)) return NOTHING;
  const lastMs = forkedAtMs(context);
  const minMs = query.number('min_timestamp');
  const maxMs = Math.min(query.number('max_timestamp') ?? lastMs, lastMs);
  if (minMs !== undefined && minMs > maxMs) return NOTHING;
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
    if (page === undefined) return NOTHING;
    request.passedOn(markOf(networkBlocks));
    const taken = page.data.slice(at.skip, at.skip + most - data.length) as readonly Json[];
    data.push(...taken.map(confirmed));
    const skip = at.skip + taken.length;
    const isWhole = skip >= page.data.length;
    const after = afterPage(page);
    if (isWhole && after === undefined) return { data, next: undefined };
    at = isWhole ? { skip: 0, cursor: after ?? '' } : { skip, cursor: at.cursor };
    if (data.length >= most || pages === MOST_PAGES) return { data, next: `~${at.skip}.${at.cursor}` };
  }
}

/** The cursor of the page behind one of the network's. A page of nothing is the last one, whatever it says. */
export function afterPage({ data, fingerprint }: NetworkPage): string | undefined {
  return data.length === 0 ? undefined : fingerprint;
}

/** The network's newest blocks can still be taken back there; what was forked cannot. A transfer may have its transaction. */
function confirmed(record: Json): Json {
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return record;
  const { detail } = record as { readonly detail?: Json };
  return { ...record, _unconfirmed: undefined, ...(detail !== undefined && { detail: confirmed(detail) }) };
}

const REPLACED = ['min_timestamp', 'max_timestamp', 'limit', 'order_by', 'only_confirmed'];
