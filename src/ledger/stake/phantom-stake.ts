/**
 * Stake that counts in the network's totals and that no account has: what everybody else on a busy network has staked.
 * A total is the sum of the stakes and its phantom; stakes move the totals by differences, so the phantom stays beneath
 * them whatever is staked, lent or taken back. java-tron has no such thing: on a chain without one, nothing differs.
 */

import { WEIGHT_PROPERTIES, type WeightProperty } from '../../parameters/network-loads.js';
import type { Ledger } from '../ledger.js';

/** Whole coins in a total that no account has staked. */
export function phantomStake(ledger: Ledger, total: WeightProperty): bigint {
  return ledger.state.tables.phantomStakes.get(total) ?? 0n;
}

/** What the totals of an empty state are above the stakes in it, which are none, is phantom. */
export function notePhantomStakes(ledger: Ledger): void {
  for (const name of WEIGHT_PROPERTIES) {
    const weight = ledger.long(name);
    if (weight !== 0n) ledger.state.tables.phantomStakes.set(name, weight);
  }
}
