/**
 * What ends an epoch: accumulators, the tally of votes, the election, the next reward cycle (ledger.md 6.4). Mirrors
 * MaintenanceManager.doMaintenance.
 *
 * Its cost is that of the votes cast since the last one and of the witnesses there are, never of the accounts: voters
 * are settled when they next act (`voter-rewards.ts`), and a contract's dynamic energy factor catches up when it is
 * next called. Proposals are decided before, by `proposals.ts`; the time of the next maintenance is the block's to set.
 */

import type { Address } from '../../primitives/ids.js';
import { MAX_LONG } from '../../primitives/java-math.js';
import { javaMapOrderOfHashes } from '../../protocol/json/java-map-order.js';
import type { Ledger } from '../ledger.js';
import { accumulateRewards, beginCycle, continueCycle, payStandbyAllowance } from './rewards.js';
import {
  activeWitnesses,
  byteStringHash,
  electActiveWitnesses,
  rankStandbyWitnesses,
  setActiveWitnesses,
} from './schedule.js';
import { tallyVotes } from './votes.js';

/** Everything that java-tron does in a maintenance block, the first block excepted, after rewards and statistics. */
export function runMaintenance(ledger: Ledger): void {
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

/** REMOVE_THE_POWER_OF_THE_GR: once, the votes of the genesis are taken back. */
function removePowerOfGenesisWitnesses(ledger: Ledger): void {
  if (!ledger.on('REMOVE_THE_POWER_OF_THE_GR')) return;
  for (const [address, votes] of ledger.config.genesisWitnesses) addVotes(ledger, address, -votes);
  ledger.setLong('REMOVE_THE_POWER_OF_THE_GR', -1n);
}

function addVotes(ledger: Ledger, address: Address, delta: bigint): void {
  const { witnesses } = ledger.state.tables;
  const witness = witnesses.get(address);
  // Votes for an address without a record are dropped; validation lets none through.
  if (witness !== undefined) witnesses.set(address, { ...witness, voteCount: witness.voteCount + delta });
}

/** In the order of java-tron's map, which shows in the order of `listwitnesses` until the block is merged. */
function addToVoteCounts(ledger: Ledger, deltas: ReadonlyMap<Address, bigint>): void {
  const addresses = [...deltas.keys()];
  for (const at of javaMapOrderOfHashes(addresses.map(byteStringHash))) {
    const address = addresses[at] as Address;
    addVotes(ledger, address, deltas.get(address) as bigint);
  }
}

/** The first 27 by votes produce until the next election. `isJobs` follows only if others than before are elected. */
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
