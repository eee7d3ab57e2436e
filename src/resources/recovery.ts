/**
 * Recovery of used bandwidth and Energy: linear over a window of at most one day (protocol/usage-recovery.md). Mirrors
 * java-tron's ResourceProcessor and the window fields of AccountCapsule.
 *
 * A usage is stored with the slot of its last write. Reads and writes recover it to now. Every write rounds, so the
 * usage depends on the number of writes; the order of operations here is the protocol.
 *
 * Each formula exists twice. The definition uses bigints with the silent overflow of Java's long. The fast form uses
 * doubles that hold integers, for values whose intermediate results are all exact (below 2^53). A transfer computes
 * these formulas several times: 0.1 µs instead of 0.17 for a fixed window, 0.16 instead of 1.7 for an account's own
 * (measured). A property test compares the two forms.
 */

import { ceilDiv, longValueExact, maxLong, minLong, roundHalfUp, wrapLong } from '../primitives/java-math.js';
import type { UsageWindow } from './metered-account.js';
import type { ResourceRules } from './rules.js';

/** Slots of 3 s in a day, as networks have: the window of free bandwidth, and the longest window of an account. */
export const DEFAULT_WINDOW_SLOTS = 28_800n;

const PRECISION = 1_000_000n;
const SLOT_PRECISION = 1_000n;

/** usage * 10^6 and a window stay below 2^53. */
const EXACT_USAGE = 9_000_000_000n;
const EXACT_WINDOW_SLOTS = 1_000_000n;
const EXACT = 2 ** 53;

/** Whether a result beyond a long is an error or overflows. */
type Arithmetic = Pick<ResourceRules, 'hardened'>;
type DayLength = Pick<ResourceRules, 'daySlots'>;
type DayRules = DayLength & Arithmetic;

const NETWORKS: DayRules = { daySlots: DEFAULT_WINDOW_SLOTS, hardened: false };

/** `last` and `added` recovered to now, on doubles. The callers check that all arguments are small enough. */
function decayedAverage(last: number, elapsed: number, window: number): number {
  const average = Math.ceil((last * 1e6) / window);
  if (elapsed === 0) return average;
  return elapsed < window ? Math.round(average * ((window - elapsed) / window)) : 0;
}

/**
 * `inc`: recovers a usage from `lastSlot` to `nowSlot` over a fixed window, and adds the new usage
 * (protocol/usage-recovery.md#the-plain-formula). Used for the adaptive average (window 20), for windows of one day
 * ({@link dayUsage}), and for reads with an account's own window.
 *
 * @param added 0 to read the current usage
 * @throws {ArithmeticOverflow} with hardened rules, if the result is not a long
 */
export function fixedWindowUsage(
  last: bigint,
  added: bigint,
  lastSlot: bigint,
  nowSlot: bigint,
  windowSlots: bigint,
  rules: Arithmetic,
): bigint {
  if (last === 0n && added === 0n) return 0n;
  const elapsed = nowSlot - lastSlot;
  if (last < 0n || added < 0n || last + added > EXACT_USAGE || elapsed < 0n || windowSlots > EXACT_WINDOW_SLOTS) {
    return fixedWindowUsageOfLongs(last, added, lastSlot, nowSlot, windowSlots, rules);
  }
  const window = Number(windowSlots);
  const average = decayedAverage(Number(last), Number(elapsed), window) + Math.ceil((Number(added) * 1e6) / window);
  return BigInt(Math.floor((average * window) / 1e6));
}

/** The definition of {@link fixedWindowUsage}, for any longs. */
export function fixedWindowUsageOfLongs(
  last: bigint,
  added: bigint,
  lastSlot: bigint,
  nowSlot: bigint,
  windowSlots: bigint,
  rules: Arithmetic,
): bigint {
  const { floor, ceil } = divisionOf(rules);
  const decayed = decayedAverageOfLongs(ceil(last * PRECISION, windowSlots), lastSlot, nowSlot, windowSlots);
  return floor((decayed + ceil(added * PRECISION, windowSlots)) * windowSlots, PRECISION);
}

/**
 * {@link fixedWindowUsage} over one day: free, public and per-token bandwidth, and all usages before Stake 2.0.
 *
 * @example dayUsage(534n, 0n, 0n, 14_400n, rules) // 267n: half of it has recovered after half a day
 */
export function dayUsage(last: bigint, added: bigint, lastSlot: bigint, nowSlot: bigint, rules: DayRules): bigint {
  return fixedWindowUsage(last, added, lastSlot, nowSlot, rules.daySlots, rules);
}

function decayedAverageOfLongs(average: bigint, lastSlot: bigint, nowSlot: bigint, windowSlots: bigint): bigint {
  if (lastSlot === nowSlot) return average;
  if (lastSlot + windowSlots <= nowSlot) return 0n;
  const decay = Number(windowSlots - (nowSlot - lastSlot)) / Number(windowSlots);
  return roundHalfUp(Number(average) * decay);
}

/**
 * `W`: the window in whole slots (protocol/usage-recovery.md#per-account-window-fields). A fine window below one slot
 * counts as the default.
 */
export function windowSlots({ windowSize, windowOptimized }: UsageWindow, { daySlots }: DayLength = NETWORKS): bigint {
  if (windowSize === 0n) return daySlots;
  if (!windowOptimized) return windowSize;
  return windowSize < SLOT_PRECISION ? daySlots : windowSize / SLOT_PRECISION;
}

/** `W2`: the window in thousandths of a slot (protocol/usage-recovery.md#per-account-window-fields). */
export function windowPrecise(
  { windowSize, windowOptimized }: UsageWindow,
  { daySlots }: DayLength = NETWORKS,
): bigint {
  if (windowSize === 0n) return daySlots * SLOT_PRECISION;
  return windowOptimized ? windowSize : wrapLong(windowSize * SLOT_PRECISION);
}

/**
 * The current usage over the account's own window, under all rules: contract calls use it
 * (protocol/usage-recovery.md#recovered-usage-read-without-writing).
 */
export function recoveredInOwnWindow(window: UsageWindow, nowSlot: bigint, rules: DayRules = NETWORKS): bigint {
  return fixedWindowUsage(window.usage, 0n, window.lastSlot, nowSlot, windowSlots(window, rules), rules);
}

/** The current usage, without a write (protocol/usage-recovery.md#recovered-usage-read-without-writing). */
export function recovered(window: UsageWindow, nowSlot: bigint, rules: ResourceRules): bigint {
  return rules.unfreezeDelay
    ? recoveredInOwnWindow(window, nowSlot, rules)
    : dayUsage(window.usage, 0n, window.lastSlot, nowSlot, rules);
}

/**
 * `increase`: recovers the usage to now, adds `added`, and computes the common window: the mean weighted by usage,
 * where the new usage has a full day (protocol/usage-recovery.md#adding-usage with CANCEL_ALL_UNFREEZE_V2,
 * #adding-usage-before-cancel_all_unfreeze_v2 before it, #adding-usage-stake-10-only before Stake 2.0).
 *
 * The result's `lastSlot` is now. Answers of queries show the usage and window of the result with the stored time.
 *
 * @param added 0 to recover only
 */
export function increase(window: UsageWindow, added: bigint, nowSlot: bigint, rules: ResourceRules): UsageWindow {
  if (!rules.unfreezeDelay) {
    const { usage } = mergedUsage(window, added, nowSlot, rules);
    return { ...window, usage, lastSlot: nowSlot };
  }
  if (rules.cancelAllUnfreezeV2)
    return increasePrecisely(window, added, nowSlot, rules) ?? increaseLongs(window, added, nowSlot, rules);
  return increaseLongs(window, added, nowSlot, rules);
}

/** {@link increase} under current rules on doubles, or undefined if a product can exceed 2^53. */
function increasePrecisely(
  window: UsageWindow,
  added: bigint,
  nowSlot: bigint,
  day: DayLength,
): UsageWindow | undefined {
  const elapsedSlots = nowSlot - window.lastSlot;
  const slots = windowSlots(window, day);
  if (
    window.usage < 0n ||
    added < 0n ||
    window.usage + added > EXACT_USAGE ||
    elapsedSlots < 0n ||
    slots > EXACT_WINDOW_SLOTS ||
    day.daySlots > EXACT_WINDOW_SLOTS ||
    slots <= 0n
  ) {
    return undefined;
  }
  const w = Number(slots);
  const elapsed = Number(elapsedSlots);
  const addedUsage = Number(added);
  const daySlots = Number(day.daySlots);
  const fullPrecise = daySlots * 1_000;
  const averageTimesWindow = decayedAverage(Number(window.usage), elapsed, w) * w;
  const remaining = Math.floor(averageTimesWindow / 1e6);
  const usage = Math.floor((averageTimesWindow + Math.ceil((addedUsage * 1e6) / daySlots) * daySlots) / 1e6);
  let precise = fullPrecise;
  if (remaining !== 0) {
    const remainingWindow = Number(windowPrecise(window, day)) - elapsed * 1000;
    if (remainingWindow < 0) return undefined;
    const mean =
      usage * fullPrecise < EXACT
        ? Math.ceil((remaining * remainingWindow + addedUsage * fullPrecise) / usage)
        : Number(ceilDiv(BigInt(remaining) * BigInt(remainingWindow) + added * BigInt(fullPrecise), BigInt(usage)));
    precise = Math.min(mean, fullPrecise);
  }
  return { usage: BigInt(usage), lastSlot: nowSlot, windowSize: BigInt(precise), windowOptimized: true };
}

/**
 * Quotients whose dividend may exceed a long: the dividend overflows silently, or with hardened rules
 * (protocol/releases.md#fees-and-resources) not at all.
 */
export interface Division {
  readonly floor: (dividend: bigint, divisor: bigint) => bigint;
  readonly ceil: (dividend: bigint, divisor: bigint) => bigint;
}

const WRAPPED: Division = {
  floor: (dividend, divisor) => wrapLong(dividend) / divisor,
  ceil: (dividend, divisor) => ceilDiv(wrapLong(dividend), divisor),
};

/** The result must be a long. */
const HARDENED: Division = {
  floor: (dividend, divisor) => longValueExact(dividend / divisor),
  ceil: (dividend, divisor) => longValueExact(ceilDiv(dividend, divisor)),
};

export function divisionOf({ hardened }: Arithmetic): Division {
  return hardened ? HARDENED : WRAPPED;
}

function mergedUsage(
  window: UsageWindow,
  added: bigint,
  nowSlot: bigint,
  rules: ResourceRules,
): { readonly usage: bigint; readonly remaining: bigint } {
  const { floor, ceil } = divisionOf(rules);
  const slots = windowSlots(window, rules);
  const average = decayedAverageOfLongs(ceil(window.usage * PRECISION, slots), window.lastSlot, nowSlot, slots);
  const addedAverage = ceil(added * PRECISION, rules.daySlots);
  return {
    usage: floor(average * slots + addedAverage * rules.daySlots, PRECISION),
    remaining: floor(average * slots, PRECISION),
  };
}

/** The definition of {@link increase} under Stake 2.0, for all longs. */
export function increaseLongs(window: UsageWindow, added: bigint, nowSlot: bigint, rules: ResourceRules): UsageWindow {
  const { floor, ceil } = divisionOf(rules);
  const { usage, remaining } = mergedUsage(window, added, nowSlot, rules);
  const merged = { usage, lastSlot: nowSlot };
  const elapsed = nowSlot - window.lastSlot;
  const { daySlots } = rules;
  if (!rules.cancelAllUnfreezeV2) {
    const windowSize =
      remaining === 0n ? daySlots : floor(remaining * (windowSlots(window, rules) - elapsed) + added * daySlots, usage);
    return { ...merged, windowSize, windowOptimized: window.windowOptimized };
  }
  const full = daySlots * SLOT_PRECISION;
  if (remaining === 0n) return { ...merged, windowSize: full, windowOptimized: true };
  const remainingWindow = windowPrecise(window, rules) - elapsed * SLOT_PRECISION;
  const windowSize = ceil(remaining * remainingWindow + added * full, usage);
  return { ...merged, windowSize: minLong(windowSize, full), windowOptimized: true };
}

/**
 * Usage after `added` is consumed from stake: {@link increase}, which rounds in two steps before Stake 2.0
 * (protocol/usage-recovery.md#adding-usage-stake-10-only).
 */
export function consume(window: UsageWindow, added: bigint, nowSlot: bigint, rules: ResourceRules): UsageWindow {
  if (rules.unfreezeDelay) return increase(window, added, nowSlot, rules);
  const usage = dayUsage(recovered(window, nowSlot, rules), added, nowSlot, nowSlot, rules);
  return { ...window, usage, lastSlot: nowSlot };
}

/**
 * `unDelegateIncrease`: adds the `transferred` usage of a receiver, with the receiver's window, to the owner's usage
 * (protocol/usage-recovery.md#merging-usage-at-an-undelegation).
 *
 * @param owner as stored
 * @param receiver recovered to now: its window counts
 */
export function mergeReturnedUsage(
  owner: UsageWindow,
  receiver: UsageWindow,
  transferred: bigint,
  nowSlot: bigint,
  rules: ResourceRules,
): UsageWindow {
  const { floor, ceil } = divisionOf(rules);
  const refreshed = increase(owner, 0n, nowSlot, rules);
  const usage = refreshed.usage + transferred;
  const precise = rules.cancelAllUnfreezeV2;
  const fullWindow = precise ? rules.daySlots * SLOT_PRECISION : rules.daySlots;
  const windowOptimized = precise || refreshed.windowOptimized;
  if (usage === 0n) return { usage, lastSlot: nowSlot, windowSize: fullWindow, windowOptimized };

  const windowOf = (window: UsageWindow) =>
    maxLong(0n, precise ? windowPrecise(window, rules) : windowSlots(window, rules));
  const weighted = refreshed.usage * windowOf(refreshed) + transferred * windowOf(receiver);
  const windowSize = precise ? minLong(ceil(weighted, usage), fullWindow) : floor(weighted, usage);
  return { usage, lastSlot: nowSlot, windowSize, windowOptimized };
}
