/** The order book of a network on which the market is open: the orders of each side, in the order in which they are met. */

import { type MarketOrder, MarketOrderList, MarketOrderPairList } from '../protocol/generated/tron.js';
import { lies, messageOf, objectOf } from './answers.js';
import type { RemoteClient } from './remote-client.js';

/** java-tron lists no more orders of a side than this. */
const MOST_ORDERS = 1000;

/**
 * Best price first, and of a price the oldest first; without their links, which lists do not tell.
 *
 * @throws RemoteError also for a side that is longer than nodes list
 */
export async function openOrders(client: RemoteClient): Promise<readonly MarketOrder[]> {
  const ask = async (method: string, body: string) => {
    const asked = { url: `${client.url}/wallet/${method}`, what: 'the order book' };
    return { asked, json: objectOf(await client.wallet(method, body, asked.what), asked) };
  };
  const pairs = await ask('getmarketpairlist', '{}');
  const { orderPair } = messageOf(MarketOrderPairList, pairs.json, pairs.asked);
  const sides = await Promise.all(
    orderPair.map(async ({ sell_token_id, buy_token_id }) => {
      const { json, asked } = await ask('getmarketorderlistbypair', JSON.stringify({ sell_token_id, buy_token_id }));
      const { orders } = messageOf(MarketOrderList, json, asked);
      if (orders.length >= MOST_ORDERS) throw lies(asked, `it lists no more than ${MOST_ORDERS} orders of a pair`);
      return orders;
    }),
  );
  return sides.flat();
}
