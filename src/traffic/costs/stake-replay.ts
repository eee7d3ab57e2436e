/**
 * The use of an account by the hour, replayed against a stake: which part it would have paid, with the network's own
 * recovery over 24 hours. All use of an hour is needed at its start and recovers from its end, so the stake is nearly
 * always too large: of random uses by 2 % in the median, and by up to 10 %. Not always: the network averages the windows of
 * old and new use, and more use that is left of yesterday makes the window of today's shorter. One series of uses in some
 * thousands needs more at its own moments than by the hour. A search for the worst came to 5 % more.
 */

import type { UsageWindow } from '../../resources/metered-account.js';
import { increase, recoveredInOwnWindow } from '../../resources/recovery.js';
import type { ResourceRules } from '../../resources/rules.js';
import { DAY_MS } from './cost-folder.js';
import { HOUR_MS } from './cost-sums.js';

/** What the account paid in one hour for Energy or bandwidth. */
export interface HourUse {
  readonly startMs: number;
  /** Energy or bytes, however they were paid. */
  readonly units: bigint;
  /** Energy of the same stake for calls by others, as a deployer: what is left pays for `units`. */
  readonly forOthers?: bigint;
  /** The bought part of `units`. */
  readonly bought: bigint;
  readonly sun: bigint;
}

export interface Replayed {
  /** Days with use on which the stake pays for all of it. */
  readonly freeDays: number;
  /** Days with use. */
  readonly days: number;
  /** Units that have to be bought. */
  readonly bought: bigint;
  /** Sun for them, at the average price of each hour. */
  readonly boughtSun: bigint;
}

/**
 * @param capacity units a day
 * @param uses ascending
 * @param priceSun of a unit, for hours in which none was bought
 */
export function replayUse(
  capacity: bigint,
  uses: readonly HourUse[],
  rules: ResourceRules,
  priceSun: bigint,
): Replayed {
  const slotMs = DAY_MS / Number(rules.daySlots);
  const days = new Map<number, boolean>();
  let window: UsageWindow = { usage: 0n, lastSlot: 0n, windowSize: 0n, windowOptimized: rules.cancelAllUnfreezeV2 };
  let bought = 0n;
  let boughtSun = 0n;
  for (const use of uses) {
    const { forOthers = 0n } = use;
    if (use.units + forOthers === 0n) continue;
    const slotAt = (timeMs: number) => BigInt(Math.floor(timeMs / slotMs));
    const left = capacity - recoveredInOwnWindow(window, slotAt(use.startMs), rules);
    const paidForOthers = within(left, forOthers);
    const paid = within(left - paidForOthers, use.units);
    window = increase(window, paid + paidForOthers, slotAt(use.startMs + HOUR_MS), rules);
    if (use.units === 0n) continue;
    const rest = use.units - paid;
    bought += rest;
    boughtSun += use.bought > 0n ? (rest * use.sun) / use.bought : rest * priceSun;
    const day = Math.floor(use.startMs / DAY_MS);
    days.set(day, (days.get(day) ?? true) && rest === 0n);
  }
  return { freeDays: [...days.values()].filter(Boolean).length, days: days.size, bought, boughtSun };
}

function within(left: bigint, units: bigint): bigint {
  return left <= 0n ? 0n : left < units ? left : units;
}

/** The least capacity with which at least `freeDays` days are free. */
export function leastCapacity(freeDays: number, uses: readonly HourUse[], rules: ResourceRules): bigint {
  let low = 0n;
  // With all units of the range, nothing is bought.
  let high = uses.reduce((sum, { units, forOthers = 0n }) => sum + units + forOthers, 0n) + 1n;
  while (low < high) {
    const middle = (low + high) / 2n;
    if (replayUse(middle, uses, rules, 0n).freeDays >= freeDays) high = middle;
    else low = middle + 1n;
  }
  return low;
}
