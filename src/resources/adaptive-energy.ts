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
  /** Slot of the parent block. */
  readonly nowSlot: bigint;
  /** Slots per minute, the period of the average. */
  readonly minuteSlots: bigint;
  /** TOTAL_ENERGY_TARGET_LIMIT. */
  readonly targetLimit: bigint;
  /** TOTAL_ENERGY_LIMIT: the lowest limit. */
  readonly baseLimit: bigint;
  /** ADAPTIVE_RESOURCE_LIMIT_MULTIPLIER: the highest limit is this many times the base. */
  readonly multiplier: bigint;
  readonly rules: Pick<ResourceRules, 'hardened'>;
}

/**
 * Runs after the transactions of a block: a busy minute lowers the limit by a hundredth, a quiet one raises it by a
 * thousandth.
 */
export function adaptedEnergy(before: AdaptiveEnergy, terms: AdaptiveEnergyTerms): AdaptiveEnergy {
  const { blockUsage, nowSlot, minuteSlots, targetLimit, baseLimit, multiplier, rules } = terms;
  const { averageUsage: last, averageSlot, currentLimit } = before;
  const averageUsage = fixedWindowUsage(last, blockUsage, averageSlot, nowSlot, minuteSlots, rules);
  const { floor } = divisionOf(rules);
  const next = averageUsage > targetLimit ? floor(currentLimit * 99n, 100n) : floor(currentLimit * 1000n, 999n);
  const max = baseLimit * multiplier;
  return {
    averageUsage,
    averageSlot: nowSlot,
    currentLimit: minLong(maxLong(next, baseLimit), rules.hardened ? max : wrapLong(max)),
  };
}
