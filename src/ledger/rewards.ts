/**
 * What producing blocks earns, and where it waits (ledger.md 6.5, fees-and-resources.md 11.1, 11.3). Mirrors
 * MortgageService.payBlockReward, payStandbyWitness and payTransactionFeeReward, Manager.payReward, IncentiveManager and
 * DelegationStore.
 *
 * A reward is minted: the witness's brokerage goes to its allowance, the rest into the pool that its voters share for the
 * cycle. Owns the keys of the `rewards` table. What voters draw from the pools is in `voter-rewards.ts`.
 *
 * java-tron copies every witness's brokerage and votes into every cycle. Of these copies only two are ever read: the
 * brokerage of the running cycle, and votes of cycles before the accumulators. So a witness has one brokerage in force
 * and one that comes into force, and votes are stored by cycle only as long as the old algorithm may ask for them.
 */

import type { Address, Sun } from '../primitives/ids.js';
import { accumulated, DEFAULT_BROKERAGE, splitPay, standbyShares } from '../resources/rewards.js';
import { existingAccount, putAccount } from './coin.js';
import type { Ledger } from './ledger.js';
import { allWitnesses, standbyWitnesses } from './schedule.js';

/** Keys of the `rewards` table. */
export const rewardKey = {
  /** Sun that the voters of a witness share for a cycle. */
  pool: (cycle: bigint, witness: Address) => `pool:${cycle}:${witness}`,
  /** A witness's votes in a cycle of the old algorithm. */
  votes: (cycle: bigint, witness: Address) => `votes:${cycle}:${witness}`,
  /** Reward per vote, scaled, from the first cycle to the end of this one. */
  vi: (cycle: bigint, witness: Address) => `vi:${cycle}:${witness}`,
  /** Percent in force in this cycle. */
  brokerage: (witness: Address) => `brokerage:${witness}`,
  /** Percent that the witness has set, in force from the next cycle on. */
  nextBrokerage: (witness: Address) => `next-brokerage:${witness}`,
} as const;

/** Percent of its rewards that a witness keeps in the running cycle; 20 for whoever has not set it, witness or not. */
export function brokerageOf(ledger: Ledger, witness: Address): bigint {
  return ledger.state.tables.rewards.get(rewardKey.brokerage(witness)) ?? DEFAULT_BROKERAGE;
}

/** Sets the percent from the next cycle on (UpdateBrokerage). */
export function setNextBrokerage(ledger: Ledger, witness: Address, percent: bigint): void {
  ledger.state.tables.rewards.set(rewardKey.nextBrokerage(witness), percent);
}

export function addToAllowance(ledger: Ledger, address: Address, amount: Sun): void {
  const account = existingAccount(ledger, address);
  putAccount(ledger, { ...account, allowance: account.allowance + amount });
}

/** `times` payments of `amount` each: the brokerage is cut off each of them, which is not the brokerage of their sum. */
function payWitness(ledger: Ledger, witness: Address, amount: Sun, times: bigint): void {
  const { witnessSun, votersSun } = splitPay(amount, brokerageOf(ledger, witness));
  const { rewards } = ledger.state.tables;
  const poolKey = rewardKey.pool(ledger.long('CURRENT_CYCLE_NUMBER'), witness);
  if (votersSun !== 0n) rewards.set(poolKey, (rewards.get(poolKey) ?? 0n) + votersSun * times);
  if (witnessSun !== 0n) addToAllowance(ledger, witness, witnessSun * times);
}

/** What each of the standby group gets out of a sum that they share by their votes. */
function* standbyPay(ledger: Ledger, sharedSun: Sun): Iterable<readonly [witness: Address, amount: Sun]> {
  const standby = standbyWitnesses(ledger);
  const shares = standbyShares(
    standby.map(({ voteCount }) => voteCount),
    sharedSun,
  );
  for (const [rank, { address }] of standby.entries()) yield [address, shares[rank] as Sun];
}

/** The reward of one block, paid after its transactions and before proposals and maintenance. */
export function payBlockReward(ledger: Ledger, producer: Address): void {
  payBlockRewards(ledger, new Map([[producer, 1n]]));
  if (!ledger.on('ALLOW_TRANSACTION_FEE_POOL')) return;
  const pool = ledger.long('TRANSACTION_FEE_POOL');
  if (ledger.on('CHANGE_DELEGATION')) payWitness(ledger, producer, pool, 1n);
  else addToAllowance(ledger, producer, pool);
  ledger.setLong('TRANSACTION_FEE_POOL', 0n);
}

/**
 * The rewards of a run of blocks without maintenance in it, by how many each witness produced: what as many calls of
 * {@link payBlockReward} leave while the fee pool is off.
 */
export function payBlockRewards(ledger: Ledger, blocksOf: ReadonlyMap<Address, bigint>): void {
  const pay = ledger.long('WITNESS_PAY_PER_BLOCK');
  const shared = ledger.on('CHANGE_DELEGATION');
  let blocks = 0n;
  for (const [producer, produced] of blocksOf) {
    blocks += produced;
    if (shared) payWitness(ledger, producer, pay, produced);
    else addToAllowance(ledger, producer, pay * produced);
  }
  if (!shared) return;
  for (const [witness, amount] of standbyPay(ledger, ledger.long('WITNESS_127_PAY_PER_BLOCK'))) {
    payWitness(ledger, witness, amount, blocks);
  }
}

/** WITNESS_STANDBY_ALLOWANCE, the pay of the standby group before CHANGE_DELEGATION: at maintenance, by the new votes. */
export function payStandbyAllowance(ledger: Ledger): void {
  for (const [witness, amount] of standbyPay(ledger, ledger.long('WITNESS_STANDBY_ALLOWANCE'))) {
    addToAllowance(ledger, witness, amount);
  }
}

/** What one vote for a witness has earned from the first cycle to the end of `cycle`, in 10^-18 sun. */
export function rewardPerVote(ledger: Ledger, cycle: bigint, witness: Address): bigint {
  return ledger.state.tables.rewards.get(rewardKey.vi(cycle, witness)) ?? 0n;
}

/** Closes the pools of the running cycle into the accumulators, by the votes that earned them. */
export function accumulateRewards(ledger: Ledger): void {
  const { rewards } = ledger.state.tables;
  const cycle = ledger.long('CURRENT_CYCLE_NUMBER');
  for (const { address, voteCount } of allWitnesses(ledger)) {
    const witness = address as Address;
    const before = rewardPerVote(ledger, cycle - 1n, witness);
    const pool = rewards.get(rewardKey.pool(cycle, witness)) ?? 0n;
    const after = accumulated(before, pool, voteCount);
    if (after !== 0n) rewards.set(rewardKey.vi(cycle, witness), after);
  }
}

/** Begins a cycle: brokerages that were set come into force, and votes are noted where the old algorithm will ask. */
export function beginCycle(ledger: Ledger): void {
  const { rewards } = ledger.state.tables;
  const cycle = ledger.long('CURRENT_CYCLE_NUMBER') + 1n;
  ledger.setLong('CURRENT_CYCLE_NUMBER', cycle);
  const votesWanted = cycle < ledger.long('NEW_REWARD_ALGORITHM_EFFECTIVE_CYCLE');
  for (const { address, voteCount } of allWitnesses(ledger)) {
    const witness = address as Address;
    const next = rewards.get(rewardKey.nextBrokerage(witness));
    if (next !== undefined && next !== rewards.get(rewardKey.brokerage(witness))) {
      rewards.set(rewardKey.brokerage(witness), next);
    }
    if (votesWanted) rewards.set(rewardKey.votes(cycle, witness), voteCount);
  }
}
