/** How much TRX to stake so that a transaction burns nothing. */

import { leastStake, type StakeInUse } from '../resources/least-stake.js';
import { BANDWIDTH, ENERGY } from '../resources/metered-account.js';
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
    energySun: leastStake(ENERGY, amount(energy, 'energy'), inUse(stakes.energy), totals, rules),
    bandwidthSun: leastStake(BANDWIDTH, amount(bytes, 'bytes'), inUse(stakes.bandwidth), totals, rules),
  };
}

function inUse(stake: FeeStake): StakeInUse {
  return { ...stake, used: BigInt(stake.used) };
}
