/** The stake behind a limit, in words. */

import type { StakeLimit } from '../explanation/model/explanation.js';
import { formatTrx, formatUnits } from './amounts.js';

/**
 * @param whose `The caller`
 * @example "The caller's stake yields 32,355,154 Energy a day: 1 TRX of its own and 300 TRX delegated by T…, together …"
 */
export function limitSentence(whose: string, stake: StakeLimit, unit: 'bandwidth' | 'Energy'): string {
  const parts = partsOf(stake);
  if (parts.length === 0) return `${whose} has nothing staked for ${unit}.`;
  const together = parts.length === 1 ? '' : ` together ${formatTrx(sumSun(stake))}`;
  const network = `${formatUnits(stake.networkStakeCoins)} TRX staked for ${unit} on the network`;
  const used = stake.used === 0n ? 'None' : formatUnits(stake.used);
  return `${whose}'s stake yields ${formatUnits(stake.limit)} ${unit} a day: ${listed(parts)},${together} out of ${network}. ${used} of it was in use; ${formatUnits(stake.left)} were left.`;
}

function listed(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join() : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

export function hasStake(stake: StakeLimit): boolean {
  return sumSun(stake) > 0n;
}

function sumSun({ ownStakeSun, delegated }: StakeLimit): bigint {
  return delegated.reduce((sum, { stakeSun }) => sum + stakeSun, ownStakeSun);
}

function partsOf({ ownStakeSun, delegated }: StakeLimit): readonly string[] {
  const own = ownStakeSun > 0n ? [`${formatTrx(ownStakeSun)} of its own`] : [];
  return [...own, ...delegated.map(({ from, stakeSun }) => `${formatTrx(stakeSun)} delegated by ${from}`)];
}
