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
export function needsNoSignature(ledger: Ledger, { owner, txId }: SignedTransaction): boolean {
  if (owner === undefined) return false;
  return impersonates(ledger, owner) || ledger.state.tables.impersonations.has(txId);
}

/** A transaction that counted by itself is on the chain: nobody asks again. */
export function usedUp({ state: { tables } }: Ledger, txId: TxId): void {
  if (tables.impersonations.has(txId)) tables.impersonations.delete(txId);
}

/** Whether transactions of this account need no signature. */
export function impersonates({ state: { tables } }: Ledger, account: Address): boolean {
  return tables.impersonations.has(account) || tables.impersonations.has(EVERYBODY);
}

export function impersonatesEverybody({ state }: Ledger): boolean {
  return state.tables.impersonations.has(EVERYBODY);
}

export function impersonatedAccounts({ state }: Ledger): readonly Address[] {
  return state.tables.impersonations.entries().flatMap(([key]) => (key.length === 42 ? [key as Address] : []));
}
