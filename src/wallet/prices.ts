/** Price histories and what was burned (http-api.md 5.18). */

import type { EmptyMessage, NumberMessage, PricesResponseMessage } from '../protocol/messages/api.js';
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
