/**
 * Energy that a contract call or deployment may use (protocol/energy.md#the-budget-of-a-call), and the network's charge
 * in advance. Mirrors VMActuator with the energy-limit rule in force.
 */

import { addExact, longValueExact, maxLong, minLong } from '../primitives/java-math.js';
import type { UsageWindow } from './metered-account.js';
import { increase, windowPrecise, windowSlots } from './recovery.js';
import type { ResourceRules } from './rules.js';

/** Meaning of a stored `origin_energy_limit` of 0. */
const DEFAULT_ORIGIN_ENERGY_LIMIT = 10_000_000n;

/** The deployer's limit per call; a stored 0 means 10,000,000. */
export function originEnergyLimit(stored: bigint): bigint {
  return stored === 0n ? DEFAULT_ORIGIN_ENERGY_LIMIT : stored;
}

/** The caller's percentage of a bill, limited to 0 to 100. */
export function callerPercent(storedPercent: bigint): bigint {
  return minLong(maxLong(storedPercent, 0n), 100n);
}

export interface AccountEnergy {
  /** Staked Energy that calls can use now: `leftEnergy` of limits.ts. */
  readonly leftEnergy: bigint;
  readonly balanceSun: bigint;
  readonly callValueSun: bigint;
  readonly feeLimitSun: bigint;
  /** `energyPriceSun` of energy-price.ts. */
  readonly priceSun: bigint;
}

/**
 * Energy that one account can pay for: from stake first, then from its balance, and never more than the fee limit buys.
 * A fee limit of 0 means no Energy, even with a large stake (protocol/energy.md#one-accounts-share). The two divisions
 * round down separately.
 *
 * @throws ArithmeticOverflow
 */
export function accountEnergyLimit({
  leftEnergy,
  balanceSun,
  callValueSun,
  feeLimitSun,
  priceSun,
}: AccountEnergy): bigint {
  const fromBalance = maxLong(balanceSun - callValueSun, 0n) / priceSun;
  return minLong(addExact(leftEnergy, fromBalance), feeLimitSun / priceSun);
}

export interface OriginTerms {
  /** `callerPercent`. */
  readonly callerPercent: bigint;
  /** The deployer's remaining staked Energy; only used if the caller's percentage is below 100. */
  readonly leftEnergy: bigint;
  /** `originEnergyLimit`. */
  readonly energyLimit: bigint;
}

/**
 * The deployer's share of a call's budget (protocol/energy.md#contract-call): in proportion to the caller's part,
 * limited by the deployer's remaining Energy and its limit per call. TRON's documentation omits the first limit, which
 * decides if the caller has little.
 *
 * @param callerLimit `accountEnergyLimit` of the caller
 */
export function originShare(callerLimit: bigint, { callerPercent, leftEnergy, energyLimit }: OriginTerms): bigint {
  if (callerPercent >= 100n) return 0n;
  const own = minLong(leftEnergy, energyLimit);
  if (callerPercent <= 0n) return own;
  return minLong(longValueExact((callerLimit * (100n - callerPercent)) / callerPercent), own);
}

export interface CallBudget {
  /** Energy that the caller can pay for. */
  readonly callerLimit: bigint;
  /** The deployer's share; 0 if the deployer does not exist or is the caller. */
  readonly originShare: bigint;
  readonly total: bigint;
}

/**
 * The budget of a call (protocol/energy.md#contract-call).
 *
 * @param origin the deployer's side; undefined if its account does not exist or is the caller
 */
export function callBudget(caller: AccountEnergy, origin: OriginTerms | undefined): CallBudget {
  const callerLimit = accountEnergyLimit(caller);
  const share = origin === undefined ? 0n : originShare(callerLimit, origin);
  return { callerLimit, originShare: share, total: addExact(callerLimit, share) };
}

/** The caller's part of a given budget. */
export interface CallerNeed {
  /** The caller's part of the Energy. */
  readonly callerEnergy: bigint;
  readonly feeLimitSun: bigint;
  /** The missing part of the balance; 0 if it suffices. */
  readonly missingBalanceSun: bigint;
}

/**
 * Energy that the caller must be able to pay for, so that the budget of the call reaches `energy`. The deployer's share
 * grows with the caller's part (protocol/energy.md#contract-call).
 *
 * @param caller its fee limit does not matter
 */
export function callerNeed(
  energy: bigint,
  { leftEnergy, priceSun, balanceSun, callValueSun }: Omit<AccountEnergy, 'feeLimitSun'>,
  origin: OriginTerms | undefined,
): CallerNeed {
  const total = (callerLimit: bigint) => callerLimit + (origin === undefined ? 0n : originShare(callerLimit, origin));
  let low = 0n;
  let high = energy;
  while (low < high) {
    const middle = (low + high) / 2n;
    if (total(middle) >= energy) high = middle;
    else low = middle + 1n;
  }
  const free = maxLong(balanceSun - callValueSun, 0n);
  const toBuySun = maxLong(high - leftEnergy, 0n) * priceSun;
  return {
    callerEnergy: high,
    feeLimitSun: high * priceSun,
    missingBalanceSun: maxLong(toBuySun - free, 0n),
  };
}

/**
 * An account's usage before and after the charge in advance (`U, Wu, W2u, M, Wm` in
 * protocol/energy.md#usage-written-before-the-code-runs).
 */
export interface PreMergeMemo {
  /** Usage recovered to now, before the charge. */
  readonly usage: bigint;
  readonly windowSlots: bigint;
  readonly windowPrecise: bigint;
  /** Usage after the charge. */
  readonly mergedUsage: bigint;
  readonly mergedWindowSlots: bigint;
}

/**
 * Charges the maximum Energy of an account in advance, so that code that reads or moves resources sees it as used. Only
 * under Stake 2.0. `undoPreMerge` of bill.ts removes the charge.
 *
 * @param max for the caller: the smaller of its remaining Energy and feeLimit / price; for the deployer: its share of
 *   the budget
 */
export function preMerge(
  stored: UsageWindow,
  max: bigint,
  nowSlot: bigint,
  rules: ResourceRules,
): { readonly window: UsageWindow; readonly memo: PreMergeMemo } {
  const before = increase(stored, 0n, nowSlot, rules);
  const window = increase(before, max, nowSlot, rules);
  return {
    window,
    memo: {
      usage: before.usage,
      windowSlots: windowSlots(before, rules),
      windowPrecise: windowPrecise(before, rules),
      mergedUsage: window.usage,
      mergedWindowSlots: windowSlots(window, rules),
    },
  };
}
