/**
 * Arithmetic of rewards: the part of a witness, the shares of standby witnesses, and the reward of a voter
 * (protocol/rewards.md). Mirrors MortgageService and DelegationStore.
 */

import { longFromDouble } from '../primitives/java-math.js';

/** Default percentage of a witness. */
export const DEFAULT_BROKERAGE = 20n;

/** Unit of accumulators: 10^-18 sun per vote. */
const ACCUMULATOR_SCALE = 10n ** 18n;

/** Splits a payment to a witness into its own part and its voters' part (protocol/rewards.md#rewards-of-a-block). */
export function splitPay(
  valueSun: bigint,
  brokeragePercent: bigint,
): { readonly witnessSun: bigint; readonly votersSun: bigint } {
  const witnessSun = longFromDouble((Number(brokeragePercent) / 100) * Number(valueSun));
  return { witnessSun, votersSun: valueSun - witnessSun };
}

/**
 * The parts of a reward shared by votes, each rounded down (protocol/rewards.md#rewards-of-a-block).
 *
 * @param votes of the witnesses that share, each at least 1
 * @example standbyShares([1n, 2n, 4n], 128_000_000n) // 18,285,714, 36,571,428, 73,142,857
 */
export function standbyShares(votes: readonly bigint[], rewardSun: bigint): bigint[] {
  let total = 0n;
  for (const count of votes) total += count;
  if (total < 1n) return votes.map(() => 0n);
  const each = Number(rewardSun) / Number(total);
  return votes.map((count) => longFromDouble(Number(count) * each));
}

/**
 * A witness's accumulator after a cycle: the total reward of one vote so far, in 10^-18 sun
 * (protocol/rewards.md#accumulators-at-maintenance-new-algorithm).
 *
 * @param votes of the witness in the cycle; java-tron reads an unknown count as -1
 */
export function accumulated(before: bigint, rewardSun: bigint, votes: bigint): bigint {
  return rewardSun === 0n || votes === 0n ? before : before + (rewardSun * ACCUMULATOR_SCALE) / votes;
}

/**
 * The reward of votes for one witness between two values of its accumulator
 * (protocol/rewards.md#reward-of-a-span-of-cycles).
 */
export function accumulatedReward(before: bigint, after: bigint, votes: bigint): bigint {
  const grown = after - before;
  return grown <= 0n ? 0n : (grown * votes) / ACCUMULATOR_SCALE;
}

/**
 * Adds the reward of one witness in one cycle of the old algorithm to a voter's reward. The sum is rounded down
 * (protocol/rewards.md#reward-of-a-span-of-cycles).
 *
 * @param witnessVotes all votes of the witness in that cycle; undefined or 0: adds nothing
 */
export function withOldCycleReward(
  totalSun: bigint,
  votes: bigint,
  witnessVotes: bigint | undefined,
  cycleRewardSun: bigint,
): bigint {
  if (cycleRewardSun <= 0n || witnessVotes === undefined || witnessVotes === 0n) return totalSun;
  return longFromDouble(Number(totalSun) + (Number(votes) / Number(witnessVotes)) * Number(cycleRewardSun));
}

/** Result of java-tron's `withdrawReward` for a voter: the votes that count for each cycle. */
export interface Settlement {
  /** Ranges of cycles `[from, to)` to pay, by the votes of the snapshot or by the current ones. */
  readonly pays: readonly { readonly from: bigint; readonly to: bigint; readonly by: 'snapshot' | 'current' }[];
  /** The voter's new `begin` cycle. */
  readonly begin: bigint;
  /** The new `end` cycle, with a snapshot of the account at `begin`; undefined: neither is written. */
  readonly end: bigint | undefined;
}

/**
 * Settles the rewards of a voter (protocol/rewards.md#settling-a-voter); undefined if there is nothing to do.
 *
 * @param begin stored, 0 by default
 * @param end stored, -1 by default
 * @param hasSnapshot whether a snapshot is stored for a cycle
 */
export function settlement(
  { begin, end, cycle, hasVotes }: { begin: bigint; end: bigint; cycle: bigint; hasVotes: boolean },
  hasSnapshot: (cycle: bigint) => boolean,
): Settlement | undefined {
  if (begin > cycle || (begin === cycle && hasSnapshot(cycle))) return undefined;
  const pays: { from: bigint; to: bigint; by: 'snapshot' | 'current' }[] = [];
  let from = begin;
  if (begin + 1n === end && begin < cycle) {
    if (hasSnapshot(begin)) pays.push({ from: begin, to: end, by: 'snapshot' });
    from += 1n;
  }
  if (!hasVotes) return { pays, begin: cycle + 1n, end: undefined };
  if (from < cycle) pays.push({ from, to: cycle, by: 'current' });
  return { pays, begin: cycle, end: cycle + 1n };
}
