/**
 * Holders of a token on a fork: the accounts in its own transfers, with their present balances, merged with the
 * network's list, both sorted by balance.
 */

import type { Address } from '../primitives/ids.js';
import type { WalletContext } from '../wallet/context.js';
import type { Holder } from '../wallet/history/token-holders.js';
import { markOf } from '../wallet/known-blocks.js';
import { amountsIn } from './network-balances.js';
import { afterPage, MAX_NETWORK_PAGES, type PageSource } from './network-pages.js';
import type { HistoryRequest } from './table.js';

/** Number of the fork's holders sent so far, of items of the network's page, and the cursor of that page. */
const CURSOR = /^~(\d{1,6})\.(\d{1,3})\.(.{0,500})$/;
const NETWORK_PAGE = 200;

export interface MergedHolders {
  readonly path: string;
  readonly descending: boolean;
  readonly limit: number;
  readonly fingerprint: string | undefined;
  /** Holders of the fork, in the requested order. */
  readonly own: readonly Holder[];
  /** All accounts in its transfers, also those without a balance: the network's values for them are outdated. */
  readonly named: ReadonlySet<Address>;
  readonly print: (holder: Holder) => PageSource['data'][number];
}

/**
 * @returns undefined without a network, or without such an interface
 * @throws RemoteError
 */
export async function mergedHolders(
  { node }: WalletContext,
  { markAnswer }: HistoryRequest,
  { path, descending, limit, fingerprint, own, named, print }: MergedHolders,
): Promise<PageSource | undefined> {
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
  markAnswer(markOf(networkBlocks));

  const data: Holder[] = [];
  let pages = 1;
  while (data.length < limit) {
    const after = afterPage(page);
    if (at >= page.data.length && after !== undefined) {
      if (pages++ === MAX_NETWORK_PAGES) break;
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
