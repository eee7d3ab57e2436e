/** What a limit is made of, in words. */

import type { StakeLimit } from '../explanation/model/explanation.js';
import { formatTrx, formatUnits } from './amounts.js';

/**
 * @param whose `The caller`
 * @example 'The caller's limit is 32,355,154 Energy a day, for 1 TRX of its own stake and 300 TRX delegated by T…: …'
 */
export function limitSentence(whose: string, stake: StakeLimit, unit: 'bandwidth' | 'Energy'): string {
  const parts = partsOf(stake);
  if (parts.length === 0) return `${whose} has nothing staked for ${unit}.`;
  const network = `${formatUnits(stake.networkStakeCoins)} TRX that the network has staked for ${unit}`;
  const share = parts.length === 1 ? ` out of the ${network}` : `: ${formatTrx(sumSun(stake))} of the ${network}`;
  const used = BigInt(stake.used) === 0n ? 'None of it was' : `${formatUnits(stake.used)} of it were`;
  return `${whose}'s limit is ${formatUnits(stake.limit)} ${unit} a day, for ${listed(parts)}${share}. ${used} in use, ${formatUnits(stake.left)} were left.`;
}

function listed(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join() : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

export function hasStake(stake: StakeLimit): boolean {
  return sumSun(stake) > 0n;
}

function sumSun({ ownStakeSun, delegated }: StakeLimit): bigint {
  return delegated.reduce((sum, { stakeSun }) => sum + BigInt(stakeSun), BigInt(ownStakeSun));
}

function partsOf({ ownStakeSun, delegated }: StakeLimit): readonly string[] {
  const own = BigInt(ownStakeSun) > 0n ? [`${formatTrx(ownStakeSun)} of its own stake`] : [];
  return [...own, ...delegated.map(({ from, stakeSun }) => `${formatTrx(stakeSun)} delegated by ${from}`)];
}
