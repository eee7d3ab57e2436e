/**
 * How much Energy a contract call or deployment may use (protocol/energy.md#the-budget-of-a-call), and the charge in
 * advance that the network makes while it computes that. Mirrors VMActuator with the energy-limit rule in force.
 */

import { addExact, longValueExact, maxLong, minLong } from '../primitives/java-math.js';
import type { UsageWindow } from './metered-account.js';
import { increase, windowPrecise, windowSlots } from './recovery.js';
import type { ResourceRules } from './rules.js';

/** What a stored `origin_energy_limit` of 0 reads as. */
const DEFAULT_ORIGIN_ENERGY_LIMIT = 10_000_000n;

/** The deployer's limit per call, as read: a stored 0 is 10,000,000. */
export function originEnergyLimit(stored: bigint): bigint {
  return stored === 0n ? DEFAULT_ORIGIN_ENERGY_LIMIT : stored;
}

/** The caller's percentage of a bill, as read: 0 to 100. */
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
 * Energy that one account can pay for, staked first, then out of its balance, and never more than the fee limit buys:
 * a fee limit of 0 means no Energy at all, however large the stake (protocol/energy.md#one-accounts-share). The two
 * divisions round down separately.
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
  /** Staked Energy the deployer has left; looked at only while the caller's percentage is below 100. */
  readonly leftEnergy: bigint;
  /** `originEnergyLimit`. */
  readonly energyLimit: bigint;
}

/**
 * What the deployer adds to the budget of a call (protocol/energy.md#contract-call): in proportion to what the caller
 * can pay, at most what it has left, at most its limit per call. The first cap is missing from TRON's documentation and
 * rules whenever the caller is poor.
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
  /** What the caller can pay for. */
  readonly callerLimit: bigint;
  /** What the deployer adds; 0 when it is missing or calls its own contract. */
  readonly originShare: bigint;
  readonly total: bigint;
}

/**
 * The budget of a call (protocol/energy.md#contract-call).
 *
 * @param origin the deployer's side, undefined if its account is missing or is the caller
 */
export function callBudget(caller: AccountEnergy, origin: OriginTerms | undefined): CallBudget {
  const callerLimit = accountEnergyLimit(caller);
  const share = origin === undefined ? 0n : originShare(callerLimit, origin);
  return { callerLimit, originShare: share, total: addExact(callerLimit, share) };
}

/** What the caller must be able to pay for. */
export interface CallerNeed {
  /** The caller's part of the Energy. */
  readonly callerEnergy: bigint;
  readonly feeLimitSun: bigint;
  /** What the balance lacks, 0 if nothing. */
  readonly missingBalanceSun: bigint;
}

/**
 * How much of `energy` the caller must be able to pay for, so that the budget of the call reaches it: the deployer's
 * share grows with what the caller has (protocol/energy.md#contract-call).
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
 * What was remembered of an account's usage around the charge in advance (the `U, Wu, W2u, M, Wm` of
 * protocol/energy.md#usage-written-before-the-code-runs).
 */
export interface PreMergeMemo {
  /** Usage, brought to now, before the charge. */
  readonly usage: bigint;
  readonly windowSlots: bigint;
  readonly windowPrecise: bigint;
  /** Usage with the charge. */
  readonly mergedUsage: bigint;
  readonly mergedWindowSlots: bigint;
}

/**
 * Charges in advance the most that an account may owe, so that code that looks at or moves resources sees it as used.
 * Only under stake 2.0. `undoPreMerge` of bill.ts takes it back.
 *
 * @param most the caller: the lesser of its left Energy and feeLimit / price; the deployer: its share of the budget
 */
export function preMerge(
  stored: UsageWindow,
  most: bigint,
  nowSlot: bigint,
  rules: ResourceRules,
): { readonly window: UsageWindow; readonly memo: PreMergeMemo } {
  const before = increase(stored, 0n, nowSlot, rules);
  const window = increase(before, most, nowSlot, rules);
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
