/**
 * The solidified block number (protocol/blocks.md#solidified-irreversible-block). Mirrors
 * DposService.updateSolidBlock. Views of that block are in `node/views/solidity-view.ts`.
 */

import type { Address } from '../../primitives/ids.js';
import type { Ledger } from '../ledger.js';
import { activeWitnesses } from './schedule.js';

const SOLIDIFIED_THRESHOLD = 0.7;

/**
 * The highest block such that 70 % of the active witnesses have produced it or a later one, given the last block of
 * each in `latestBlockOf`. Never decreases.
 */
export function solidifiedBy(ledger: Ledger, latestBlockOf: (witness: Address) => bigint): bigint {
  const latest = activeWitnesses(ledger)
    .map(latestBlockOf)
    .sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const solid = latest[Math.trunc(latest.length * (1 - SOLIDIFIED_THRESHOLD))] ?? 0n;
  const before = ledger.long('LATEST_SOLIDIFIED_BLOCK_NUM');
  return solid > before ? solid : before;
}

/** The last block of a witness. */
export function latestBlockOf(ledger: Ledger, witness: Address): bigint {
  return ledger.state.tables.witnesses.get(witness)?.latestBlockNum ?? 0n;
}

export function updateSolidified(ledger: Ledger): void {
  const solid = solidifiedBy(ledger, (witness) => latestBlockOf(ledger, witness));
  if (solid !== ledger.long('LATEST_SOLIDIFIED_BLOCK_NUM')) ledger.setLong('LATEST_SOLIDIFIED_BLOCK_NUM', solid);
}
