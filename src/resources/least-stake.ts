/** The smallest additional stake that pays for a use of bandwidth or Energy. */

import { bandwidthOfStake, callEnergyOfStake, SUN_PER_TRX } from './limits.js';
import { ENERGY, type MeteredResource } from './metered-account.js';
import type { ResourceRules, ResourceTotals } from './rules.js';
import { weightDelta } from './staking.js';

/** Stake and usage of an account for one resource. */
export interface StakeInUse {
  /** Stake that counts for the account, own and acquired; sun. */
  readonly countedSun: bigint;
  /** Own Stake 2.0, including delegated stake. The network's total counts it in whole TRX; sun. */
  readonly weightedSun: bigint;
  /** Energy or bytes in use. */
  readonly used: bigint;
}

/** More than the total supply. */
const MAX_SUPPLY_TRX = 1_000_000_000_000n;

/**
 * Sun to stake in addition (FreezeBalanceV2); undefined: no stake suffices. The network's total grows with the stake.
 *
 * The total counts whole TRX of an account. So within one TRX more stake gives more, and each further TRX gives a
 * little less per sun. The search finds the TRX first, by the result of its last sun, then the sun.
 *
 * @param need Energy of a call's caller, or bytes
 */
export function leastStake(
  resource: MeteredResource,
  need: bigint,
  { countedSun, weightedSun, used }: StakeInUse,
  totals: ResourceTotals,
  rules: ResourceRules,
): bigint | undefined {
  const limitOf = (stakeSun: bigint, addedTrx: bigint) =>
    resource === ENERGY
      ? callEnergyOfStake(stakeSun, { ...totals, energyWeight: totals.energyWeight + addedTrx }, rules)
      : bandwidthOfStake(stakeSun, { ...totals, netWeight: totals.netWeight + addedTrx }, rules);
  const wanted = need + used;
  const enough = (addedSun: bigint) =>
    limitOf(countedSun + addedSun, weightDelta(weightedSun, weightedSun + addedSun)) >= wanted;
  if (need === 0n || enough(0n)) return 0n;
  // Added sun at which the total has grown by exactly this number of TRX.
  const firstOf = (wholeTrx: bigint) => wholeTrx * SUN_PER_TRX - (weightedSun % SUN_PER_TRX);
  const lastOf = (wholeTrx: bigint) => firstOf(wholeTrx + 1n) - 1n;
  const wholeTrx = first(0n, MAX_SUPPLY_TRX, (count) => enough(lastOf(count)));
  if (wholeTrx === undefined) return undefined;
  const least = first(firstOf(wholeTrx) > SUN_PER_TRX ? firstOf(wholeTrx) : SUN_PER_TRX, lastOf(wholeTrx), enough);
  // The minimum stake is 1 TRX, with which the total may already have grown.
  return least ?? first(SUN_PER_TRX, lastOf(wholeTrx + 1n), enough);
}

/** The first value of a range that holds. All values above it must hold, too. */
function first(low: bigint, high: bigint, holds: (value: bigint) => boolean): bigint | undefined {
  let from = low;
  let to = high;
  if (from > to || !holds(to)) return undefined;
  while (from < to) {
    const middle = (from + to) / 2n;
    if (holds(middle)) to = middle;
    else from = middle + 1n;
  }
  return from;
}
