/**
 * The orders of an account as the row that the ledger keeps of them, from the order book with which the fork began: which
 * are open, in the order in which they were placed, and how many there ever were. Nodes do not tell the last. But each
 * order's id is a hash of how many its owner had placed before it, so there were more than that of the newest open one.
 */

import { orderIdOf } from '../../ledger/trade/market.js';
import type { Hex } from '../../primitives/hex.js';
import type { Address } from '../../primitives/ids.js';
import { MarketAccountOrder, type MarketOrder } from '../../protocol/generated/tron.js';

/** Of an account so many ids are tried, which takes 0.15 s: ids that a node made up are found by no number. */
const MOST_IDS_TRIED = 50_000;

export function marketAccountOf(owner: Address, orders: readonly MarketOrder[]): MarketAccountOrder {
  const { numbers, tried } = numbersOf(owner, orders);
  // Those whose number was not reached are newer than all that were.
  const numberOf = ({ order_id }: MarketOrder) => numbers.get(order_id) ?? tried;
  const placed = [...orders].sort((a, b) => {
    const [one, other] = [numberOf(a), numberOf(b)];
    return one === other ? Number(a.create_time - b.create_time) : one < other ? -1 : 1;
  });
  const newest = placed.at(-1);
  return MarketAccountOrder.create({
    owner_address: owner,
    orders: placed.map(({ order_id }) => order_id),
    count: BigInt(placed.length),
    total_count: newest === undefined ? 0n : numberOf(newest) + 1n,
  });
}

interface Numbers {
  readonly numbers: ReadonlyMap<Hex, bigint>;
  /** No order that has no number here has one below this. */
  readonly tried: bigint;
}

function numbersOf(owner: Address, orders: readonly MarketOrder[]): Numbers {
  const numbers = new Map<Hex, bigint>();
  const sought = new Set(orders.map(({ order_id }) => order_id));
  const pairs = new Map(orders.map((order) => [`${order.sell_token_id} ${order.buy_token_id}`, order]));
  let tried = 0n;
  for (let left = MOST_IDS_TRIED; sought.size > 0 && left >= pairs.size; left -= pairs.size) {
    for (const { sell_token_id, buy_token_id } of pairs.values()) {
      const id = orderIdOf(owner, sell_token_id, buy_token_id, tried);
      if (sought.delete(id)) numbers.set(id, tried);
    }
    tried++;
  }
  return { numbers, tried };
}
