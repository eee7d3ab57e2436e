/**
 * The order book: price levels, the queue of orders at each, and matching (protocol/trade.md#market-order-book). Owns
 * the rows and the arithmetic; the contract types own their checks and fees. Mirrors java-tron's MarketUtils,
 * MarketOrderIdListCapsule, MarketPairPriceToOrderStore and the execution of MarketSellAssetActuator. A side of the
 * book is a pair (sold token, wanted token). Its levels are rows of one resident, ordered table. Keys sort by pair and
 * then by price, so the best price is the first row of a prefix, and a change touches one row. Orders of one level are
 * linked lists in the orders themselves, as on the network, where clients can see the links.
 */

import { contractExeException } from '../../errors/refusals.js';
import type { Hex } from '../../primitives/hex.js';
import type { Address } from '../../primitives/ids.js';
import { floorDiv, subtractExact, wrapLong } from '../../primitives/java-math.js';
import {
  type Account,
  MarketAccountOrder,
  MarketOrder,
  MarketOrder_State,
  type MarketOrderDetail,
} from '../../protocol/generated/tron.js';
import { keccak256OfHex } from '../../protocol/hashes.js';
import type { PriceLevel } from '../../state/tables.js';
import { credit, type TokenKey } from '../accounts/assets.js';
import { existingAccount, putAccount } from '../accounts/coin.js';
import type { Ledger } from '../ledger.js';

export const MAX_ACTIVE_ORDERS = 100n;
const MAX_MATCHES = 20;
const TOKEN_ID_HEX = 38;
/** Reduced fractions of quantities up to 10^15 differ by more than 2^-100, so this many bits distinguish them. */
const PRICE_FRACTION_BITS = 100n;
const PRICE_HEX = 38;

/** Key of one side of the book: both token ids, padded on the right with zeros to 19 bytes each. */
export function pairKey(sold: TokenKey, wanted: TokenKey): string {
  return sold.padEnd(TOKEN_ID_HEX, '0') + wanted.padEnd(TOKEN_ID_HEX, '0');
}

/** The token ids of a pair's key. */
export function pairOfKey(key: string): { readonly sold: TokenKey; readonly wanted: TokenKey } {
  const id = (padded: string) => padded.replace(/(?:00)+$/, '');
  return { sold: id(key.slice(0, TOKEN_ID_HEX)), wanted: id(key.slice(TOKEN_ID_HEX)) };
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}

/** Key of a price level. Ascending keys are ascending prices: the wanted amount for one sold unit. */
function levelKey({ sell_token_id, buy_token_id, sell_token_quantity, buy_token_quantity }: MarketOrder): string {
  const price = (buy_token_quantity << PRICE_FRACTION_BITS) / sell_token_quantity;
  return pairKey(sell_token_id, buy_token_id) + price.toString(16).padStart(PRICE_HEX, '0');
}

/** keccak256 of owner, both padded ids and the order's number, the count of the owner's earlier orders. */
export function orderIdOf(owner: Address, sold: TokenKey, wanted: TokenKey, ordersBefore: bigint): Hex {
  const count = ordersBefore.toString(16).padStart(16, '0');
  return keccak256OfHex(owner + pairKey(sold, wanted) + count);
}

/** Numbers are longs. */
const MAX_DOUBLINGS = 62;

/**
 * The number of an account's next order, from its counter. On a fork the counter may be too low, because nodes do not
 * serve it. Then this is the first number above those with existing ids, found by bisection, because each unread id
 * takes a request to the network.
 */
function nextOrderNumber(ledger: Ledger, owner: Address, sold: TokenKey, wanted: TokenKey): bigint {
  const isTaken = (number: bigint) => ledger.state.tables.marketOrders.has(orderIdOf(owner, sold, wanted, number));
  const counted = ordersOf(ledger, owner).total_count;
  if (!isTaken(counted)) return counted;
  let taken = counted;
  let step = 1n;
  for (let doublings = 0; isTaken(taken + step); doublings++) {
    if (doublings > MAX_DOUBLINGS) throw new Error(`the network has an order with every id of ${owner} that was tried`);
    taken += step;
    step *= 2n;
  }
  let free = taken + step;
  while (free - taken > 1n) {
    const middle = (taken + free) / 2n;
    if (isTaken(middle)) taken = middle;
    else free = middle;
  }
  return free;
}

/** The active orders of an account and its counters. */
export function ordersOf(ledger: Ledger, owner: Address): MarketAccountOrder {
  return ledger.state.tables.marketAccounts.get(owner) ?? MarketAccountOrder.create({ owner_address: owner });
}

/** The price levels of a side, best price first. */
export function priceLevels(ledger: Ledger, sold: TokenKey, wanted: TokenKey, limit?: number): readonly PriceLevel[] {
  return ledger.state.tables.marketPrices.range(pairKey(sold, wanted), limit).map(([, level]) => level);
}

export function existingOrder(ledger: Ledger, id: Hex): MarketOrder {
  const order = ledger.state.tables.marketOrders.get(id);
  if (order === undefined) throw new Error(`the book names order ${id}, which has no record`);
  return order;
}

/** Creates an order and counts it; it is not in the book yet. */
export function openOrder(
  ledger: Ledger,
  order: Pick<
    MarketOrder,
    'owner_address' | 'sell_token_id' | 'sell_token_quantity' | 'buy_token_id' | 'buy_token_quantity'
  >,
): MarketOrder {
  const owner = order.owner_address;
  const account = ordersOf(ledger, owner);
  const number = nextOrderNumber(ledger, owner, order.sell_token_id, order.buy_token_id);
  const id = orderIdOf(owner, order.sell_token_id, order.buy_token_id, number);
  ledger.state.tables.marketAccounts.set(owner, {
    ...account,
    orders: [...account.orders, id],
    count: account.count + 1n,
    total_count: number + 1n,
  });
  return MarketOrder.create({
    order_id: id,
    owner_address: owner,
    create_time: ledger.headTimeMs,
    sell_token_id: order.sell_token_id,
    sell_token_quantity: order.sell_token_quantity,
    buy_token_id: order.buy_token_id,
    buy_token_quantity: order.buy_token_quantity,
    sell_token_quantity_remain: order.sell_token_quantity,
    state: MarketOrder_State.ACTIVE,
  });
}

/** Sets an order's end state; its account removes it from its list. The record stays. */
function ended(ledger: Ledger, order: MarketOrder, state: MarketOrder_State): MarketOrder {
  const owner = order.owner_address;
  const account = ordersOf(ledger, owner);
  ledger.state.tables.marketAccounts.set(owner, {
    ...account,
    orders: account.orders.filter((id) => id !== order.order_id),
    count: account.count - 1n,
  });
  return { ...order, state };
}

function addToPairCount(ledger: Ledger, pair: string, change: bigint): void {
  const { marketPairs } = ledger.state.tables;
  const levels = (marketPairs.get(pair) ?? 0n) + change;
  if (levels === 0n) marketPairs.delete(pair);
  else marketPairs.set(pair, levels);
}

/** Appends the rest of an order to its price level. */
export function enqueue(ledger: Ledger, order: MarketOrder): void {
  const { marketOrders, marketPrices } = ledger.state.tables;
  const key = levelKey(order);
  const level = marketPrices.get(key);
  if (level === undefined) {
    const divisor = greatestCommonDivisor(order.sell_token_quantity, order.buy_token_quantity);
    marketPrices.set(key, {
      sellQuantity: order.sell_token_quantity / divisor,
      buyQuantity: order.buy_token_quantity / divisor,
      head: order.order_id,
      tail: order.order_id,
    });
    addToPairCount(ledger, pairKey(order.sell_token_id, order.buy_token_id), 1n);
    marketOrders.set(order.order_id, order);
    return;
  }
  marketOrders.set(level.tail, { ...existingOrder(ledger, level.tail), next: order.order_id });
  marketOrders.set(order.order_id, { ...order, prev: level.tail });
  marketPrices.set(key, { ...level, tail: order.order_id });
}

/** Removes an order from its price level and stores it without links; an empty level is deleted. */
function dequeue(ledger: Ledger, order: MarketOrder): void {
  const { marketOrders, marketPrices } = ledger.state.tables;
  const { prev, next } = order;
  if (prev !== '') marketOrders.set(prev, { ...existingOrder(ledger, prev), next });
  if (next !== '') marketOrders.set(next, { ...existingOrder(ledger, next), prev });
  marketOrders.set(order.order_id, { ...order, prev: '', next: '' });

  const key = levelKey(order);
  if (prev === '' && next === '') {
    marketPrices.delete(key);
    addToPairCount(ledger, pairKey(order.sell_token_id, order.buy_token_id), -1n);
    return;
  }
  const level = marketPrices.get(key);
  if (level === undefined) throw new Error(`order ${order.order_id} is linked but its price level is gone`);
  if (prev === '') marketPrices.set(key, { ...level, head: next });
  else if (next === '') marketPrices.set(key, { ...level, tail: prev });
}

/** Cancels an active order: the rest returns to its owner. */
export function cancelOrder(ledger: Ledger, order: MarketOrder): void {
  const account = existingAccount(ledger, order.owner_address);
  putAccount(ledger, credit(ledger, account, order.sell_token_id, order.sell_token_quantity_remain));
  dequeue(ledger, ended(ledger, { ...order, sell_token_quantity_remain: 0n }, MarketOrder_State.CANCELED));
}

/** A taker during matching: its order and its account are written once, at the end. */
interface Taker {
  readonly order: MarketOrder;
  readonly account: Account;
}

interface Match extends Taker {
  /** Absent if the rest of one of the two was too small and was returned. */
  readonly detail: MarketOrderDetail | undefined;
}

function takesAtLeast({ order }: Taker, { sellQuantity, buyQuantity }: PriceLevel): boolean {
  return order.sell_token_quantity * sellQuantity >= order.buy_token_quantity * buyQuantity;
}

/**
 * Matches a new order against the other side, best price first, and books the rest. The taker's account is read first
 * and written last: a taker that matches its own order loses what that order receives
 * (protocol/trade.md#market-order-book).
 *
 * @returns one detail for each match
 * @throws ContractExeException after more than 20 matches
 */
export function placeOrder(ledger: Ledger, order: MarketOrder, account: Account): readonly MarketOrderDetail[] {
  const details: MarketOrderDetail[] = [];
  let taker: Taker = { order, account };
  let matches = 0;
  while (taker.order.sell_token_quantity_remain !== 0n) {
    const [best] = priceLevels(ledger, order.buy_token_id, order.sell_token_id, 1);
    if (best === undefined || !takesAtLeast(taker, best)) break;
    const match = matchOne(ledger, taker, existingOrder(ledger, best.head));
    if (match.detail !== undefined) details.push(match.detail);
    taker = match;
    if (++matches > MAX_MATCHES) throw contractExeException(`Too many matches. MAX_MATCH_NUM = ${MAX_MATCHES}`);
  }
  if (taker.order.sell_token_quantity_remain !== 0n) enqueue(ledger, taker.order);
  else ledger.state.tables.marketOrders.set(order.order_id, taker.order);
  putAccount(ledger, taker.account);
  return details;
}

/**
 * `a * b / c` rounded down, of which java-tron keeps the low 64 bits: orders with very different prices create amounts
 * out of nothing, also negative ones. Beyond a long the division truncates (MarketUtils.multiplyAndDivide).
 */
function multiplyAndDivide(a: bigint, b: bigint, c: bigint): bigint {
  const product = a * b;
  return wrapLong(product) === product ? floorDiv(product, c) : wrapLong(product / c);
}

/**
 * One match at the maker's price; which order ends and which keeps a rest as in protocol/trade.md#market-order-book.
 */
function matchOne(ledger: Ledger, taker: Taker, maker: MarketOrder): Match {
  const { sell_token_quantity: sells, buy_token_quantity: wants, sell_token_quantity_remain: left } = maker;
  const offered = taker.order.sell_token_quantity_remain;
  const bought = multiplyAndDivide(offered, sells, wants);
  if (bought === 0n) {
    return {
      order: ended(ledger, returned(taker.order), MarketOrder_State.INACTIVE),
      account: credit(ledger, taker.account, taker.order.sell_token_id, offered),
      detail: undefined,
    };
  }

  const makerIsUsedUp = bought >= left;
  const takerGets = makerIsUsedUp ? left : bought;
  const makerGets = makerIsUsedUp ? multiplyAndDivide(left, wants, sells) : offered;
  const makerAccount = existingAccount(ledger, maker.owner_address);
  if (bought > left && makerGets === 0n) {
    // The rest of the maker is worth less than one unit: it is returned, and the taker gets nothing.
    dequeue(ledger, ended(ledger, returned(maker), MarketOrder_State.INACTIVE));
    putAccount(ledger, credit(ledger, makerAccount, maker.sell_token_id, left));
    return { ...taker, detail: undefined };
  }

  // java-tron checks this difference if the maker had less than the taker could buy, not if both come out even.
  const takerLeft = bought > left ? subtractExact(offered, makerGets) : wrapLong(offered - makerGets);
  let order: MarketOrder = { ...taker.order, sell_token_quantity_remain: takerLeft };
  if (takerLeft === 0n) order = ended(ledger, order, MarketOrder_State.INACTIVE);
  if (makerIsUsedUp) {
    dequeue(ledger, ended(ledger, { ...maker, sell_token_quantity_remain: 0n }, MarketOrder_State.INACTIVE));
  } else {
    const makerLeft = subtractExact(left, bought);
    ledger.state.tables.marketOrders.set(maker.order_id, { ...maker, sell_token_quantity_remain: makerLeft });
  }
  putAccount(ledger, credit(ledger, makerAccount, maker.buy_token_id, makerGets));
  return {
    order,
    account: credit(ledger, taker.account, taker.order.buy_token_id, takerGets),
    detail: {
      makerOrderId: maker.order_id,
      takerOrderId: order.order_id,
      fillSellQuantity: makerGets,
      fillBuyQuantity: takerGets,
    },
  };
}

/** Closes an order whose rest is too small to be matched, and returns the rest. */
function returned(order: MarketOrder): MarketOrder {
  const rest = order.sell_token_quantity_remain;
  return { ...order, sell_token_quantity_remain: 0n, sell_token_quantity_return: rest };
}
