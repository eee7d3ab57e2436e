/**
 * Changes an account: a copy with some other fields, written field by field. `{ ...account, balance }` has the same
 * effect, and rare code uses it. On Node 20, a spread of a spread object takes 1.3 to 2 µs for an account's 43 fields
 * (V8 leaves its fast path for such chains), this copy 0.09 µs. Frequent changes use it.
 */

import type { Account, Account_AccountResource } from '../../protocol/generated/tron.js';
import { BANDWIDTH, energyRecord, type MeteredResource, type UsageWindow } from '../../resources/metered-account.js';

type Writable<Message> = { -readonly [Field in keyof Message]: Message[Field] };

function assign<Message>(copy: Writable<Message>, change: Partial<Message>): Message {
  for (const field in change) copy[field] = change[field] as Message[Extract<keyof Message, string>];
  return copy;
}

/** `{ ...account, ...change }`. */
export function changedAccount(account: Account, change: Partial<Account>): Account {
  return assign(copyOf(account), change);
}

/** The account with another usage of one resource, and with other changes. */
export function withUsage(
  account: Account,
  resource: MeteredResource,
  { usage, lastSlot, windowSize, windowOptimized }: UsageWindow,
  change: Partial<Account> = {},
): Account {
  const copy = copyOf(account);
  if (resource === BANDWIDTH) {
    copy.net_usage = usage;
    copy.latest_consume_time = lastSlot;
    copy.net_window_size = windowSize;
    copy.net_window_optimized = windowOptimized;
  } else {
    const record = copyOfResource(energyRecord(account));
    record.energy_usage = usage;
    record.latest_consume_time_for_energy = lastSlot;
    record.energy_window_size = windowSize;
    record.energy_window_optimized = windowOptimized;
    copy.account_resource = record;
  }
  return assign(copy, change);
}

function copyOfResource(from: Account_AccountResource): Writable<Account_AccountResource> {
  return {
    energy_usage: from.energy_usage,
    frozen_balance_for_energy: from.frozen_balance_for_energy,
    latest_consume_time_for_energy: from.latest_consume_time_for_energy,
    acquired_delegated_frozen_balance_for_energy: from.acquired_delegated_frozen_balance_for_energy,
    delegated_frozen_balance_for_energy: from.delegated_frozen_balance_for_energy,
    storage_limit: from.storage_limit,
    storage_usage: from.storage_usage,
    latest_exchange_storage_time: from.latest_exchange_storage_time,
    energy_window_size: from.energy_window_size,
    delegated_frozenV2_balance_for_energy: from.delegated_frozenV2_balance_for_energy,
    acquired_delegated_frozenV2_balance_for_energy: from.acquired_delegated_frozenV2_balance_for_energy,
    energy_window_optimized: from.energy_window_optimized,
  };
}

/**
 * Lists every field: the type checker reports missing ones, and the literal gives every account the same hidden class.
 */
function copyOf(from: Account): Writable<Account> {
  return {
    account_name: from.account_name,
    type: from.type,
    address: from.address,
    balance: from.balance,
    votes: from.votes,
    asset: from.asset,
    frozen: from.frozen,
    net_usage: from.net_usage,
    create_time: from.create_time,
    latest_opration_time: from.latest_opration_time,
    allowance: from.allowance,
    latest_withdraw_time: from.latest_withdraw_time,
    code: from.code,
    is_witness: from.is_witness,
    is_committee: from.is_committee,
    frozen_supply: from.frozen_supply,
    asset_issued_name: from.asset_issued_name,
    latest_asset_operation_time: from.latest_asset_operation_time,
    free_net_usage: from.free_net_usage,
    free_asset_net_usage: from.free_asset_net_usage,
    latest_consume_time: from.latest_consume_time,
    latest_consume_free_time: from.latest_consume_free_time,
    account_id: from.account_id,
    net_window_size: from.net_window_size,
    net_window_optimized: from.net_window_optimized,
    account_resource: from.account_resource,
    codeHash: from.codeHash,
    owner_permission: from.owner_permission,
    witness_permission: from.witness_permission,
    active_permission: from.active_permission,
    frozenV2: from.frozenV2,
    unfrozenV2: from.unfrozenV2,
    delegated_frozenV2_balance_for_bandwidth: from.delegated_frozenV2_balance_for_bandwidth,
    acquired_delegated_frozenV2_balance_for_bandwidth: from.acquired_delegated_frozenV2_balance_for_bandwidth,
    acquired_delegated_frozen_balance_for_bandwidth: from.acquired_delegated_frozen_balance_for_bandwidth,
    delegated_frozen_balance_for_bandwidth: from.delegated_frozen_balance_for_bandwidth,
    old_tron_power: from.old_tron_power,
    tron_power: from.tron_power,
    assetV2: from.assetV2,
    asset_issued_ID: from.asset_issued_ID,
    latest_asset_operation_timeV2: from.latest_asset_operation_timeV2,
    free_asset_net_usageV2: from.free_asset_net_usageV2,
    asset_optimized: from.asset_optimized,
  };
}
