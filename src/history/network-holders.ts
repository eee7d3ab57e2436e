/**
 * Who holds a token on a fork: those whom its own transfers name, with what they have there, among those whom the network
 * lists, both in the order of what they hold.
 */

import type { Address } from '../primitives/ids.js';
import type { WalletContext } from '../wallet/context.js';
import type { Holder } from '../wallet/history/token-holders.js';
import { markOf } from '../wallet/known-blocks.js';
import { amountsIn } from './network-balances.js';
import { afterPage, MOST_PAGES, type Side } from './network-pages.js';
import type { HistoryRequest } from './table.js';

/** How many of the fork's were told, how many items of one of the network's pages, and that page's own cursor. */
const CURSOR = /^~(\d{1,6})\.(\d{1,3})\.(.{0,500})$/;
const NETWORK_PAGE = 200;

export interface Joined {
  readonly path: string;
  readonly descending: boolean;
  readonly limit: number;
  readonly fingerprint: string | undefined;
  /** Of the fork, in the order that is wanted. */
  readonly own: readonly Holder[];
  /** Whom its transfers name, who may have nothing left: what the network says of them is no more. */
  readonly named: ReadonlySet<Address>;
  readonly print: (holder: Holder) => Side['data'][number];
}

/** @returns undefined where there is no network, or it has no such interface @throws RemoteError */
export async function joinedHolders(
  { node }: WalletContext,
  { passedOn }: HistoryRequest,
  { path, descending, limit, fingerprint, own, named, print }: Joined,
): Promise<Side | undefined> {
  const { networkBlocks } = node.chain;
  if (networkBlocks === undefined) return undefined;
  const [, toldOfOwn = '0', skip = '0', from = ''] = CURSOR.exec(fingerprint ?? '') ?? [];
  let [ownAt, at, cursor] = [Number(toldOfOwn), Number(skip), from];
  const pageAt = async (fingerprintOfPage: string) => {
    const query = new URLSearchParams({
      limit: String(NETWORK_PAGE),
      order_by: `balance,${descending ? 'desc' : 'asc'}`,
    });
    if (fingerprintOfPage !== '') query.set('fingerprint', fingerprintOfPage);
    return networkBlocks.history(`${path}?${query}`);
  };
  let page = await pageAt(cursor);
  if (page === undefined) return undefined;
  passedOn(markOf(networkBlocks));

  const data: Holder[] = [];
  let pages = 1;
  while (data.length < limit) {
    const after = afterPage(page);
    if (at >= page.data.length && after !== undefined) {
      if (pages++ === MOST_PAGES) break;
      [at, cursor] = [0, after];
      page = (await pageAt(cursor)) ?? { data: [], fingerprint: undefined };
    }
    const theirs = at < page.data.length ? holderOf(page.data[at]) : undefined;
    if (at < page.data.length && (theirs === undefined || named.has(theirs.address))) {
      at++;
      continue;
    }
    const ours = own[ownAt];
    if (ours === undefined && theirs === undefined) break;
    const isOurs = theirs === undefined || (ours !== undefined && ours.balance > theirs.balance === descending);
    data.push((isOurs ? ours : theirs) as Holder);
    if (isOurs) ownAt++;
    else at++;
  }
  const hasMore = ownAt < own.length || at < page.data.length || afterPage(page) !== undefined;
  return { data: data.map(print), next: hasMore ? `~${ownAt}.${at}.${cursor}` : undefined };
}

function holderOf(item: unknown): Holder | undefined {
  const [first] = amountsIn(item);
  return first && { address: first[0], balance: first[1] };
}
