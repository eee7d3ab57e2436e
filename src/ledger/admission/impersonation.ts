/**
 * Whose transactions count without a signature: a liberty of a devnet, which the network does not know. A row of the
 * state for each, so that whoever applies a block again accepts what was accepted then.
 */

import type { Address, TxId } from '../../primitives/ids.js';
import type { SignedTransaction } from '../../protocol/transaction.js';
import type { Ledger } from '../ledger.js';

/** Who has a row: an account; a transaction by itself; everybody. */
export type Unsigned = Address | TxId | typeof EVERYBODY;
export const EVERYBODY = 'everybody';

/** Whether nobody has to sign it: nor is it asked by which permission, or charged for several signatures. */
export function needsNoSignature({ state }: Ledger, transaction: SignedTransaction): boolean {
  const { impersonations } = state.tables;
  const { owner } = transaction;
  if (owner === undefined) return false;
  return impersonations.has(owner) || impersonations.has(EVERYBODY) || impersonations.has(transaction.txId);
}

export function impersonatesEverybody({ state }: Ledger): boolean {
  return state.tables.impersonations.has(EVERYBODY);
}

export function impersonatedAccounts({ state }: Ledger): readonly Address[] {
  return state.tables.impersonations.entries().flatMap(([key]) => (key.length === 42 ? [key as Address] : []));
}
