/** Numbers of a chain that the network has no word for, kept as rows like all others. */

import type { Ledger } from '../ledger.js';

/** Coin, and TRC-10 tokens by their id, that operations made, less what they destroyed. */
export type OwnNumber = 'grantedSun' | `grantedTokens:${string}`;

export function ownNumber({ state }: Ledger, name: OwnNumber): bigint {
  return state.tables.ownNumbers.get(name) ?? 0n;
}

export function addToOwnNumber(ledger: Ledger, name: OwnNumber, delta: bigint): void {
  const value = ownNumber(ledger, name) + delta;
  if (value === 0n) ledger.state.tables.ownNumbers.delete(name);
  else ledger.state.tables.ownNumbers.set(name, value);
}
