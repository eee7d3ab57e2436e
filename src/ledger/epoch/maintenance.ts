/**
 * The order of the steps after a block's transactions, and of those that end an epoch: rewards, proposals,
 * accumulators, the tally of votes, the election, the next reward cycle, the next maintenance time, the solidified
 * block (protocol/pipeline.md#applying-a-block, protocol/epochs.md#steps-of-a-maintenance). Mirrors the tail of
 * Manager.processBlock and MaintenanceManager.doMaintenance. Its cost depends on the votes since the last maintenance
 * and on the number of witnesses, never on the number of accounts: voters are settled when they next act
 * (`voter-rewards.ts`), and a contract's energy factor is updated at its next call. Each step has its own file.
 */

import type { Address } from '../../primitives/ids.js';
import { MAX_LONG } from '../../primitives/java-math.js';
import { javaMapOrderOfHashes } from '../../protocol/json/java-map-order.js';
import { decideProposals } from '../governance/proposals.js';
import type { Ledger } from '../ledger.js';
import {
  activeWitnesses,
  byteStringHash,
  electActiveWitnesses,
  rankStandbyWitnesses,
  setActiveWitnesses,
} from '../schedule/schedule.js';
import { updateSolidified } from '../schedule/solidified-block.js';
import { recordProduction } from '../schedule/statistics.js';
import {
  accumulateRewards,
  beginCycle,
  continueCycle,
  payBlockReward,
  payStandbyAllowance,
} from '../voting/rewards.js';
import { tallyVotes } from '../voting/votes.js';
import { adaptEnergyLimit } from './adaptive-energy.js';

export interface ClosingBlock {
  readonly number: number;
  readonly timestampMs: bigint;
  readonly producer: Address;
}

/**
 * Everything between the last transaction of a block and the new head, in java-tron's order. The order decides who is
 * paid: a proposal is decided after the block's reward, and before the votes of the epoch are counted.
 *
 * @returns the number of epochs that ended: several after time without blocks, with a single maintenance
 */
export function afterTransactions(ledger: Ledger, { number, timestampMs, producer }: ClosingBlock): number {
  const maintenance = ledger.long('NEXT_MAINTENANCE_TIME') <= timestampMs;
  adaptEnergyLimit(ledger);
  payBlockReward(ledger, producer);
  if (maintenance) decideProposals(ledger);
  recordProduction(ledger, number, timestampMs, producer);
  let epochs = 0;
  if (maintenance) {
    // Block 1 counts as a maintenance block, but nothing is tallied (protocol/blocks.md#slots,
    // protocol/epochs.md#steps-of-a-maintenance).
    if (number !== 1) runMaintenance(ledger);
    const passed = advanceMaintenanceTime(ledger, timestampMs);
    if (number !== 1) epochs = passed;
  }
  ledger.setLong('state_flag', maintenance ? 1n : 0n);
  updateSolidified(ledger);
  return epochs;
}

function advanceMaintenanceTime(ledger: Ledger, timestampMs: bigint): number {
  const next = ledger.long('NEXT_MAINTENANCE_TIME');
  const interval = ledger.long('MAINTENANCE_TIME_INTERVAL');
  const epochs = (timestampMs - next) / interval + 1n;
  ledger.setLong('NEXT_MAINTENANCE_TIME', next + epochs * interval);
  return Number(epochs);
}

/** The steps that end an epoch. */
function runMaintenance(ledger: Ledger): void {
  removePowerOfGenesisWitnesses(ledger);
  const cycles = ledger.on('CHANGE_DELEGATION');
  const accumulates = ledger.long('NEW_REWARD_ALGORITHM_EFFECTIVE_CYCLE') !== MAX_LONG;
  const accumulators = accumulates ? accumulateRewards(ledger) : undefined;
  const deltas = tallyVotes(ledger);
  if (deltas.size > 0) addToVoteCounts(ledger, deltas);
  rankStandbyWitnesses(ledger);
  if (deltas.size > 0) {
    elect(ledger);
    if (!cycles) payStandbyAllowance(ledger);
  }
  if (cycles) beginCycle(ledger, accumulators);
  else if (accumulators !== undefined) continueCycle(ledger, accumulators);
}

/** REMOVE_THE_POWER_OF_THE_GR: once, the genesis votes are removed. */
function removePowerOfGenesisWitnesses(ledger: Ledger): void {
  if (!ledger.on('REMOVE_THE_POWER_OF_THE_GR')) return;
  for (const [address, votes] of ledger.config.genesisWitnesses) addVotes(ledger, address, -votes);
  ledger.setLong('REMOVE_THE_POWER_OF_THE_GR', -1n);
}

function addVotes(ledger: Ledger, address: Address, delta: bigint): void {
  const { witnesses } = ledger.state.tables;
  const witness = witnesses.get(address);
  // Votes for an address without a record are dropped; validation admits none.
  if (witness !== undefined) witnesses.set(address, { ...witness, voteCount: witness.voteCount + delta });
}

/** In the order of java-tron's map, visible in `listwitnesses` until the block is merged. */
function addToVoteCounts(ledger: Ledger, deltas: ReadonlyMap<Address, bigint>): void {
  const addresses = [...deltas.keys()];
  for (const at of javaMapOrderOfHashes(addresses.map(byteStringHash))) {
    const address = addresses[at] as Address;
    addVotes(ledger, address, deltas.get(address) as bigint);
  }
}

/**
 * The 27 witnesses with the most votes produce until the next election. `isJobs` changes only if others are elected.
 */
function elect(ledger: Ledger): void {
  const before = activeWitnesses(ledger);
  const elected = electActiveWitnesses(ledger);
  setActiveWitnesses(ledger, elected);
  const same = before.length === elected.length && before.every((address) => elected.includes(address));
  if (same) return;
  for (const address of before) setIsJobs(ledger, address, false);
  for (const address of elected) setIsJobs(ledger, address, true);
}

function setIsJobs(ledger: Ledger, address: Address, isJobs: boolean): void {
  const { witnesses } = ledger.state.tables;
  const witness = witnesses.get(address);
  if (witness === undefined) throw new Error(`active witness ${address} has no record`);
  if (witness.isJobs !== isJobs) witnesses.set(address, { ...witness, isJobs });
}
