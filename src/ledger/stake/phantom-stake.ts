/**
 * Stake that counts in the network's totals and that no account has: what everybody else on a busy network has staked.
 * A total is the sum of the stakes and its phantom; stakes move the totals by differences, so the phantom stays beneath
 * them whatever is staked, lent or taken back. java-tron has no such thing: on a chain without one, nothing differs.
 */

import { OperationError } from '../../errors/operation-error.js';
import { WEIGHT_PROPERTIES, type WeightProperty } from '../../parameters/network-stakes.js';
import type { Ledger } from '../ledger.js';

/** As much as a committee may set of anything. */
const MAX_WEIGHT = 100_000_000_000_000_000n;

/** Whole coins in a total that no account has staked. */
export function phantomStake(ledger: Ledger, total: WeightProperty): bigint {
  return ledger.state.tables.phantomStakes.get(total) ?? 0n;
}

/** What the totals of an empty state are above the stakes in it, which are none, is phantom. */
export function notePhantomStakes(ledger: Ledger): void {
  for (const name of WEIGHT_PROPERTIES) {
    const weight = ledger.long(name);
    if (weight !== 0n) setPhantom(ledger, name, weight);
  }
}

/**
 * Makes a total come to `coins` whole coins, by more or less phantom beneath the stakes.
 *
 * @throws OperationError for less than accounts have staked, and for more than any total can be
 */
export function setTotalStake(ledger: Ledger, total: WeightProperty, coins: bigint): void {
  const staked = ledger.long(total) - phantomStake(ledger, total);
  if (coins < staked || coins < 0n)
    throw new OperationError(`${total} must be at least ${staked}, which accounts have staked, got ${coins}`);
  if (coins > MAX_WEIGHT) throw new OperationError(`${total} must be at most ${MAX_WEIGHT}, got ${coins}`);
  ledger.setLong(total, coins);
  setPhantom(ledger, total, coins - staked);
}

function setPhantom(ledger: Ledger, total: WeightProperty, coins: bigint): void {
  const { phantomStakes } = ledger.state.tables;
  if (coins === 0n) phantomStakes.delete(total);
  else phantomStakes.set(total, coins);
}
