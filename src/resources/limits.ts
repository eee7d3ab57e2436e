/**
 * Bandwidth and Energy per day that a stake gives (protocol/limits.md). Mirrors the limit functions of java-tron's
 * BandwidthProcessor, EnergyProcessor and RepositoryImpl.
 *
 * Two forms are in use at the same time: bandwidth and answers of the API count fractions of a TRX; contract calls
 * count whole TRX only. Doubles are divided and multiplied in the written order; the result can be one lower than the
 * exact one (protocol/limits.md#double-rounding).
 */

import { longFromDouble, longValueExact, maxLong } from '../primitives/java-math.js';
import {
  BANDWIDTH,
  ENERGY,
  energyRecord,
  type MeteredAccount,
  type MeteredResource,
  type StakedResource,
  usageWindow,
} from './metered-account.js';
import { recovered, recoveredInOwnWindow } from './recovery.js';
import type { ResourceRules, ResourceTotals } from './rules.js';

export const SUN_PER_TRX = 1_000_000n;

/** Own Stake 2.0 for a resource, without delegated stake; sun. */
export function stakeV2Of(account: Pick<MeteredAccount, 'frozenV2'>, resource: StakedResource): bigint {
  let sun = 0n;
  for (const stake of account.frozenV2) if (stake.type === resource) sun += stake.amount;
  return sun;
}

/** Own Stake 1.0 for a resource; sun. */
export function stakeV1Of(account: MeteredAccount, resource: MeteredResource): bigint {
  if (resource === ENERGY) return energyRecord(account).frozen_balance_for_energy?.frozen_balance ?? 0n;
  let sun = 0n;
  for (const { frozen_balance } of account.frozen) sun += frozen_balance;
  return sun;
}

/**
 * All stake that counts for a resource: own and acquired, Stake 1.0 and 2.0; sun
 * (protocol/limits.md#stake-that-counts). Without delegated stake.
 */
export function stakeOf(account: MeteredAccount, resource: MeteredResource): bigint {
  const own = stakeV1Of(account, resource) + stakeV2Of(account, resource);
  if (resource === BANDWIDTH) {
    return (
      own +
      account.acquired_delegated_frozen_balance_for_bandwidth +
      account.acquired_delegated_frozenV2_balance_for_bandwidth
    );
  }
  const record = energyRecord(account);
  return (
    own + record.acquired_delegated_frozen_balance_for_energy + record.acquired_delegated_frozenV2_balance_for_energy
  );
}

/**
 * `limitV2`: the part of `totalLimit` that a stake gives, fractions of a TRX included
 * (protocol/limits.md#limit-in-fractional-trx-stake-20).
 *
 * @param totalWeight staked TRX of all accounts; 0 gives 0
 */
function fractionalLimit(
  stakeSun: bigint,
  totalLimit: bigint,
  totalWeight: bigint,
  { hardened }: Pick<ResourceRules, 'hardened'>,
): bigint {
  if (totalWeight === 0n || stakeSun === 0n) return 0n;
  if (hardened) return longValueExact((stakeSun * totalLimit) / (SUN_PER_TRX * totalWeight));
  return longFromDouble((Number(stakeSun) / 1e6) * (Number(totalLimit) / Number(totalWeight)));
}

/**
 * `limitV1`: the same for whole TRX only (protocol/limits.md#limit-in-whole-trx-stake-10). A weight of 0 gives
 * infinity, and so the largest long: callers that must avoid it check before.
 */
function wholeTrxLimit(
  stakeSun: bigint,
  totalLimit: bigint,
  totalWeight: bigint,
  { hardened }: Pick<ResourceRules, 'hardened'>,
): bigint {
  if (stakeSun < SUN_PER_TRX) return 0n;
  const wholeTrx = stakeSun / SUN_PER_TRX;
  if (hardened && totalWeight !== 0n) return longValueExact((wholeTrx * totalLimit) / totalWeight);
  return longFromDouble(Number(wholeTrx) * (Number(totalLimit) / Number(totalWeight)));
}

/** Staked bandwidth of an account per day: for payments of bytes, and `NetLimit` of the API. */
export function bandwidthLimit(account: MeteredAccount, totals: ResourceTotals, rules: ResourceRules): bigint {
  return bandwidthOfStake(stakeOf(account, BANDWIDTH), totals, rules);
}

/** Bandwidth per day of a stake in sun. */
export function bandwidthOfStake(stakeSun: bigint, totals: ResourceTotals, rules: ResourceRules): bigint {
  if (rules.unfreezeDelay) return fractionalLimit(stakeSun, totals.netLimit, totals.netWeight, rules);
  if (totals.netWeight === 0n || (rules.newReward && totals.netWeight < 0n)) return 0n;
  return wholeTrxLimit(stakeSun, totals.netLimit, totals.netWeight, rules);
}

/** `EnergyLimit` of the API. The limit of contract calls is {@link callEnergyLimit}, which can be lower. */
export function energyLimit(account: MeteredAccount, totals: ResourceTotals, rules: ResourceRules): bigint {
  return energyOfStake(stakeOf(account, ENERGY), totals, rules);
}

/** Energy per day of a stake in sun, as the API answers it. */
export function energyOfStake(stakeSun: bigint, totals: ResourceTotals, rules: ResourceRules): bigint {
  if (rules.unfreezeDelay) return fractionalLimit(stakeSun, totals.energyLimit, totals.energyWeight, rules);
  if (rules.newReward && totals.energyWeight <= 0n) return 0n;
  return wholeTrxLimit(stakeSun, totals.energyLimit, totals.energyWeight, rules);
}

/**
 * Energy per day for contract calls: whole TRX only, under all rules
 * (protocol/limits.md#the-virtual-machine-counts-whole-trx).
 */
export function callEnergyLimit(account: MeteredAccount, totals: ResourceTotals, rules: ResourceRules): bigint {
  return callEnergyOfStake(stakeOf(account, ENERGY), totals, rules);
}

/** Energy per day for contract calls, of a stake in sun. */
export function callEnergyOfStake(stakeSun: bigint, totals: ResourceTotals, rules: ResourceRules): bigint {
  return wholeTrxLimit(stakeSun, totals.energyLimit, totals.energyWeight, rules);
}

/** `left`: staked Energy available to a contract call now (protocol/limits.md#the-virtual-machine-counts-whole-trx). */
export function leftEnergy(
  account: MeteredAccount,
  totals: ResourceTotals,
  nowSlot: bigint,
  rules: ResourceRules,
): bigint {
  const limit = callEnergyLimit(account, totals, rules);
  return limit === 0n ? 0n : maxLong(limit - recoveredInOwnWindow(usageWindow(account, ENERGY), nowSlot, rules), 0n);
}

/** Staked bandwidth available now; negative after an unstake with usage left. */
export function leftBandwidth(
  account: MeteredAccount,
  totals: ResourceTotals,
  nowSlot: bigint,
  rules: ResourceRules,
): bigint {
  return bandwidthLimit(account, totals, rules) - recovered(usageWindow(account, BANDWIDTH), nowSlot, rules);
}
