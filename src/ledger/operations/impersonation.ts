import type { Address, TxId } from '../../primitives/ids.js';
import type { EVERYBODY, Unsigned } from '../accounts/impersonation.js';
import type { Ledger } from '../ledger.js';

/**
 * Accepts transactions of these accounts without a signature from now on. An account need not exist, and may be a
 * contract. `everybody` means all accounts.
 *
 * @example impersonate(ledger, { accounts: [address] })
 */
export function impersonate(
  ledger: Ledger,
  { accounts }: { readonly accounts: readonly (Address | typeof EVERYBODY)[] },
): void {
  for (const account of accounts) put(ledger, account);
}

/** @param pending accepted transactions that no block contains yet: they stay accepted */
export function stopImpersonating(
  ledger: Ledger,
  { account, pending }: { readonly account: Address | typeof EVERYBODY; readonly pending: readonly TxId[] },
): void {
  ledger.state.tables.impersonations.delete(account);
  for (const txId of pending) put(ledger, txId);
}

/** Accepts one transaction without a signature, whoever its owner is. */
export function acceptUnsigned(ledger: Ledger, { txId }: { readonly txId: TxId }): void {
  put(ledger, txId);
}

function put({ state }: Ledger, key: Unsigned): void {
  if (!state.tables.impersonations.has(key)) state.tables.impersonations.set(key, 'yes');
}
