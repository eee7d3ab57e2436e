/** Price histories and the burned amount (protocol/http-endpoints.md#rewards-prices-fees). */

import type { EmptyMessage, NumberMessage, PricesResponseMessage } from '../protocol/generated/api.js';
import type { WalletContext } from './context.js';

/** `time:price` pairs, the first from time 0, one more for each approved proposal. */
export function getEnergyPrices({ ledger }: WalletContext, _request: EmptyMessage): PricesResponseMessage {
  return { prices: ledger.text('ENERGY_PRICE_HISTORY') };
}

export function getBandwidthPrices({ ledger }: WalletContext, _request: EmptyMessage): PricesResponseMessage {
  return { prices: ledger.text('BANDWIDTH_PRICE_HISTORY') };
}

export function getMemoFee({ ledger }: WalletContext, _request: EmptyMessage): PricesResponseMessage {
  return { prices: ledger.text('MEMO_FEE_HISTORY') };
}

/** Sun burned since the genesis. */
export function getBurnTrx({ ledger }: WalletContext, _request: EmptyMessage): NumberMessage {
  return { num: ledger.long('BURN_TRX_AMOUNT') };
}

/** The present price of a unit of Energy, in sun. */
export function energyPrice({ ledger }: WalletContext): bigint {
  return ledger.long('ENERGY_FEE');
}

/**
 * The price of a unit of Energy in a block, in sun: the newest entry of the history before the block's time.
 *
 * @param timestampMs of the block
 */
export function energyPriceAt(context: WalletContext, timestampMs: bigint): bigint {
  const history = context.ledger.text('ENERGY_PRICE_HISTORY').split(',').reverse();
  for (const entry of history) {
    const [sinceMs, price] = entry.split(':');
    if (price !== undefined && timestampMs > BigInt(sinceMs as string)) return BigInt(price);
  }
  return energyPrice(context);
}
