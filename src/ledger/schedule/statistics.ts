/**
 * Produced and missed blocks (protocol/blocks.md#slots): counters of the witnesses, and the last slots. Mirrors
 * StatisticManager.
 */

import type { Address } from '../../primitives/ids.js';
import type { Ledger } from '../ledger.js';
import { absoluteSlot, activeWitnesses, slotAt, turnOfSlot } from './schedule.js';

const FILLED_SLOTS = 128;

/**
 * Records slots in the ring of the last 128. Slots beyond the ring's size overwrite each other, so a jump of a year
 * costs 128 steps instead of three million.
 */
function recordSlots(ledger: Ledger, filled: boolean, count: number): void {
  if (count === 0) return;
  const ring = [...ledger.text('BLOCK_FILLED_SLOTS')];
  const index = Number(ledger.long('BLOCK_FILLED_SLOTS_INDEX'));
  for (let i = Math.max(0, count - FILLED_SLOTS); i < count; i++) ring[(index + i) % FILLED_SLOTS] = filled ? '1' : '0';
  ledger.setText('BLOCK_FILLED_SLOTS', ring.join(''));
  ledger.setLong('BLOCK_FILLED_SLOTS_INDEX', BigInt((index + count) % FILLED_SLOTS));
}

/** By complete rounds and the rest, in the order of the slots: a jump of a year costs one step for each witness. */
function countMissed(ledger: Ledger, missed: number): void {
  const { witnesses } = ledger.state.tables;
  const active = activeWitnesses(ledger);
  const firstTurn = turnOfSlot(ledger, 1n, active.length);
  const rounds = Math.floor(missed / active.length);
  const rest = missed % active.length;
  for (let slot = 0; slot < Math.min(missed, active.length); slot++) {
    const address = active[(firstTurn + slot) % active.length] as Address;
    const witness = witnesses.get(address);
    if (witness === undefined) throw new Error(`active witness ${address} has no record`);
    const misses = rounds + (slot < rest ? 1 : 0);
    witnesses.set(address, { ...witness, totalMissed: witness.totalMissed + BigInt(misses) });
  }
}

/** Records a block that is being applied (the head is still its parent). */
export function recordProduction(ledger: Ledger, blockNumber: number, timestampMs: bigint, producer: Address): void {
  const { witnesses } = ledger.state.tables;
  const witness = witnesses.get(producer);
  if (witness === undefined) throw new Error(`block ${blockNumber}: producer ${producer} is not a witness`);
  witnesses.set(producer, {
    ...witness,
    totalProduced: witness.totalProduced + 1n,
    latestBlockNum: BigInt(blockNumber),
    latestSlotNum: absoluteSlot(ledger, timestampMs),
  });
  const missed = blockNumber === 1 ? 0 : Math.max(0, Number(slotAt(ledger, timestampMs)) - 1);
  if (missed > 0) {
    countMissed(ledger, missed);
    recordSlots(ledger, false, missed);
  }
  recordSlots(ledger, true, 1);
}

/** Records a run of blocks in consecutive slots: each witness's blocks, and number and slot of its last. */
export function recordEmptyRun(
  ledger: Ledger,
  production: ReadonlyMap<Address, { readonly blocks: bigint; readonly number: bigint; readonly slot: bigint }>,
  count: number,
): void {
  const { witnesses } = ledger.state.tables;
  for (const [address, { blocks, number, slot }] of production) {
    const witness = witnesses.get(address);
    if (witness === undefined) throw new Error(`producer ${address} is not a witness`);
    const totalProduced = witness.totalProduced + blocks;
    witnesses.set(address, { ...witness, totalProduced, latestBlockNum: number, latestSlotNum: slot });
  }
  recordSlots(ledger, true, count);
}
