/** The least stake that pays for a use of bandwidth or Energy, beside what is staked and in use. */

import { bandwidthOfStake, callEnergyOfStake, SUN_PER_COIN } from './limits.js';
import { ENERGY, type MeteredResource } from './metered-account.js';
import type { ResourceRules, ResourceTotals } from './rules.js';
import { weightDelta } from './staking.js';

/** What an account has for a resource. */
export interface StakeInUse {
  /** Stake that counts for the account: its own and what others have lent it; sun. */
  readonly countsSun: bigint;
  /** Its own Stake 2.0, lent out or not, which the network's total counts in whole coins; sun. */
  readonly weighsSun: bigint;
  /** Energy or bytes that are in use. */
  readonly used: bigint;
}

/** More than there is. */
const ALL_COINS = 1_000_000_000_000n;

/**
 * Sun to stake in addition (FreezeBalanceV2), the network's total growing with it; undefined: no stake is enough.
 *
 * The total counts whole coins of an account, so that within one coin more stake gives more, and each further coin a
 * little less for the same sun: the coin is found first, by what all but a sun of the next one gives, then the sun.
 *
 * @param need Energy of a call's caller, or bytes
 */
export function leastStake(
  resource: MeteredResource,
  need: bigint,
  { countsSun, weighsSun, used }: StakeInUse,
  totals: ResourceTotals,
  rules: ResourceRules,
): bigint | undefined {
  const limitOf = (stakeSun: bigint, addedCoins: bigint) =>
    resource === ENERGY
      ? callEnergyOfStake(stakeSun, { ...totals, energyWeight: totals.energyWeight + addedCoins }, rules)
      : bandwidthOfStake(stakeSun, { ...totals, netWeight: totals.netWeight + addedCoins }, rules);
  const wanted = need + used;
  const enough = (addedSun: bigint) =>
    limitOf(countsSun + addedSun, weightDelta(weighsSun, weighsSun + addedSun)) >= wanted;
  if (need === 0n || enough(0n)) return 0n;
  // Added sun with which the total has grown by exactly so many coins.
  const firstOf = (coins: bigint) => coins * SUN_PER_COIN - (weighsSun % SUN_PER_COIN);
  const lastOf = (coins: bigint) => firstOf(coins + 1n) - 1n;
  const coins = first(0n, ALL_COINS, (count) => enough(lastOf(count)));
  if (coins === undefined) return undefined;
  const least = first(firstOf(coins) > SUN_PER_COIN ? firstOf(coins) : SUN_PER_COIN, lastOf(coins), enough);
  // Nobody can stake less than a coin: with the least stake the total may have grown already.
  return least ?? first(SUN_PER_COIN, lastOf(coins + 1n), enough);
}

/** The first of a range for which it holds, where it holds for all that follow. */
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
