/**
 * Makes many empty blocks at once: their ids are a hash chain and are computed one by one; rewards, counters, filled
 * slots and the head advance in closed form. A run contains no maintenance block, and requires parameters under which
 * an empty block changes nothing else. A test compares it with single blocks. Storing and reading runs is in
 * `blocks/empty-blocks.ts`.
 */

import type { Address, BlockId } from '../primitives/ids.js';
import { numberKey } from '../state/tables.js';
import { witnessSigner } from './accounts/permissions.js';
import { CHECKPOINT_BLOCKS, type EmptyRun, timeInRun, turnOf, walk } from './blocks/empty-blocks.js';
import type { Ledger } from './ledger.js';
import { absoluteSlot, activeWitnesses, slotTimeMs, turnOfSlot } from './schedule/schedule.js';
import { latestBlockOf, solidifiedBy, updateSolidified } from './schedule/solidified-block.js';
import { recordEmptyRun } from './schedule/statistics.js';
import { keepsBlockHashes } from './smart-contracts/block-hash-history.js';
import { payBlockRewards } from './voting/rewards.js';

/** The number of empty blocks that can be made at once from here, at most `wanted`; 0 if each must be made singly. */
export function emptyRunLength(ledger: Ledger, wanted: number): number {
  if (ledger.headNumber < 1 || ledger.on('ALLOW_ADAPTIVE_ENERGY') || ledger.on('ALLOW_TRANSACTION_FEE_POOL')) return 0;
  if (keepsBlockHashes(ledger)) return 0;
  const { genesisTimestampMs, slotMs } = ledger.config;
  if ((ledger.headTimeMs - genesisTimestampMs) % slotMs !== 0n) return 0;
  const untilMaintenanceMs = ledger.long('NEXT_MAINTENANCE_TIME') - slotTimeMs(ledger, 1n);
  if (untilMaintenanceMs <= 0n) return 0;
  const fit = (untilMaintenanceMs + slotMs - 1n) / slotMs;
  return Number(fit < BigInt(wanted) ? fit : BigInt(wanted));
}

function planRun(ledger: Ledger, count: number): Omit<EmptyRun, 'checkpoints'> {
  const witnesses = activeWitnesses(ledger);
  const firstTimestampMs = slotTimeMs(ledger, 1n);
  return {
    first: ledger.headNumber + 1,
    count,
    firstTimestampMs,
    parentId: ledger.headId,
    witnesses,
    signers: witnesses.map((witness) => signerOf(ledger, witness)),
    firstTurn: turnOfSlot(ledger, 1n, witnesses.length),
    secondTurn: Number((absoluteSlot(ledger, firstTimestampMs) + 1n) % BigInt(witnesses.length)),
  };
}

/** The solidified block after `count` more empty blocks. Changes nothing. */
export function solidifiedAfterRun(ledger: Ledger, count: number): number {
  const last = count === 0 ? undefined : lastProduction(ledger, planRun(ledger, count));
  return Number(solidifiedBy(ledger, (witness) => last?.get(witness)?.number ?? latestBlockOf(ledger, witness)));
}

/** Makes `count` empty blocks, at most `emptyRunLength`, and returns the last id. */
export function mineEmptyRun(ledger: Ledger, count: number): BlockId {
  const plan = planRun(ledger, count);
  const checkpoints: BlockId[] = [];
  const lastId = walk(ledger.config, plan, plan.parentId, 0, count, (id, index) => {
    if ((index + 1) % CHECKPOINT_BLOCKS === 0) checkpoints.push(id);
  });
  payBlockRewards(ledger, producedByWitness(plan));
  recordEmptyRun(ledger, lastProduction(ledger, plan), count);
  ledger.setLong('BLOCK_ENERGY_USAGE', 0n);
  ledger.setLong('state_flag', 0n);
  updateSolidified(ledger);
  ledger.setLong('latest_block_header_number', BigInt(plan.first + count - 1));
  ledger.setLong('latest_block_header_timestamp', timeInRun(ledger.config, plan, count - 1));
  ledger.setText('latest_block_header_hash', lastId);
  const run: EmptyRun = { ...plan, checkpoints };
  ledger.state.tables.emptyRuns.set(numberKey(run.first), run);
  return lastId;
}

function signerOf(ledger: Ledger, witness: Address): Address {
  const account = ledger.state.tables.accounts.get(witness);
  return account === undefined ? witness : witnessSigner(account);
}

function producedByWitness(run: Omit<EmptyRun, 'checkpoints'>): ReadonlyMap<Address, bigint> {
  const produced = new Map<Address, bigint>();
  const add = (turn: number, blocks: number) => {
    const witness = run.witnesses[turn] as Address;
    produced.set(witness, (produced.get(witness) ?? 0n) + BigInt(blocks));
  };
  add(run.firstTurn, 1);
  const size = run.witnesses.length;
  for (let offset = 0; offset < Math.min(size, run.count - 1); offset++) {
    add((run.secondTurn + offset) % size, Math.floor((run.count - 2 - offset) / size) + 1);
  }
  return produced;
}

/** For each witness: its number of blocks, and number and slot of its last one. */
function lastProduction(
  ledger: Ledger,
  run: Omit<EmptyRun, 'checkpoints'>,
): ReadonlyMap<Address, { readonly blocks: bigint; readonly number: bigint; readonly slot: bigint }> {
  const produced = producedByWitness(run);
  const last = new Map<Address, { blocks: bigint; number: bigint; slot: bigint }>();
  const firstSlot = absoluteSlot(ledger, run.firstTimestampMs);
  for (let index = Math.max(0, run.count - run.witnesses.length - 1); index < run.count; index++) {
    const witness = run.witnesses[turnOf(run, index)] as Address;
    last.set(witness, {
      blocks: produced.get(witness) as bigint,
      number: BigInt(run.first + index),
      slot: firstSlot + BigInt(index),
    });
  }
  return last;
}
