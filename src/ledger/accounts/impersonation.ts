/**
 * Accounts whose transactions need no signature: an option of a devnet, unknown to the network. Each has a row of the
 * state, so that a replay accepts the same transactions.
 */

import type { Address, TxId } from '../../primitives/ids.js';
import type { SignedTransaction } from '../../protocol/transaction.js';
import type { Ledger } from '../ledger.js';

/** Keys of rows: an account, a single transaction, or everybody. */
export type Unsigned = Address | TxId | typeof EVERYBODY;
export const EVERYBODY = 'everybody';

/**
 * Whether a transaction needs no signature; then its permission is not checked. Signatures that it has are paid for as on
 * the network, valid or not.
 */
export function needsNoSignature(ledger: Ledger, { owner, txId }: SignedTransaction): boolean {
  if (owner === undefined) return false;
  return impersonates(ledger, owner) || ledger.state.tables.impersonations.has(txId);
}

/** The exemption of a single transaction ends when the chain contains it. */
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
