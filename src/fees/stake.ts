/** How much TRX to stake so that a transaction burns nothing. */

import { bandwidthOfStake, callEnergyOfStake, SUN_PER_COIN } from '../resources/limits.js';
import type { ResourceTotals } from '../resources/rules.js';
import { weightDelta } from '../resources/staking.js';
import type { FeeAccount, FeeStake } from './account.js';
import { amount } from './amounts.js';
import type { FeeNetwork } from './network.js';

export interface FreeOfCharge {
  /** Sun to stake for Energy in addition (FreezeBalanceV2); 0n: what there is is enough. */
  readonly energySun: bigint | undefined;
  /** Sun to stake for bandwidth in addition. */
  readonly bandwidthSun: bigint | undefined;
}

/**
 * The least stake that makes a transaction free for an account, beside what it has staked and in use. The new stake makes
 * the network's total larger too, which is reckoned with; what others stake until then is not. Undefined: no stake is
 * enough, the network shares out less than that per day.
 *
 * Usage comes back within a day: to make something free that happens ten times a day, hand in ten times its Energy.
 *
 * @param need `energy`: the caller's part, penalty included; `bytes`: 0 where the free bandwidth of the day will pay
 * @param account with `stakes`, as `accountFrom` reads them from an answer of `getaccount`
 * @throws TypeError without `stakes`
 * @example stakeToPayNothing({ energy: 64_285, bytes: 345 }, account, network).energySun
 */
export function stakeToPayNothing(
  { energy = 0, bytes = 0 }: { readonly energy?: number | undefined; readonly bytes?: number | undefined },
  { stakes }: Pick<FeeAccount, 'stakes'>,
  { totals, rules }: FeeNetwork,
): FreeOfCharge {
  if (stakes === undefined) throw new TypeError('the stakes of the account are not known: hand in getaccount');
  return {
    energySun: leastStake(amount(energy, 'energy'), stakes.energy, (stakeSun, addedCoins) =>
      callEnergyOfStake(stakeSun, weighed(totals, 'energyWeight', addedCoins), rules),
    ),
    bandwidthSun: leastStake(amount(bytes, 'bytes'), stakes.bandwidth, (stakeSun, addedCoins) =>
      bandwidthOfStake(stakeSun, weighed(totals, 'netWeight', addedCoins), rules),
    ),
  };
}

function weighed(totals: ResourceTotals, weight: 'energyWeight' | 'netWeight', coins: bigint): ResourceTotals {
  return { ...totals, [weight]: totals[weight] + coins };
}

/** More than there is. */
const ALL_COINS = 1_000_000_000_000n;

/**
 * The total counts whole coins of an account, so that within one coin more stake gives more, and each further coin a
 * little less for the same sun: the coin is found first, by what all but a sun of the next one gives, then the sun.
 *
 * @param limitOf what a stake gives when the network's total has grown by so many coins
 */
function leastStake(
  need: bigint,
  { countsSun, weighsSun, used }: FeeStake,
  limitOf: (stakeSun: bigint, addedCoins: bigint) => bigint,
): bigint | undefined {
  const wanted = need + BigInt(used);
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
