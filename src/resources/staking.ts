/**
 * Arithmetic of staking: network totals, stakes of an account, and its votes after an unstake
 * (protocol/staking.md#weights, #unfreeze-stake-20). Mirrors AccountCapsule and the (Un)FreezeBalanceV2 actuators.
 */

import { addExact, longFromDouble, wrapLong } from '../primitives/java-math.js';
import { SUN_PER_TRX, stakeV2Of } from './limits.js';
import {
  BANDWIDTH,
  ENERGY,
  energyRecord,
  type MeteredAccount,
  type StakedResource,
  type StakeV2,
} from './metered-account.js';
import type { ResourceRules } from './rules.js';

/** Maximum number of an account's pending unstakes. */
export const MAX_PENDING_UNFREEZES = 32;

/** Stake 2.0 of an account for a resource, including delegated stake, as the network's total counts it; sun. */
export function stakeWithDelegatedV2(account: MeteredAccount, resource: StakedResource): bigint {
  const own = stakeV2Of(account, resource);
  if (resource === BANDWIDTH) return own + account.delegated_frozenV2_balance_for_bandwidth;
  return resource === ENERGY ? own + energyRecord(account).delegated_frozenV2_balance_for_energy : own;
}

/** Change of a network total, in whole TRX, when the stake of one account changes from one amount in sun to another. */
export function weightDelta(beforeSun: bigint, afterSun: bigint): bigint {
  return afterSun / SUN_PER_TRX - beforeSun / SUN_PER_TRX;
}

/** A network total after a change. Under ALLOW_NEW_REWARD totals are not negative, except in the VM's own copy. */
export function weightAfter(weight: bigint, delta: bigint, rules: Pick<ResourceRules, 'newReward'>): bigint {
  const after = wrapLong(weight + delta);
  return rules.newReward && after < 0n ? 0n : after;
}

/**
 * Adds `deltaSun` to the stake for one resource; an entry with 0 remains.
 *
 * @throws ArithmeticOverflow
 */
export function withStakeV2<S extends StakeV2>(
  stakes: readonly S[],
  resource: StakedResource,
  deltaSun: bigint,
): readonly (S | StakeV2)[] {
  const index = stakes.findIndex(({ type }) => type === resource);
  if (index < 0) return [...stakes, { type: resource, amount: deltaSun }];
  return stakes.map((stake, i) => (i === index ? { ...stake, amount: addExact(stake.amount, deltaSun) } : stake));
}

/** Structurally `protocol.Account.UnFreezeV2`. */
export interface PendingUnfreeze {
  readonly type: number;
  readonly unfreeze_amount: bigint;
  readonly unfreeze_expire_time: bigint;
}

/** Unstakes that can be withdrawn at `nowMs`, and the remaining ones. An expiry at or before `nowMs` counts. */
export function dueUnfreezes<U extends PendingUnfreeze>(
  pending: readonly U[],
  nowMs: bigint,
): { readonly dueSun: bigint; readonly waiting: readonly U[] } {
  let dueSun = 0n;
  for (const entry of pending) if (entry.unfreeze_expire_time <= nowMs) dueSun += entry.unfreeze_amount;
  return { dueSun, waiting: pending.filter(({ unfreeze_expire_time }) => unfreeze_expire_time > nowMs) };
}

/**
 * The remaining votes when an unstake leaves too little voting power: each in proportion, rounded down; votes of 0 are
 * removed. Undefined if the power suffices, and nothing changes.
 *
 * @param powerSun after the unstake
 * @example votesAfterUnfreeze([{ vote_count: 600n }, { vote_count: 400n }], 500_000_000n) // 300 and 200
 */
export function votesAfterUnfreeze<V extends { readonly vote_count: bigint }>(
  votes: readonly V[],
  powerSun: bigint,
): readonly V[] | undefined {
  let total = 0n;
  for (const { vote_count } of votes) total += vote_count;
  if (powerSun >= total * SUN_PER_TRX) return undefined;
  const remaining: V[] = [];
  for (const vote of votes) {
    const count = longFromDouble(((Number(vote.vote_count) / Number(total)) * Number(powerSun)) / 1e6);
    if (count > 0n) remaining.push({ ...vote, vote_count: count });
  }
  return remaining;
}
