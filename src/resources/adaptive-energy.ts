/**
 * The daily Energy that follows demand, while ALLOW_ADAPTIVE_ENERGY is on
 * (protocol/energy-factor.md#adaptive-energy-limit). Mirrors EnergyProcessor.updateTotalEnergyAverageUsage and
 * updateAdaptiveTotalEnergyLimit.
 */

import { maxLong, minLong, wrapLong } from '../primitives/java-math.js';
import { divisionOf, fixedWindowUsage } from './recovery.js';
import type { ResourceRules } from './rules.js';

export interface AdaptiveEnergy {
  /** TOTAL_ENERGY_AVERAGE_USAGE at TOTAL_ENERGY_AVERAGE_TIME. */
  readonly averageUsage: bigint;
  readonly averageSlot: bigint;
  /** TOTAL_ENERGY_CURRENT_LIMIT. */
  readonly currentLimit: bigint;
}

export interface AdaptiveEnergyTerms {
  /** BLOCK_ENERGY_USAGE: staked and bought Energy of this block. */
  readonly blockUsage: bigint;
  /** Of the block's parent. */
  readonly nowSlot: bigint;
  /** Slots of a minute, over which the average is taken. */
  readonly minuteSlots: bigint;
  /** TOTAL_ENERGY_TARGET_LIMIT. */
  readonly targetLimit: bigint;
  /** TOTAL_ENERGY_LIMIT: the least that the limit can be. */
  readonly baseLimit: bigint;
  /** ADAPTIVE_RESOURCE_LIMIT_MULTIPLIER: times the base, the most. */
  readonly multiplier: bigint;
  readonly rules: Pick<ResourceRules, 'hardened'>;
}

/** After the transactions of a block: a busy minute takes a hundredth from the limit, a quiet one adds a thousandth. */
export function adaptedEnergy(before: AdaptiveEnergy, terms: AdaptiveEnergyTerms): AdaptiveEnergy {
  const { blockUsage, nowSlot, minuteSlots, targetLimit, baseLimit, multiplier, rules } = terms;
  const { averageUsage: last, averageSlot, currentLimit } = before;
  const averageUsage = fixedWindowUsage(last, blockUsage, averageSlot, nowSlot, minuteSlots, rules);
  const { floor } = divisionOf(rules);
  const next = averageUsage > targetLimit ? floor(currentLimit * 99n, 100n) : floor(currentLimit * 1000n, 999n);
  const most = baseLimit * multiplier;
  return {
    averageUsage,
    averageSlot: nowSlot,
    currentLimit: minLong(maxLong(next, baseLimit), rules.hardened ? most : wrapLong(most)),
  };
}
