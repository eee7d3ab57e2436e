/**
 * Stake 2.0: staking, unstaking with its waiting time, withdrawal, cancelling; and the effects on the network's
 * weights, on votes and on the old TRON Power (protocol/contract-types.md#staking-20, protocol/staking.md#weights,
 * #freeze-stake-20, #withdraw-and-cancel-unfreezings). Mirrors the effects of java-tron's FreezeBalanceV2,
 * UnfreezeBalanceV2, WithdrawExpireUnfreeze and CancelAllUnfreezeV2 actuators. Does not own validation (`contracts/`),
 * delegation (`delegation.ts`) or Stake 1.0 (`stake-v1.ts`).
 */

import type { Address, Sun } from '../../primitives/ids.js';
import { addExact } from '../../primitives/java-math.js';
import { ResourceCode } from '../../protocol/generated/resource-code.js';
import type { Account } from '../../protocol/generated/tron.js';
import type { StakedResource } from '../../resources/metered-account.js';
import { type ResourceRules, resourceRules } from '../../resources/rules.js';
import {
  dueUnfreezes,
  stakeWithDelegatedV2,
  votesAfterUnfreeze,
  weightAfter,
  weightDelta,
  withStakeV2,
} from '../../resources/staking.js';
import { OLD_TRON_POWER_SPENT, settledOldTronPower, votingPower } from '../../resources/tron-power.js';
import { existingAccount, putAccount } from '../accounts/coin.js';
import type { Ledger } from '../ledger.js';
import { settleReward } from '../voting/voter-rewards.js';
import { changeVotes } from '../voting/votes.js';

const MS_PER_DAY = 86_400_000n;

/** The total of a resource's stake. */
export const WEIGHT_OF = {
  [ResourceCode.BANDWIDTH]: 'TOTAL_NET_WEIGHT',
  [ResourceCode.ENERGY]: 'TOTAL_ENERGY_WEIGHT',
  [ResourceCode.TRON_POWER]: 'TOTAL_TRON_POWER_WEIGHT',
} as const;

/** The chain's present variant of the resource formulas. */
export function rulesOf(ledger: Ledger): ResourceRules {
  return resourceRules((name) => ledger.long(name), ledger.slotsIn(MS_PER_DAY));
}

export interface StakeOrigin {
  /** By an opcode: the network's weights may become negative (protocol/staking.md#weights). */
  readonly inContract?: boolean;
}

const UNCLAMPED = { newReward: false };

/** Adds whole TRX to the network's total of a resource. */
export function addWeight(
  ledger: Ledger,
  resource: ResourceCode,
  coins: bigint,
  { inContract = false }: StakeOrigin = {},
): void {
  if (coins === 0n) return;
  const name = WEIGHT_OF[resource as StakedResource];
  if (name === undefined) throw new Error(`resource ${resource} has no weight: validation should have refused`);
  ledger.setLong(name, weightAfter(ledger.long(name), coins, inContract ? UNCLAMPED : rulesOf(ledger)));
}

/** Changes an account's Stake 2.0; the weight changes by the difference in whole TRX, own and delegated together. */
export function changeStakeV2(
  ledger: Ledger,
  account: Account,
  resource: ResourceCode,
  delta: Sun,
  origin: StakeOrigin = {},
): Account {
  const staked = resource as StakedResource;
  const changed = { ...account, frozenV2: withStakeV2(account.frozenV2, staked, delta) };
  addWeight(
    ledger,
    resource,
    weightDelta(stakeWithDelegatedV2(account, staked), stakeWithDelegatedV2(changed, staked)),
    origin,
  );
  return changed;
}

/**
 * Fixes the TRON Power from before the new resource model, at the first staking, unstaking or vote with it: the stake
 * at that time, or "spent" if there is none (protocol/limits.md#tron-power).
 */
export function withOldTronPower(ledger: Ledger, account: Account): Account {
  if (!ledger.on('ALLOW_NEW_RESOURCE_MODEL') || account.old_tron_power !== 0n) return account;
  return { ...account, old_tron_power: settledOldTronPower(account) };
}

/** Every unstaking ends the old TRON Power. */
export function withoutOldTronPower(ledger: Ledger, account: Account): Account {
  if (!ledger.on('ALLOW_NEW_RESOURCE_MODEL')) return account;
  return { ...account, old_tron_power: OLD_TRON_POWER_SPENT };
}

/** Whether the new resource model keeps the account's votes when stake for `resource` is removed. */
export function votesRestElsewhere(ledger: Ledger, account: Account, resource: ResourceCode): boolean {
  return (
    ledger.on('ALLOW_NEW_RESOURCE_MODEL') &&
    account.old_tron_power === OLD_TRON_POWER_SPENT &&
    resource !== ResourceCode.TRON_POWER
  );
}

/** Moves `amountSun` from the balance to the stake for `resource` (`ResourceCode`). */
export function freezeV2(
  ledger: Ledger,
  owner: Address,
  amountSun: Sun,
  resource: ResourceCode,
  origin: StakeOrigin = {},
): void {
  const account = withOldTronPower(ledger, existingAccount(ledger, owner));
  const paid = { ...account, balance: account.balance - amountSun };
  putAccount(ledger, changeStakeV2(ledger, paid, resource, amountSun, origin));
}

/** Pays expired unstakings to the balance. */
function withDuePaid(ledger: Ledger, account: Account): { account: Account; paidSun: Sun } {
  const { dueSun: paidSun, waiting: unfrozenV2 } = dueUnfreezes(account.unfrozenV2, ledger.headTimeMs);
  return { account: { ...account, balance: addExact(account.balance, paidSun), unfrozenV2 }, paidSun };
}

/**
 * Starts the unstaking of `amountSun` of the stake for `resource`, pays expired unstakings, and cuts the votes to the
 * remaining stake. The usage of the resource stays.
 *
 * @returns the amount paid to the balance, in sun
 */
export function unfreezeV2(
  ledger: Ledger,
  owner: Address,
  amountSun: Sun,
  resource: ResourceCode,
  origin: StakeOrigin = {},
): Sun {
  settleReward(ledger, owner, origin);
  const { account: settled, paidSun } = withDuePaid(ledger, existingAccount(ledger, owner));
  let account = withOldTronPower(ledger, settled);
  const unfreeze_expire_time = ledger.headTimeMs + ledger.long('UNFREEZE_DELAY_DAYS') * MS_PER_DAY;
  const entry = { type: resource, unfreeze_amount: amountSun, unfreeze_expire_time };
  account = { ...account, unfrozenV2: [...account.unfrozenV2, entry] };
  account = changeStakeV2(ledger, account, resource, -amountSun, origin);
  account = withVotesCut(ledger, account, resource);
  putAccount(ledger, withoutOldTronPower(ledger, account));
  return paidSun;
}

/** Votes cannot exceed the stake behind them; the switch to the new resource model clears them once. */
export function withVotesCut(ledger: Ledger, account: Account, resource: ResourceCode): Account {
  if (account.votes.length === 0 || votesRestElsewhere(ledger, account, resource)) return account;
  if (ledger.on('ALLOW_NEW_RESOURCE_MODEL') && account.old_tron_power !== OLD_TRON_POWER_SPENT) {
    return changeVotes(ledger, account, []);
  }
  const votes = votesAfterUnfreeze(account.votes, votingPower(account, rulesOf(ledger)));
  return votes === undefined ? account : changeVotes(ledger, account, votes);
}

/** Withdraws expired unstakings. @returns the amount in sun */
export function withdrawExpired(ledger: Ledger, owner: Address): Sun {
  const { account, paidSun } = withDuePaid(ledger, existingAccount(ledger, owner));
  putAccount(ledger, account);
  return paidSun;
}

export interface CancelledUnfreezes {
  /** Paid to the balance: expired entries. */
  readonly paidSun: Sun;
  /** Staked again, by `ResourceCode`. */
  readonly restakedSun: readonly [bandwidth: Sun, energy: Sun, tronPower: Sun];
}

/** Stakes all pending unstakings again. Votes are not restored. */
export function cancelAllUnfreezes(ledger: Ledger, owner: Address, origin: StakeOrigin = {}): CancelledUnfreezes {
  const { account: waiting, paidSun } = withDuePaid(ledger, existingAccount(ledger, owner));
  const restakedSun: [Sun, Sun, Sun] = [0n, 0n, 0n];
  let account: Account = { ...waiting, unfrozenV2: [] };
  for (const { type, unfreeze_amount } of waiting.unfrozenV2) {
    account = changeStakeV2(ledger, account, type, unfreeze_amount, origin);
    restakedSun[type as StakedResource] += unfreeze_amount;
  }
  putAccount(ledger, account);
  return { paidSun, restakedSun };
}
