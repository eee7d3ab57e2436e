/** The stake with which a transaction burns nothing. */

import type { WholeNumber } from '../primitives/whole-number.js';
import { leastStake, type StakeInUse } from '../resources/least-stake.js';
import { BANDWIDTH, ENERGY } from '../resources/metered-account.js';
import type { FeeAccount, FeeStake } from './account.js';
import { amount } from './amounts.js';
import type { FeeNetwork } from './network.js';

export interface FreeOfCharge {
  /** Additional sun to stake for Energy (FreezeBalanceV2); 0n: the present stake suffices. */
  readonly energySun: bigint | undefined;
  /** Additional sun to stake for Bandwidth. */
  readonly bandwidthSun: bigint | undefined;
}

/**
 * The smallest additional stake that makes a transaction free for an account, given its stakes and usage. The new
 * stake also raises the network's total, which is taken into account; later stakes of others are not. Undefined: no
 * stake suffices, because the network's daily total is smaller than the need. Usage recovers within a day: for ten
 * transactions a day, pass ten times the Energy.
 *
 * @param need `energy`: the caller's part, penalty included; `bytes`: 0 if the daily free bandwidth pays
 * @param account with `stakes`, as `accountFrom` reads them from an answer of `getaccount`
 * @throws TypeError without `stakes`
 * @example stakeToPayNothing({ energy: 64_285, bytes: 345 }, account, network).energySun
 */
export function stakeToPayNothing(
  { energy = 0, bytes = 0 }: { readonly energy?: WholeNumber | undefined; readonly bytes?: WholeNumber | undefined },
  { stakes }: Pick<FeeAccount, 'stakes'>,
  { totals, rules }: FeeNetwork,
): FreeOfCharge {
  if (stakes === undefined)
    throw new TypeError('the stakes of the account are missing: pass an answer of getaccount to accountFrom');
  return {
    energySun: leastStake(ENERGY, amount(energy, 'energy'), inUse(stakes.energy), totals, rules),
    bandwidthSun: leastStake(BANDWIDTH, amount(bytes, 'bytes'), inUse(stakes.bandwidth), totals, rules),
  };
}

function inUse(stake: FeeStake): StakeInUse {
  return { ...stake, used: BigInt(stake.used) };
}
