/**
 * The part of an account that resource formulas read: stakes and usages, with the shape of `protocol.Account`. Its two
 * recovery windows, for bandwidth and for Energy, have one type.
 */

/** Numbers of the network's `ResourceCode`. */
export const BANDWIDTH = 0;
export const ENERGY = 1;
export const TRON_POWER = 2;

/** Resources with a usage. */
export type MeteredResource = typeof BANDWIDTH | typeof ENERGY;
/** Resources that can be staked for. */
export type StakedResource = MeteredResource | typeof TRON_POWER;

/** Usage of a resource, its time, and its recovery window. */
export interface UsageWindow {
  /** Used bytes or Energy at `lastSlot`. */
  readonly usage: bigint;
  /** Slot of the last write. */
  readonly lastSlot: bigint;
  /** As stored: 0 = the default; in slots, or with `windowOptimized` in thousandths of a slot. */
  readonly windowSize: bigint;
  readonly windowOptimized: boolean;
}

export interface FrozenBalance {
  readonly frozen_balance: bigint;
  readonly expire_time: bigint;
}

export interface StakeV2 {
  readonly type: number;
  readonly amount: bigint;
}

/** Same shape as `protocol.Account.AccountResource`. */
export interface EnergyRecord {
  readonly energy_usage: bigint;
  readonly frozen_balance_for_energy: FrozenBalance | undefined;
  readonly latest_consume_time_for_energy: bigint;
  readonly acquired_delegated_frozen_balance_for_energy: bigint;
  readonly delegated_frozen_balance_for_energy: bigint;
  readonly storage_limit: bigint;
  readonly storage_usage: bigint;
  readonly latest_exchange_storage_time: bigint;
  readonly energy_window_size: bigint;
  readonly delegated_frozenV2_balance_for_energy: bigint;
  readonly acquired_delegated_frozenV2_balance_for_energy: bigint;
  readonly energy_window_optimized: boolean;
}

/** Same shape as a part of `protocol.Account`; amounts in sun, times in slots. */
export interface MeteredAccount {
  readonly balance: bigint;
  readonly frozen: readonly FrozenBalance[];
  readonly frozenV2: readonly StakeV2[];
  readonly net_usage: bigint;
  readonly latest_consume_time: bigint;
  readonly net_window_size: bigint;
  readonly net_window_optimized: boolean;
  readonly free_net_usage: bigint;
  readonly latest_consume_free_time: bigint;
  readonly account_resource: EnergyRecord | undefined;
  readonly delegated_frozen_balance_for_bandwidth: bigint;
  readonly acquired_delegated_frozen_balance_for_bandwidth: bigint;
  readonly delegated_frozenV2_balance_for_bandwidth: bigint;
  readonly acquired_delegated_frozenV2_balance_for_bandwidth: bigint;
  readonly old_tron_power: bigint;
  readonly tron_power: FrozenBalance | undefined;
}

const NO_ENERGY_RECORD: EnergyRecord = {
  energy_usage: 0n,
  frozen_balance_for_energy: undefined,
  latest_consume_time_for_energy: 0n,
  acquired_delegated_frozen_balance_for_energy: 0n,
  delegated_frozen_balance_for_energy: 0n,
  storage_limit: 0n,
  storage_usage: 0n,
  latest_exchange_storage_time: 0n,
  energy_window_size: 0n,
  delegated_frozenV2_balance_for_energy: 0n,
  acquired_delegated_frozenV2_balance_for_energy: 0n,
  energy_window_optimized: false,
};

/** The account's Energy record; an absent one counts as zeros. */
export function energyRecord(account: Pick<MeteredAccount, 'account_resource'>): EnergyRecord {
  return account.account_resource ?? NO_ENERGY_RECORD;
}

/** The account's staked bandwidth or Energy usage. */
export function usageWindow(account: MeteredAccount, resource: MeteredResource): UsageWindow {
  if (resource === BANDWIDTH) {
    return {
      usage: account.net_usage,
      lastSlot: account.latest_consume_time,
      windowSize: account.net_window_size,
      windowOptimized: account.net_window_optimized,
    };
  }
  const record = energyRecord(account);
  return {
    usage: record.energy_usage,
    lastSlot: record.latest_consume_time_for_energy,
    windowSize: record.energy_window_size,
    windowOptimized: record.energy_window_optimized,
  };
}

/** A copy of the account with another usage of one resource. */
export function withUsageWindow<A extends MeteredAccount>(
  account: A,
  resource: MeteredResource,
  { usage, lastSlot, windowSize, windowOptimized }: UsageWindow,
): A {
  if (resource === BANDWIDTH) {
    return {
      ...account,
      net_usage: usage,
      latest_consume_time: lastSlot,
      net_window_size: windowSize,
      net_window_optimized: windowOptimized,
    };
  }
  return {
    ...account,
    account_resource: {
      ...energyRecord(account),
      energy_usage: usage,
      latest_consume_time_for_energy: lastSlot,
      energy_window_size: windowSize,
      energy_window_optimized: windowOptimized,
    },
  };
}
