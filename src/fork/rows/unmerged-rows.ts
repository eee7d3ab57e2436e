/**
 * Finds the rows that a node had not merged into its store, from the order of its lists: such rows come first, the
 * others by key (`wallet/store-order.ts`). A fork keeps that order as long as its network would.
 */

import { pairKey } from '../../ledger/trade/market.js';
import { utf8ToHex } from '../../primitives/hex.js';
import type { AssetIssueList, ExchangeList, ProposalList, WitnessList } from '../../protocol/generated/api.js';
import type { MarketOrder } from '../../protocol/generated/tron.js';
import { numberKey } from '../../state/tables.js';
import type { TableName } from '../terms/fork-start.js';

export interface AnsweredLists {
  readonly assets: AssetIssueList['assetIssue'];
  readonly witnesses: WitnessList['witnesses'];
  readonly proposals: ProposalList['proposals'];
  readonly exchanges: ExchangeList['exchanges'];
  /** Side by side, in the order of the list of pairs. */
  readonly orders: readonly MarketOrder[];
}

/** Keys of rows in list order. @param haveIds tokens have ids */
export function unmergedRows(lists: AnsweredLists, haveIds: boolean): readonly (readonly [TableName, string[]])[] {
  const { assets, witnesses, proposals, exchanges, orders } = lists;
  const ofAssets = assets.map(({ id, name }) => (haveIds ? utf8ToHex(id) : name));
  const pairs = new Set(orders.map(({ sell_token_id, buy_token_id }) => pairKey(sell_token_id, buy_token_id)));
  const found = [
    [haveIds ? 'assets' : 'assetsByName', beforeThoseInOrder(ofAssets)],
    ['witnesses', beforeThoseInOrder(witnesses.map(({ address }) => address))],
    ['proposals', newestFirst(proposals.map((one) => [one.create_time, numberKey(one.proposal_id)]))],
    [
      haveIds ? 'exchanges' : 'exchangesByName',
      newestFirst(exchanges.map((one) => [one.create_time, numberKey(one.exchange_id)])),
    ],
    ['marketPairs', beforeThoseInOrder([...pairs])],
  ] as const;
  return found.filter(([, keys]) => keys.length > 0);
}

function beforeThoseInOrder(keys: readonly string[]): string[] {
  let from = keys.length;
  while (from > 0 && (from === keys.length || (keys[from - 1] as string) < (keys[from] as string))) from--;
  return keys.slice(0, from);
}

/** In a list sorted by time, the scan order is visible among equal times. */
function newestFirst(listed: readonly (readonly [timeMs: bigint, key: string])[]): string[] {
  const groups = new Map<bigint, string[]>();
  for (const [timeMs, key] of listed) groups.set(timeMs, [...(groups.get(timeMs) ?? []), key]);
  return [...groups.values()].flatMap(beforeThoseInOrder);
}
