/**
 * Stored usages from a node's answers: answers are recovered to the head (protocol/http-endpoints.md#getaccount), rows
 * have the usage of the last use. Several stored usages can recover to the same answer. Then the middle one is used;
 * it recovers to the same answer, and differs by at most half of the range. A usage of the head's own slot is exact.
 */

import type { UsageWindow } from '../../resources/metered-account.js';
import { dayUsage, increase } from '../../resources/recovery.js';
import type { ResourceRules } from '../../resources/rules.js';

const FINE = 1_000n;
/** A nearly recovered usage of one unit is at most a window old. */
const MAX_DOUBLINGS = 24;
const NEVER_USED = { usage: 0n, windowSize: 0n, windowOptimized: false } as const;

/** The middle one of the stored usages that `recover` turns into `answered`. `recover` grows with the usage. */
function middleUsageBefore(answered: bigint, recover: (usage: bigint) => bigint): bigint {
  let above = answered;
  for (let doubled = 0; recover(above) <= answered; doubled++) {
    // No usage recovers to it: the head has moved between the answer and the assumed slot.
    if (doubled === MAX_DOUBLINGS) return answered;
    above *= 2n;
  }
  const first = lowest(answered, above, (usage) => recover(usage) >= answered);
  const after = lowest(first, above, (usage) => recover(usage) > answered);
  return (first + after - 1n) / 2n;
}

/** The lowest number from `low` to `high` that passes; `high` passes. */
function lowest(low: bigint, high: bigint, passes: (usage: bigint) => boolean): bigint {
  let from = low;
  let to = high;
  while (from < to) {
    const middle = (from + to) / 2n;
    if (passes(middle)) to = middle;
    else from = middle + 1n;
  }
  return to;
}

/**
 * For usages that recover over a day: free bandwidth and tokens.
 *
 * @param lastSlot of the last use
 * @param nowSlot of the answer
 */
export function fixedUsageBefore(
  answered: bigint,
  lastSlot: bigint,
  nowSlot: bigint,
  rules: Pick<ResourceRules, 'daySlots' | 'hardened'>,
): bigint {
  if (answered <= 0n || lastSlot + rules.daySlots <= nowSlot) return answered;
  return middleUsageBefore(answered, (usage) => dayUsage(usage, 0n, lastSlot, nowSlot, rules));
}

/**
 * For usages with the account's own window.
 *
 * @param answered with the slot of the last use, which answers omit
 */
export function windowBefore(answered: UsageWindow, nowSlot: bigint, rules: ResourceRules): UsageWindow {
  const { usage, lastSlot, windowSize } = answered;
  // Nothing of the usage is left, and the next usage gets a full window.
  if (usage === 0n) return lastSlot === 0n ? { ...NEVER_USED, lastSlot } : answered;
  const elapsed = nowSlot - lastSlot;
  const before = rules.unfreezeDelay
    ? { ...answered, windowSize: windowSize + elapsed * (rules.cancelAllUnfreezeV2 ? FINE : 1n) }
    : answered;
  return {
    ...before,
    usage: middleUsageBefore(usage, (stored) => increase({ ...before, usage: stored }, 0n, nowSlot, rules).usage),
  };
}
