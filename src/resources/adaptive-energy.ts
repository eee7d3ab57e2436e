/**
 * The daily Energy that follows demand, while ALLOW_ADAPTIVE_ENERGY is on
 * (protocol/energy-factor.md#adaptive-energy-limit). Mirrors EnergyProcessor.updateTotalEnergyAverageUsage and
 * updateAdaptiveTotalEnergyLimit.
 */

import { maxLong, minLong, wrapLong } from '../primitives/java-math.js';
import { fixedWindowUsage } from './recovery.js';

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
}

/** After the transactions of a block: a busy minute takes a hundredth from the limit, a quiet one adds a thousandth. */
export function adaptedEnergy(before: AdaptiveEnergy, terms: AdaptiveEnergyTerms): AdaptiveEnergy {
  const { blockUsage, nowSlot, minuteSlots, targetLimit, baseLimit, multiplier } = terms;
  const averageUsage = fixedWindowUsage(before.averageUsage, blockUsage, before.averageSlot, nowSlot, minuteSlots);
  const next =
    averageUsage > targetLimit
      ? wrapLong(before.currentLimit * 99n) / 100n
      : wrapLong(before.currentLimit * 1000n) / 999n;
  return {
    averageUsage,
    averageSlot: nowSlot,
    currentLimit: minLong(maxLong(next, baseLimit), wrapLong(baseLimit * multiplier)),
  };
}
