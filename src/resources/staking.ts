/**
 * Arithmetic of staking: network totals, entries of an account, what unstaking leaves of its votes
 * (protocol/staking.md#weights, #unfreeze-stake-20). Mirrors AccountCapsule and the (Un)FreezeBalanceV2 actuators.
 */

import { addExact, longFromDouble, wrapLong } from '../primitives/java-math.js';
import { SUN_PER_COIN, stakeV2Of } from './limits.js';
import {
  BANDWIDTH,
  ENERGY,
  energyRecord,
  type MeteredAccount,
  type StakedResource,
  type StakeV2,
} from './metered-account.js';
import type { ResourceRules } from './rules.js';

/** Entries of unstaked coin that an account can have waiting. */
export const MAX_PENDING_UNFREEZES = 32;

/** Stake 2.0 of an account for a resource, delegated out or not: what the network's total counts; sun. */
export function stakeWithDelegatedV2(account: MeteredAccount, resource: StakedResource): bigint {
  const own = stakeV2Of(account, resource);
  if (resource === BANDWIDTH) return own + account.delegated_frozenV2_balance_for_bandwidth;
  return resource === ENERGY ? own + energyRecord(account).delegated_frozenV2_balance_for_energy : own;
}

/** Change of a network total, in whole coins, when the stake of one account goes from one amount of sun to another. */
export function weightDelta(beforeSun: bigint, afterSun: bigint): bigint {
  return afterSun / SUN_PER_COIN - beforeSun / SUN_PER_COIN;
}

/** A network total after a change. Totals do not become negative under ALLOW_NEW_REWARD, except in the VM's own copy. */
export function weightAfter(weight: bigint, delta: bigint, rules: Pick<ResourceRules, 'newReward'>): bigint {
  const after = wrapLong(weight + delta);
  return rules.newReward && after < 0n ? 0n : after;
}

/** Stakes with `deltaSun` more for one resource; an entry that falls to 0 stays. @throws ArithmeticOverflow */
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

/** Unstaked coin that is due at `nowMs`, and the entries that go on waiting. Due means expiry at or before now. */
export function dueUnfreezes<U extends PendingUnfreeze>(
  pending: readonly U[],
  nowMs: bigint,
): { readonly dueSun: bigint; readonly waiting: readonly U[] } {
  let dueSun = 0n;
  for (const entry of pending) if (entry.unfreeze_expire_time <= nowMs) dueSun += entry.unfreeze_amount;
  return { dueSun, waiting: pending.filter(({ unfreeze_expire_time }) => unfreeze_expire_time > nowMs) };
}

/**
 * The votes that remain when unstaking leaves less power than they need: each in proportion, rounded down, those that
 * become 0 dropped. Undefined when the power still covers them and nothing changes.
 *
 * @param powerSun after unstaking
 * @example votesAfterUnfreeze([{ vote_count: 600n }, { vote_count: 400n }], 500_000_000n) // 300 and 200
 */
export function votesAfterUnfreeze<V extends { readonly vote_count: bigint }>(
  votes: readonly V[],
  powerSun: bigint,
): readonly V[] | undefined {
  let total = 0n;
  for (const { vote_count } of votes) total += vote_count;
  if (powerSun >= total * SUN_PER_COIN) return undefined;
  const remaining: V[] = [];
  for (const vote of votes) {
    const count = longFromDouble(((Number(vote.vote_count) / Number(total)) * Number(powerSun)) / 1e6);
    if (count > 0n) remaining.push({ ...vote, vote_count: count });
  }
  return remaining;
}
