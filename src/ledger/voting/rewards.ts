/**
 * Rewards of block production, and where they are stored (protocol/rewards.md#rewards-of-a-block,
 * #accumulators-at-maintenance-new-algorithm). Mirrors MortgageService.payBlockReward, payStandbyWitness and
 * payTransactionFeeReward, Manager.payReward, IncentiveManager and DelegationStore. A reward is minted: the witness's
 * brokerage goes to its allowance, the rest into the pool that its voters share for the cycle. Payments to voters are
 * in `voter-rewards.ts`, the arithmetic of both in `resources/rewards.ts`. java-tron stores every witness's brokerage,
 * votes, pool and accumulator for every cycle. Of a past cycle only two values are ever read: the accumulator, and in
 * the old algorithm pool and votes. So the current cycle of a witness is one row, and its history has these values.
 */

import type { Address, Sun } from '../../primitives/ids.js';
import { accumulated, DEFAULT_BROKERAGE, splitPay, standbyShares } from '../../resources/rewards.js';
import type { WitnessRewards } from '../../state/tables.js';
import { existingAccount, putAccount } from '../accounts/coin.js';
import type { Ledger } from '../ledger.js';
import { allWitnesses, standbyWitnesses } from '../schedule/schedule.js';

const NOTHING_YET: WitnessRewards = {
  poolSun: 0n,
  brokerage: undefined,
  nextBrokerage: undefined,
  votes: undefined,
  perVote: 0n,
  perVoteSoFar: 0n,
};

/** Keys of the `rewardHistory` table. */
const historyKey = {
  /** Reward pool of a witness's voters in a cycle of the old algorithm, in sun. */
  pool: (cycle: bigint, witness: Address) => `pool:${cycle}:${witness}`,
  /** A witness's votes in a cycle of the old algorithm. */
  votes: (cycle: bigint, witness: Address) => `votes:${cycle}:${witness}`,
  /** Accumulated reward of one vote from the first cycle to the end of this one, in 10^-18 sun. */
  perVote: (cycle: bigint, witness: Address) => `vi:${cycle}:${witness}`,
} as const;

/** The current cycle of a witness. */
export function rewardsOf(ledger: Ledger, witness: Address): WitnessRewards {
  return ledger.state.tables.witnessRewards.get(witness) ?? NOTHING_YET;
}

/** Percentage of its rewards that a witness keeps in the current cycle; default 20, for any account. */
export function brokerageOf(ledger: Ledger, witness: Address): bigint {
  return rewardsOf(ledger, witness).brokerage ?? DEFAULT_BROKERAGE;
}

/** Sets the percentage from the next cycle on (UpdateBrokerage). */
export function setNextBrokerage(ledger: Ledger, witness: Address, percent: bigint): void {
  ledger.state.tables.witnessRewards.set(witness, { ...rewardsOf(ledger, witness), nextBrokerage: percent });
}

export function addToAllowance(ledger: Ledger, address: Address, amount: Sun): void {
  const account = existingAccount(ledger, address);
  putAccount(ledger, { ...account, allowance: account.allowance + amount });
}

/** `times` payments of `amount` each: the brokerage is rounded for each payment, not for their sum. */
function payWitness(ledger: Ledger, witness: Address, amount: Sun, times: bigint): void {
  const running = rewardsOf(ledger, witness);
  const { witnessSun, votersSun } = splitPay(amount, running.brokerage ?? DEFAULT_BROKERAGE);
  if (votersSun !== 0n) {
    ledger.state.tables.witnessRewards.set(witness, { ...running, poolSun: running.poolSun + votersSun * times });
  }
  if (witnessSun !== 0n) addToAllowance(ledger, witness, witnessSun * times);
}

/** Shares of the standby group in a sum, by votes. */
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

/** Every block pays all of them: a new fork fetches their rows together. */
export function readAheadStandby(ledger: Ledger): void {
  if (!ledger.on('CHANGE_DELEGATION') || ledger.long('WITNESS_127_PAY_PER_BLOCK') === 0n) return;
  ledger.state.readAhead('accounts', () => standbyWitnesses(ledger).map(({ address }) => address));
}

/**
 * The rewards of a run of blocks without maintenance, by each witness's number of blocks: the same as that many calls
 * of {@link payBlockReward} while the fee pool is off.
 */
export function payBlockRewards(ledger: Ledger, blocksOf: ReadonlyMap<Address, bigint>): void {
  const pay = ledger.long('WITNESS_PAY_PER_BLOCK');
  const shared = ledger.on('CHANGE_DELEGATION');
  readAheadStandby(ledger);
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

/** WITNESS_STANDBY_ALLOWANCE, the standby group's pay before CHANGE_DELEGATION: at maintenance, by the new votes. */
export function payStandbyAllowance(ledger: Ledger): void {
  for (const [witness, amount] of standbyPay(ledger, ledger.long('WITNESS_STANDBY_ALLOWANCE'))) {
    addToAllowance(ledger, witness, amount);
  }
}

/**
 * Accumulated reward of one vote for a witness from the first cycle to the end of the past cycle `cycle`, in 10^-18
 * sun.
 */
export function rewardPerVote(ledger: Ledger, cycle: bigint, witness: Address): bigint {
  return ledger.state.tables.rewardHistory.get(historyKey.perVote(cycle, witness)) ?? 0n;
}

/** Pool and votes of a witness in a past cycle of the old algorithm; votes are undefined if it did not exist. */
export function oldCycleOf(
  ledger: Ledger,
  cycle: bigint,
  witness: Address,
): { readonly poolSun: Sun; readonly votes: bigint | undefined } {
  const { rewardHistory } = ledger.state.tables;
  return {
    poolSun: rewardHistory.get(historyKey.pool(cycle, witness)) ?? 0n,
    votes: rewardHistory.get(historyKey.votes(cycle, witness)),
  };
}

/** The accumulators with the current cycle's pools added, by the present votes of the witnesses. */
export function accumulateRewards(ledger: Ledger): ReadonlyMap<Address, bigint> {
  const accumulators = new Map<Address, bigint>();
  for (const { address, voteCount } of allWitnesses(ledger)) {
    const { perVote, poolSun, perVoteSoFar } = rewardsOf(ledger, address);
    const closed = accumulated(perVote, poolSun, voteCount);
    // java-tron writes no zeros: a value that an earlier maintenance of the same cycle wrote stays.
    accumulators.set(address, closed === 0n ? perVoteSoFar : closed);
  }
  return accumulators;
}

/**
 * A maintenance that does not end the cycle, because CHANGE_DELEGATION was switched off: the accumulators are written
 * nevertheless, and again at the next one.
 */
export function continueCycle(ledger: Ledger, accumulators: ReadonlyMap<Address, bigint>): void {
  const { witnessRewards } = ledger.state.tables;
  for (const [witness, perVoteSoFar] of accumulators) {
    const running = rewardsOf(ledger, witness);
    if (running.perVoteSoFar !== perVoteSoFar) witnessRewards.set(witness, { ...running, perVoteSoFar });
  }
}

/**
 * Ends the current cycle and starts the next: values for later payments go into the history, pools are emptied, new
 * brokerages take effect.
 *
 * @param accumulators from before the votes of the epoch counted; undefined while only the old algorithm is used
 */
export function beginCycle(ledger: Ledger, accumulators: ReadonlyMap<Address, bigint> | undefined): void {
  const { witnessRewards } = ledger.state.tables;
  const ended = ledger.long('CURRENT_CYCLE_NUMBER');
  const old = ended < ledger.long('NEW_REWARD_ALGORITHM_EFFECTIVE_CYCLE');
  for (const { address, voteCount } of allWitnesses(ledger)) {
    const witness = address;
    const running = rewardsOf(ledger, witness);
    const perVote = accumulators?.get(witness) ?? 0n;
    remember(ledger, ended, witness, perVote, old ? running : undefined);
    const { nextBrokerage } = running;
    const next = { poolSun: 0n, brokerage: nextBrokerage, nextBrokerage, votes: voteCount, perVote, perVoteSoFar: 0n };
    if (!isSame(running, next)) witnessRewards.set(witness, next);
  }
  ledger.setLong('CURRENT_CYCLE_NUMBER', ended + 1n);
}

/** Zeros are not written: a missing row reads as zero. */
function remember(
  ledger: Ledger,
  cycle: bigint,
  witness: Address,
  perVote: bigint,
  old: Pick<WitnessRewards, 'poolSun' | 'votes'> | undefined,
): void {
  const { rewardHistory } = ledger.state.tables;
  if (perVote !== 0n) rewardHistory.add(historyKey.perVote(cycle, witness), perVote);
  if (old === undefined) return;
  if (old.poolSun !== 0n) rewardHistory.add(historyKey.pool(cycle, witness), old.poolSun);
  if (old.votes !== undefined) rewardHistory.add(historyKey.votes(cycle, witness), old.votes);
}

/** Most candidates never change. */
function isSame(a: WitnessRewards, b: WitnessRewards): boolean {
  return (
    a.poolSun === b.poolSun &&
    a.brokerage === b.brokerage &&
    a.votes === b.votes &&
    a.perVote === b.perVote &&
    a.perVoteSoFar === b.perVoteSoFar
  );
}
