/**
 * How much bandwidth and Energy a stake gives per day (protocol/limits.md). Mirrors the limit functions of
 * java-tron's BandwidthProcessor, EnergyProcessor and RepositoryImpl.
 *
 * There are two forms, and both are in use at the same time: fractions of a coin count for bandwidth and for what the
 * API shows, only whole coins count for what a contract call may spend. Doubles are divided and multiplied in the order
 * written; an exact result can come out one lower (protocol/limits.md#double-rounding).
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

export const SUN_PER_COIN = 1_000_000n;

/** Own Stake 2.0 for a resource, without what is delegated out; sun. */
export function stakeV2Of(account: Pick<MeteredAccount, 'frozenV2'>, resource: StakedResource): bigint {
  let sun = 0n;
  for (const stake of account.frozenV2) if (stake.type === resource) sun += stake.amount;
  return sun;
}

/** Own stake 1.0 for a resource; sun. */
export function stakeV1Of(account: MeteredAccount, resource: MeteredResource): bigint {
  if (resource === ENERGY) return energyRecord(account).frozen_balance_for_energy?.frozen_balance ?? 0n;
  let sun = 0n;
  for (const { frozen_balance } of account.frozen) sun += frozen_balance;
  return sun;
}

/**
 * All stake that counts for a resource: own and received, of both kinds; sun (protocol/limits.md#stake-that-counts).
 * Delegated-out coin is not in it.
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
 * `limitV2`: the share of `totalLimit` that a stake gives, fractions of a coin included
 * (protocol/limits.md#limit-in-fractional-trx-stake-20).
 *
 * @param totalWeight whole coins staked by everybody; 0 gives 0
 */
function fractionalLimit(
  stakeSun: bigint,
  totalLimit: bigint,
  totalWeight: bigint,
  { hardened }: Pick<ResourceRules, 'hardened'>,
): bigint {
  if (totalWeight === 0n || stakeSun === 0n) return 0n;
  if (hardened) return longValueExact((stakeSun * totalLimit) / (SUN_PER_COIN * totalWeight));
  return longFromDouble((Number(stakeSun) / 1e6) * (Number(totalLimit) / Number(totalWeight)));
}

/**
 * `limitV1`: the same for whole coins only (protocol/limits.md#limit-in-whole-trx-stake-10). Without a weight the
 * division gives infinity, hence the largest long: callers that guard against it do so themselves.
 */
function wholeCoinLimit(
  stakeSun: bigint,
  totalLimit: bigint,
  totalWeight: bigint,
  { hardened }: Pick<ResourceRules, 'hardened'>,
): bigint {
  if (stakeSun < SUN_PER_COIN) return 0n;
  const coins = stakeSun / SUN_PER_COIN;
  if (hardened && totalWeight !== 0n) return longValueExact((coins * totalLimit) / totalWeight);
  return longFromDouble(Number(coins) * (Number(totalLimit) / Number(totalWeight)));
}

/** Staked bandwidth of an account per day: what pays for bytes, and `NetLimit` of the API. */
export function bandwidthLimit(account: MeteredAccount, totals: ResourceTotals, rules: ResourceRules): bigint {
  return bandwidthOfStake(stakeOf(account, BANDWIDTH), totals, rules);
}

/** Bandwidth per day that a stake of so many sun gives. */
export function bandwidthOfStake(stakeSun: bigint, totals: ResourceTotals, rules: ResourceRules): bigint {
  if (rules.unfreezeDelay) return fractionalLimit(stakeSun, totals.netLimit, totals.netWeight, rules);
  if (totals.netWeight === 0n || (rules.newReward && totals.netWeight < 0n)) return 0n;
  return wholeCoinLimit(stakeSun, totals.netLimit, totals.netWeight, rules);
}

/** `EnergyLimit` of the API. A contract call may spend {@link callEnergyLimit}, which can be less. */
export function energyLimit(account: MeteredAccount, totals: ResourceTotals, rules: ResourceRules): bigint {
  const stake = stakeOf(account, ENERGY);
  if (rules.unfreezeDelay) return fractionalLimit(stake, totals.energyLimit, totals.energyWeight, rules);
  if (rules.newReward && totals.energyWeight <= 0n) return 0n;
  return wholeCoinLimit(stake, totals.energyLimit, totals.energyWeight, rules);
}

/**
 * Energy per day that contract calls can use of a stake: whole coins only, whatever the rules
 * (protocol/limits.md#the-virtual-machine-counts-whole-trx).
 */
export function callEnergyLimit(account: MeteredAccount, totals: ResourceTotals, rules: ResourceRules): bigint {
  return callEnergyOfStake(stakeOf(account, ENERGY), totals, rules);
}

/** Energy per day that contract calls can use of a stake of so many sun. */
export function callEnergyOfStake(stakeSun: bigint, totals: ResourceTotals, rules: ResourceRules): bigint {
  return wholeCoinLimit(stakeSun, totals.energyLimit, totals.energyWeight, rules);
}

/** `left`: staked Energy that a contract call can use now (protocol/limits.md#the-virtual-machine-counts-whole-trx). */
export function leftEnergy(
  account: MeteredAccount,
  totals: ResourceTotals,
  nowSlot: bigint,
  rules: ResourceRules,
): bigint {
  const limit = callEnergyLimit(account, totals, rules);
  return limit === 0n ? 0n : maxLong(limit - recoveredInOwnWindow(usageWindow(account, ENERGY), nowSlot, rules), 0n);
}

/** Staked bandwidth left now; negative after coin was unstaked under running usage. */
export function leftBandwidth(
  account: MeteredAccount,
  totals: ResourceTotals,
  nowSlot: bigint,
  rules: ResourceRules,
): bigint {
  return bandwidthLimit(account, totals, rules) - recovered(usageWindow(account, BANDWIDTH), nowSlot, rules);
}
