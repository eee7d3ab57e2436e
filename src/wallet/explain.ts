/** What a transaction cost and why: Sunup's own operation, java-tron has nothing like it. */

import { decodeCharges } from '../ledger/charging/charges.js';
import { type Explanation, explainCharges } from '../ledger/charging/explain.js';
import type { Hex } from '../primitives/hex.js';
import type { TxId } from '../primitives/ids.js';
import type { WalletContext } from './context.js';

/** Undefined for a transaction that is neither in a block nor, on the head view, pending. */
export function explainTransaction({ ledger }: WalletContext, txId: Hex): Explanation | undefined {
  const stored = ledger.state.tables.transactions.get(txId as TxId);
  return stored && explainCharges(txId, decodeCharges(stored.charges));
}
