/**
 * Stake fields of an account: one accessor for Bandwidth and Energy, whose fields are in different parts of the
 * message (protocol/accounts.md#account-fields). Mirrors the stake accessors of AccountCapsule. Sums and limits are in
 * `resources/limits.ts`; changes are in `staking.ts`, `stake-v1.ts` and `delegation.ts`.
 */

import type { Sun } from '../../primitives/ids.js';
import { ResourceCode } from '../../protocol/generated/resource-code.js';
import { type Account, Account_AccountResource, type Account_Frozen } from '../../protocol/generated/tron.js';
import type { MeteredResource } from '../../resources/metered-account.js';

/** Whether stake for `resource` can be delegated: Bandwidth and Energy. */
export function isDelegable(resource: ResourceCode): resource is MeteredResource {
  return resource === ResourceCode.BANDWIDTH || resource === ResourceCode.ENERGY;
}

export function accountResourceOf(account: Account): Account_AccountResource {
  return account.account_resource ?? Account_AccountResource.empty;
}

function withAccountResource(account: Account, change: Partial<Account_AccountResource>): Account {
  return { ...account, account_resource: { ...accountResourceOf(account), ...change } };
}

/** Stake 2.0 delegated to others. */
export function delegatedV2(account: Account, resource: MeteredResource): Sun {
  return resource === ResourceCode.BANDWIDTH
    ? account.delegated_frozenV2_balance_for_bandwidth
    : accountResourceOf(account).delegated_frozenV2_balance_for_energy;
}

export function addDelegatedV2(account: Account, resource: MeteredResource, delta: Sun): Account {
  const amount = delegatedV2(account, resource) + delta;
  return resource === ResourceCode.BANDWIDTH
    ? { ...account, delegated_frozenV2_balance_for_bandwidth: amount }
    : withAccountResource(account, { delegated_frozenV2_balance_for_energy: amount });
}

/** Stake 2.0 acquired from others. */
export function acquiredV2(account: Account, resource: MeteredResource): Sun {
  return resource === ResourceCode.BANDWIDTH
    ? account.acquired_delegated_frozenV2_balance_for_bandwidth
    : accountResourceOf(account).acquired_delegated_frozenV2_balance_for_energy;
}

export function withAcquiredV2(account: Account, resource: MeteredResource, amount: Sun): Account {
  return resource === ResourceCode.BANDWIDTH
    ? { ...account, acquired_delegated_frozenV2_balance_for_bandwidth: amount }
    : withAccountResource(account, { acquired_delegated_frozenV2_balance_for_energy: amount });
}

/** Entries of own Stake 1.0: at most one, unless the account is older than the rule that merges them. */
export function stakesV1(account: Account, resource: ResourceCode): readonly Account_Frozen[] {
  if (resource === ResourceCode.BANDWIDTH) return account.frozen;
  const stake =
    resource === ResourceCode.ENERGY ? accountResourceOf(account).frozen_balance_for_energy : account.tron_power;
  return stake === undefined ? [] : [stake];
}

export function withStakesV1(account: Account, resource: ResourceCode, stakes: readonly Account_Frozen[]): Account {
  switch (resource) {
    case ResourceCode.BANDWIDTH:
      return { ...account, frozen: stakes };
    case ResourceCode.ENERGY:
      return withAccountResource(account, { frozen_balance_for_energy: stakes[0] });
    default:
      return { ...account, tron_power: stakes[0] };
  }
}

/** Stake 1.0 delegated to others. */
export function delegatedV1(account: Account, resource: MeteredResource): Sun {
  return resource === ResourceCode.BANDWIDTH
    ? account.delegated_frozen_balance_for_bandwidth
    : accountResourceOf(account).delegated_frozen_balance_for_energy;
}

export function addDelegatedV1(account: Account, resource: MeteredResource, delta: Sun): Account {
  const amount = delegatedV1(account, resource) + delta;
  return resource === ResourceCode.BANDWIDTH
    ? { ...account, delegated_frozen_balance_for_bandwidth: amount }
    : withAccountResource(account, { delegated_frozen_balance_for_energy: amount });
}

/** Stake 1.0 acquired from others. */
export function acquiredV1(account: Account, resource: MeteredResource): Sun {
  return resource === ResourceCode.BANDWIDTH
    ? account.acquired_delegated_frozen_balance_for_bandwidth
    : accountResourceOf(account).acquired_delegated_frozen_balance_for_energy;
}

export function withAcquiredV1(account: Account, resource: MeteredResource, amount: Sun): Account {
  return resource === ResourceCode.BANDWIDTH
    ? { ...account, acquired_delegated_frozen_balance_for_bandwidth: amount }
    : withAccountResource(account, { acquired_delegated_frozen_balance_for_energy: amount });
}
