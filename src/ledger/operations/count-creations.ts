import { COUNTS_CREATIONS } from '../accounts/ethereum.js';
import type { Ledger } from '../ledger.js';

/**
 * From here on contracts count what they create, as in Ethereum: CREATE gives the address that follows from the creator
 * and its nonce. Off: TRON's, which follows from the transaction.
 *
 * @example countCreations(ledger, { on: true })
 */
export function countCreations({ state: { tables } }: Ledger, { on }: { readonly on: boolean }): void {
  if (on) tables.ownNumbers.set(COUNTS_CREATIONS, 1n);
  else if (tables.ownNumbers.has(COUNTS_CREATIONS)) tables.ownNumbers.delete(COUNTS_CREATIONS);
}
