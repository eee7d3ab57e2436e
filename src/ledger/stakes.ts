/**
 * What an account has staked, lent and borrowed, by resource: the fields of an account that hold it, under one name
 * for bandwidth and Energy, and tron power, the stake that votes (ledger.md 4.1, 4.4; fees-and-resources.md 4.1, 4.6).
 * Mirrors the stake accessors of java-tron's AccountCapsule.
 *
 * Owns where the amounts lie. What changes them stands in `staking.ts`, `stake-v1.ts` and `delegation.ts`.
 */

import type { Sun } from '../primitives/ids.js';
import { ResourceCode } from '../protocol/messages/resource-code.js';
import { type Account, Account_AccountResource, type Account_Frozen } from '../protocol/messages/tron.js';

/** What can be lent: `ResourceCode` without TRON_POWER. */
export type DelegableResource = typeof ResourceCode.BANDWIDTH | typeof ResourceCode.ENERGY;

export function isDelegable(resource: ResourceCode): resource is DelegableResource {
  return resource === ResourceCode.BANDWIDTH || resource === ResourceCode.ENERGY;
}

export const ONE_TRX_SUN = 1_000_000n;

/** Marks an account whose votes rest on TRON_POWER stakes alone. */
export const OLD_TRON_POWER_INVALID = -1n;

export function accountResourceOf(account: Account): Account_AccountResource {
  return account.account_resource ?? Account_AccountResource.empty;
}

function withAccountResource(account: Account, change: Partial<Account_AccountResource>): Account {
  return { ...account, account_resource: { ...accountResourceOf(account), ...change } };
}

/** The account's own stake 2.0 for a resource, without what it has lent. */
export function stakeV2(account: Account, resource: ResourceCode): Sun {
  for (const { type, amount } of account.frozenV2) if (type === resource) return amount;
  return 0n;
}

/** Adds to the entry of `resource`, which is appended when it is not there and stays when it falls to 0. */
export function addStakeV2(account: Account, resource: ResourceCode, delta: Sun): Account {
  const known = account.frozenV2.some(({ type }) => type === resource);
  const frozenV2 = known
    ? account.frozenV2.map((entry) => (entry.type === resource ? { ...entry, amount: entry.amount + delta } : entry))
    : [...account.frozenV2, { type: resource, amount: delta }];
  return { ...account, frozenV2 };
}

/** Stake 2.0 that others use. */
export function lentV2(account: Account, resource: DelegableResource): Sun {
  return resource === ResourceCode.BANDWIDTH
    ? account.delegated_frozenV2_balance_for_bandwidth
    : accountResourceOf(account).delegated_frozenV2_balance_for_energy;
}

export function addLentV2(account: Account, resource: DelegableResource, delta: Sun): Account {
  const amount = lentV2(account, resource) + delta;
  return resource === ResourceCode.BANDWIDTH
    ? { ...account, delegated_frozenV2_balance_for_bandwidth: amount }
    : withAccountResource(account, { delegated_frozenV2_balance_for_energy: amount });
}

/** Stake 2.0 of others that this account uses. */
export function borrowedV2(account: Account, resource: DelegableResource): Sun {
  return resource === ResourceCode.BANDWIDTH
    ? account.acquired_delegated_frozenV2_balance_for_bandwidth
    : accountResourceOf(account).acquired_delegated_frozenV2_balance_for_energy;
}

export function withBorrowedV2(account: Account, resource: DelegableResource, amount: Sun): Account {
  return resource === ResourceCode.BANDWIDTH
    ? { ...account, acquired_delegated_frozenV2_balance_for_bandwidth: amount }
    : withAccountResource(account, { acquired_delegated_frozenV2_balance_for_energy: amount });
}

/** The account's own stake 1.0. */
export function stakeV1(account: Account, resource: ResourceCode): Sun {
  if (resource === ResourceCode.BANDWIDTH) return account.frozen.reduce((sum, entry) => sum + entry.frozen_balance, 0n);
  return lockedStakeV1(account, resource)?.frozen_balance ?? 0n;
}

/** The one entry in which stake 1.0 for Energy or tron power lies. */
export function lockedStakeV1(account: Account, resource: ResourceCode): Account_Frozen | undefined {
  return resource === ResourceCode.ENERGY ? accountResourceOf(account).frozen_balance_for_energy : account.tron_power;
}

/** `undefined` removes the stake. */
export function withStakeV1(account: Account, resource: ResourceCode, stake: Account_Frozen | undefined): Account {
  switch (resource) {
    case ResourceCode.BANDWIDTH:
      return { ...account, frozen: stake === undefined ? [] : [stake] };
    case ResourceCode.ENERGY:
      return withAccountResource(account, { frozen_balance_for_energy: stake });
    default:
      return { ...account, tron_power: stake };
  }
}

export function lentV1(account: Account, resource: DelegableResource): Sun {
  return resource === ResourceCode.BANDWIDTH
    ? account.delegated_frozen_balance_for_bandwidth
    : accountResourceOf(account).delegated_frozen_balance_for_energy;
}

export function addLentV1(account: Account, resource: DelegableResource, delta: Sun): Account {
  const amount = lentV1(account, resource) + delta;
  return resource === ResourceCode.BANDWIDTH
    ? { ...account, delegated_frozen_balance_for_bandwidth: amount }
    : withAccountResource(account, { delegated_frozen_balance_for_energy: amount });
}

export function borrowedV1(account: Account, resource: DelegableResource): Sun {
  return resource === ResourceCode.BANDWIDTH
    ? account.acquired_delegated_frozen_balance_for_bandwidth
    : accountResourceOf(account).acquired_delegated_frozen_balance_for_energy;
}

export function withBorrowedV1(account: Account, resource: DelegableResource, amount: Sun): Account {
  return resource === ResourceCode.BANDWIDTH
    ? { ...account, acquired_delegated_frozen_balance_for_bandwidth: amount }
    : withAccountResource(account, { acquired_delegated_frozen_balance_for_energy: amount });
}

/** Everything that gives this account the resource: own and borrowed stake of both versions. Lent stake is not in it. */
export function usableStake(account: Account, resource: DelegableResource): Sun {
  return (
    stakeV1(account, resource) +
    borrowedV1(account, resource) +
    stakeV2(account, resource) +
    borrowedV2(account, resource)
  );
}

/** What the weight of the network counts of an account's stake 2.0: own and lent. */
export function weighedStakeV2(account: Account, resource: ResourceCode): Sun {
  return stakeV2(account, resource) + (isDelegable(resource) ? lentV2(account, resource) : 0n);
}

const DELEGABLE = [ResourceCode.BANDWIDTH, ResourceCode.ENERGY] as const;

/** Stake for bandwidth and Energy, own and lent: what votes while the new resource model is off. In sun. */
export function tronPower(account: Account): Sun {
  let total = 0n;
  for (const resource of DELEGABLE) {
    total += stakeV1(account, resource) + lentV1(account, resource) + weighedStakeV2(account, resource);
  }
  return total;
}

/**
 * What votes under the new resource model, in sun: TRON_POWER stakes, and for an account that staked before the model
 * what it had then. While the model is off `old_tron_power` is 0 and this equals `tronPower`.
 */
export function allTronPower(account: Account): Sun {
  const own = stakeV1(account, ResourceCode.TRON_POWER) + stakeV2(account, ResourceCode.TRON_POWER);
  if (account.old_tron_power === OLD_TRON_POWER_INVALID) return own;
  return own + (account.old_tron_power === 0n ? tronPower(account) : account.old_tron_power);
}
