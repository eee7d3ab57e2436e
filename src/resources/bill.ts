/**
 * Who pays for the Energy that a call has used (protocol/energy.md#the-bill-and-the-receipt). Mirrors
 * ReceiptCapsule.payEnergyBill and TransactionTrace.
 *
 * The order on the accounts: a call that succeeded takes back the charge in advance (`undoPreMerge`) and then adds what
 * each owes (`consume` of recovery.ts at the same slot); a call that failed adds it to the stored usage in one step.
 * The two paths can differ by a unit, both are the protocol (protocol/energy.md#one-step-or-two-steps). With a bill of
 * 0 nothing is written at all, so that the charge in advance of a successful call stays
 * (protocol/energy.md#a-success-without-energy). The deployer is written whenever the bill is not 0 and it is not the
 * caller, even when its part is 0 (protocol/energy.md#the-split).
 */

import { maxLong, minLong, multiplyExact, wrapLong } from '../primitives/java-math.js';
import type { PreMergeMemo } from './budget.js';
import type { UsageWindow } from './metered-account.js';
import { windowPrecise, windowSlots } from './recovery.js';
import type { ResourceRules } from './rules.js';

/**
 * The account's usage with the charge in advance taken back out, whatever the code did to it in between
 * (protocol/energy.md#undoing-that-usage). If it did nothing this is exactly the usage before the charge. The time
 * stays as stored.
 *
 * @param current as the call left it
 */
export function undoPreMerge(current: UsageWindow, memo: PreMergeMemo, rules: ResourceRules): UsageWindow {
  const currentSlots = windowSlots(current, rules);
  const untouched = memo.mergedWindowSlots === currentSlots;
  const slots = untouched ? memo.windowSlots : currentSlots;
  const charged = memo.mergedUsage * memo.mergedWindowSlots - memo.usage * memo.windowSlots;
  const area = wrapLong(current.usage * currentSlots - charged);
  const usage = maxLong(0n, area / slots);
  if (!rules.cancelAllUnfreezeV2) return { ...current, usage, windowSize: usage === 0n ? 0n : slots };
  const precise = untouched ? memo.windowPrecise : windowPrecise(current, rules);
  return { ...current, usage, windowSize: usage === 0n ? 0n : precise, windowOptimized: true };
}

export interface EnergyUse {
  /** `energy_usage_total`, penalties included. */
  readonly total: bigint;
  /** Staked Energy the caller had left when the budget was made. */
  readonly callerLeft: bigint;
  /** The deployer's side; undefined for a deployment, or if the deployer is missing or is the caller. */
  readonly origin?:
    | {
        /** `callerPercent` of budget.ts. */
        readonly callerPercent: bigint;
        /** Staked Energy the deployer had left when the budget was made. */
        readonly leftEnergy: bigint;
        /** `originEnergyLimit` of budget.ts. */
        readonly energyLimit: bigint;
      }
    | undefined;
  /** `energyPriceSun` of energy-price.ts. */
  readonly priceSun: bigint;
}

/** The parts of a bill; the first three sum up to the total. */
export interface EnergyBill {
  /** `origin_energy_usage`: out of the deployer's stake. */
  readonly originUsage: bigint;
  /** `energy_usage`: out of the caller's stake. */
  readonly callerUsage: bigint;
  /** Energy that the caller pays coin for. */
  readonly boughtEnergy: bigint;
  /** `energy_fee`. */
  readonly feeSun: bigint;
}

/**
 * Splits what a call has used: the deployer's percentage, at most what it had left and its limit per call; the rest to
 * the caller, staked Energy first, coin for what is missing (protocol/energy.md#the-split).
 *
 * @throws ArithmeticOverflow
 */
export function splitEnergyBill({ total, callerLeft, origin, priceSun }: EnergyUse): EnergyBill {
  if (total <= 0n) return { originUsage: 0n, callerUsage: 0n, boughtEnergy: 0n, feeSun: 0n };
  const originUsage =
    origin === undefined
      ? 0n
      : minLong(
          multiplyExact(total, 100n - origin.callerPercent) / 100n,
          minLong(origin.leftEnergy, origin.energyLimit),
        );
  const owed = total - originUsage;
  const callerUsage = minLong(callerLeft, owed);
  const boughtEnergy = owed - callerUsage;
  return { originUsage, callerUsage, boughtEnergy, feeSun: wrapLong(boughtEnergy * priceSun) };
}
