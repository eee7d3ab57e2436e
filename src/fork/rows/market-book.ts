/** The order book of a network with an open market: the orders of each side, in matching order. */

import type { MarketOrder } from '../../protocol/generated/tron.js';
import { badAnswer } from '../network/answers.js';
import type { RemoteWallet } from '../network/remote-wallet.js';
import { WALLET } from '../network/wallet-requests.js';

/** java-tron's limit of listed orders of a side. */
const MAX_ORDERS = 1000;

/**
 * Best price first, then oldest first; without links, which lists do not contain.
 *
 * @throws RemoteError also for a side longer than the limit of lists
 */
export async function openOrders(wallet: RemoteWallet): Promise<readonly MarketOrder[]> {
  const what = 'the order book';
  const { orderPair } = await wallet.ask(WALLET.marketPairs, undefined, what);
  const sides = await Promise.all(
    orderPair.map(async ({ sell_token_id, buy_token_id }) => {
      const { orders } = await wallet.ask(WALLET.marketSide, { sell_token_id, buy_token_id }, what);
      if (orders.length >= MAX_ORDERS)
        throw badAnswer(wallet.asked(WALLET.marketSide, what), `it lists at most ${MAX_ORDERS} orders of a pair`);
      return orders;
    }),
  );
  return sides.flat();
}
