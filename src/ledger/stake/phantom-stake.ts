/**
 * Stake in the network's totals that belongs to no account: the stake of all others on a busy network. A total is the
 * sum of the stakes and its phantom. Stakes change totals by differences, so the phantom does not change. java-tron
 * has no phantom; a chain without one behaves identically.
 */

import { OperationError } from '../../errors/operation-error.js';
import { WEIGHT_PROPERTIES, type WeightProperty } from '../../parameters/network-stakes.js';
import type { Ledger } from '../ledger.js';

/** The maximum that a committee may set for any value. */
const MAX_WEIGHT = 100_000_000_000_000_000n;

/** Whole TRX in a total that belong to no account. */
export function phantomStake(ledger: Ledger, total: WeightProperty): bigint {
  return ledger.state.tables.phantomStakes.get(total) ?? 0n;
}

/** Totals of a new state are completely phantom, because it has no stakes. */
export function notePhantomStakes(ledger: Ledger): void {
  for (const name of WEIGHT_PROPERTIES) {
    const weight = ledger.long(name);
    if (weight !== 0n) setPhantom(ledger, name, weight);
  }
}

/**
 * Sets a total to `coins` whole TRX by changing the phantom.
 *
 * @throws OperationError for less than the accounts' stakes, and for more than the maximum of a total
 */
export function setTotalStake(ledger: Ledger, total: WeightProperty, coins: bigint): void {
  const staked = ledger.long(total) - phantomStake(ledger, total);
  if (coins < staked || coins < 0n)
    throw new OperationError(`${total} must be at least ${staked}, the stakes of accounts, got ${coins}`);
  if (coins > MAX_WEIGHT) throw new OperationError(`${total} must be at most ${MAX_WEIGHT}, got ${coins}`);
  ledger.setLong(total, coins);
  setPhantom(ledger, total, coins - staked);
}

function setPhantom(ledger: Ledger, total: WeightProperty, coins: bigint): void {
  const { phantomStakes } = ledger.state.tables;
  if (coins === 0n) phantomStakes.delete(total);
  else phantomStakes.set(total, coins);
}
