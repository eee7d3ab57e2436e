/** Numbers of a chain that the network does not have, stored as rows. */

import type { Ledger } from '../ledger.js';

/** TRX, and TRC-10 tokens by id, that operations created, minus those that they destroyed. */
export type OwnNumber = 'grantedSun' | `grantedTokens:${string}`;

export function ownNumber({ state }: Ledger, name: OwnNumber): bigint {
  return state.tables.ownNumbers.get(name) ?? 0n;
}

export function addToOwnNumber(ledger: Ledger, name: OwnNumber, delta: bigint): void {
  const value = ownNumber(ledger, name) + delta;
  if (value === 0n) ledger.state.tables.ownNumbers.delete(name);
  else ledger.state.tables.ownNumbers.set(name, value);
}
