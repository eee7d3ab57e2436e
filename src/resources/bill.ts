/**
 * Decides who pays for the Energy of a call (protocol/energy.md#the-bill-and-the-receipt). Mirrors
 * ReceiptCapsule.payEnergyBill and TransactionTrace.
 *
 * Order of the writes: after a successful call, `undoPreMerge` removes the charge in advance, and `consume` of
 * recovery.ts adds each account's part at the same slot. After a failed call, one step adds the part to the stored
 * usage. The two ways can differ by one unit, and both are the protocol (protocol/energy.md#one-step-or-two-steps). If
 * the bill is 0, nothing is written, so the charge in advance of a successful call remains
 * (protocol/energy.md#a-success-without-energy). If the bill is not 0, a deployer other than the caller is always
 * written, even with a part of 0 (protocol/energy.md#the-split).
 */

import { maxLong, minLong, multiplyExact, wrapLong } from '../primitives/java-math.js';
import type { PreMergeMemo } from './budget.js';
import type { UsageWindow } from './metered-account.js';
import { windowPrecise, windowSlots } from './recovery.js';
import type { ResourceRules } from './rules.js';

/**
 * Removes the charge in advance from the account's usage, which the code may have changed since
 * (protocol/energy.md#undoing-that-usage). If the code did not change it, the result is exactly the usage before the
 * charge. The stored time stays.
 *
 * @param current usage after the call
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
  /** Staked Energy of the caller when the budget was computed. */
  readonly callerLeft: bigint;
  /** The deployer's side; undefined for a deployment, and if the deployer does not exist or is the caller. */
  readonly origin?:
    | {
        /** `callerPercent` of budget.ts. */
        readonly callerPercent: bigint;
        /** Staked Energy of the deployer when the budget was computed. */
        readonly leftEnergy: bigint;
        /** `originEnergyLimit` of budget.ts. */
        readonly energyLimit: bigint;
      }
    | undefined;
  /** `energyPriceSun` of energy-price.ts. */
  readonly priceSun: bigint;
}

/** The parts of a bill. The sum of the first three is the total. */
export interface EnergyBill {
  /** `origin_energy_usage`: from the deployer's stake. */
  readonly originUsage: bigint;
  /** `energy_usage`: from the caller's stake. */
  readonly callerUsage: bigint;
  /** Energy that the caller pays for with TRX. */
  readonly boughtEnergy: bigint;
  /** `energy_fee`. */
  readonly feeSun: bigint;
}

/**
 * Splits the used Energy: the deployer pays its percentage, limited by its staked Energy and its limit per call. The
 * caller pays the rest, with staked Energy first, then with TRX (protocol/energy.md#the-split).
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
