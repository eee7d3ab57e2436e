/** Accounts, rules and totals for the scenarios of protocol/bandwidth.md. */

import {
  ENERGY,
  type EnergyRecord,
  energyRecord,
  type MeteredAccount,
  type UsageWindow,
} from '../../../src/resources/metered-account.js';
import type { ResourceRules, ResourceTotals } from '../../../src/resources/rules.js';

export const COIN = 1_000_000n;

export const MAINNET_RULES: ResourceRules = {
  daySlots: 28_800n,
  unfreezeDelay: true,
  cancelAllUnfreezeV2: true,
  newReward: true,
  newResourceModel: false,
  tvmFreeze: false,
  adaptiveEnergy: false,
  hardened: false,
};

export const BEFORE_CANCEL_ALL: ResourceRules = { ...MAINNET_RULES, cancelAllUnfreezeV2: false };
export const STAKE_1: ResourceRules = { ...BEFORE_CANCEL_ALL, unfreezeDelay: false };

export function totals(weights: { net?: bigint; energy?: bigint } = {}): ResourceTotals {
  return {
    netLimit: 43_200_000_000n,
    netWeight: weights.net ?? 0n,
    energyLimit: 180_000_000_000n,
    energyWeight: weights.energy ?? 0n,
  };
}

export function account(fields: Partial<MeteredAccount> = {}, energy?: Partial<EnergyRecord>): MeteredAccount {
  const empty: MeteredAccount = {
    balance: 0n,
    frozen: [],
    frozenV2: [],
    net_usage: 0n,
    latest_consume_time: 0n,
    net_window_size: 0n,
    net_window_optimized: false,
    free_net_usage: 0n,
    latest_consume_free_time: 0n,
    account_resource: undefined,
    delegated_frozen_balance_for_bandwidth: 0n,
    acquired_delegated_frozen_balance_for_bandwidth: 0n,
    delegated_frozenV2_balance_for_bandwidth: 0n,
    acquired_delegated_frozenV2_balance_for_bandwidth: 0n,
    old_tron_power: 0n,
    tron_power: undefined,
    ...fields,
  };
  return energy === undefined ? empty : { ...empty, account_resource: { ...energyRecord(empty), ...energy } };
}

export function stakedForEnergy(sun: bigint, energy: Partial<EnergyRecord> = {}): MeteredAccount {
  return account({ frozenV2: [{ type: ENERGY, amount: sun }] }, energy);
}

/** A usage that was written under current rules. */
export function usage(amount: bigint, lastSlot: bigint, windowSize = 28_800_000n): UsageWindow {
  return { usage: amount, lastSlot, windowSize, windowOptimized: true };
}

/** Never used. */
export const FRESH: UsageWindow = { usage: 0n, lastSlot: 0n, windowSize: 0n, windowOptimized: false };
