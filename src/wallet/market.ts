/**
 * Queries about the order book (protocol/http.md#market-and-shielded, protocol/grpc.md). Mirrors the market
 * queries of java-tron's Wallet.
 */

import { JavaException } from '../errors/java-exception.js';
import { isTokenId } from '../ledger/accounts/assets.js';
import { existingOrder, ordersOf, pairOfKey, priceLevels } from '../ledger/trade/market.js';
import type { Address } from '../primitives/ids.js';
import type { BytesMessage, EmptyMessage } from '../protocol/generated/api.js';
import type {
  MarketOrder,
  MarketOrderList,
  MarketOrderPair,
  MarketOrderPairList,
  MarketPriceList,
} from '../protocol/generated/tron.js';
import type { WalletContext } from './context.js';
import { inScanOrder } from './store-order.js';

const MAX_PRICES = 1000;
const MAX_ORDERS = 1000;

/** Lists do not show the links between orders. */
function withoutLinks(order: MarketOrder): MarketOrder {
  return { ...order, prev: '', next: '' };
}

function checkPair({ sell_token_id, buy_token_id }: MarketOrderPair): void {
  const refuse = (message: string) => new JavaException('org.tron.core.exception.BadItemException', message);
  if (!isTokenId(sell_token_id)) throw refuse('sellTokenId is not a valid number');
  if (!isTokenId(buy_token_id)) throw refuse('buyTokenId is not a valid number');
}

/** The active orders of an account, oldest first. */
export function getMarketOrderByAccount({ ledger }: WalletContext, { value }: BytesMessage): MarketOrderList {
  const { orders } = ordersOf(ledger, value as Address);
  return { orders: orders.map((id) => withoutLinks(existingOrder(ledger, id))) };
}

/**
 * An order in any state, with its links while it is in the book.
 *
 * @returns undefined for the empty id
 * @throws JavaException IllegalStateException for an unknown id
 */
export function getMarketOrderById({ ledger }: WalletContext, { value }: BytesMessage): MarketOrder | undefined {
  if (value === '') return undefined;
  const order = ledger.state.tables.marketOrders.get(value);
  if (order === undefined) throw new JavaException('java.lang.IllegalStateException', 'order not found in store');
  return order;
}

/**
 * The prices of one side of the book in lowest terms, best first, at most 1000.
 *
 * @throws JavaException BadItemException for an invalid token id
 */
export function getMarketPriceByPair({ ledger }: WalletContext, pair: MarketOrderPair): MarketPriceList {
  checkPair(pair);
  const { sell_token_id, buy_token_id } = pair;
  const prices = priceLevels(ledger, sell_token_id, buy_token_id, MAX_PRICES).map(({ sellQuantity, buyQuantity }) => ({
    sell_token_quantity: sellQuantity,
    buy_token_quantity: buyQuantity,
  }));
  return { sell_token_id, buy_token_id, prices };
}

/**
 * The orders of one side of the book, best price first and oldest first within a price, at most 1000.
 *
 * @throws JavaException BadItemException for an invalid token id
 */
export function getMarketOrderListByPair({ ledger }: WalletContext, pair: MarketOrderPair): MarketOrderList {
  checkPair(pair);
  const orders: MarketOrder[] = [];
  for (const { head } of priceLevels(ledger, pair.sell_token_id, pair.buy_token_id, MAX_ORDERS)) {
    for (let id = head; id !== '' && orders.length < MAX_ORDERS; ) {
      const order = existingOrder(ledger, id);
      orders.push(withoutLinks(order));
      id = order.next;
    }
  }
  return { orders };
}

/** Every side of the book that has orders, in the order of a store scan. */
export function getMarketPairList(context: WalletContext, _request: EmptyMessage): MarketOrderPairList {
  const orderPair = inScanOrder(context, 'marketPairs').map(([key]) => {
    const { sold, wanted } = pairOfKey(key);
    return { sell_token_id: sold, buy_token_id: wanted };
  });
  return { orderPair };
}
