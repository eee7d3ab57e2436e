/**
 * Rebuilds the row of an account's market orders from the order book of the fork's start: open orders in their order
 * of placement, and the number of all orders. Nodes do not serve that number, but each order's id is a hash of its
 * number, so the number is above that of the newest open order.
 */

import { orderIdOf } from '../../ledger/trade/market.js';
import type { Hex } from '../../primitives/hex.js';
import type { Address } from '../../primitives/ids.js';
import { MarketAccountOrder, type MarketOrder } from '../../protocol/generated/tron.js';

/** Limit of tried numbers for an account, which takes 0.15 s: ids that a node invented have no number. */
const MAX_IDS_TRIED = 50_000;

export function marketAccountOf(owner: Address, orders: readonly MarketOrder[]): MarketAccountOrder {
  const { numbers, tried } = numbersOf(owner, orders);
  // Orders without a found number are newer than all others.
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
  /** An order without a number here has none below this. */
  readonly tried: bigint;
}

function numbersOf(owner: Address, orders: readonly MarketOrder[]): Numbers {
  const numbers = new Map<Hex, bigint>();
  const sought = new Set(orders.map(({ order_id }) => order_id));
  const pairs = new Map(orders.map((order) => [`${order.sell_token_id} ${order.buy_token_id}`, order]));
  let tried = 0n;
  for (let left = MAX_IDS_TRIED; sought.size > 0 && left >= pairs.size; left -= pairs.size) {
    for (const { sell_token_id, buy_token_id } of pairs.values()) {
      const id = orderIdOf(owner, sell_token_id, buy_token_id, tried);
      if (sought.delete(id)) numbers.set(id, tried);
    }
    tried++;
  }
  return { numbers, tried };
}
