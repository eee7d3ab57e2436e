/**
 * What the other users of a network have staked, as dated figures: with them one TRX staked on a chain of one's own
 * yields what it yields there. On an empty chain the first who stakes owns the whole day's Energy.
 */

/** The network-wide totals of stake, in whole coins. */
export type WeightProperty = 'TOTAL_NET_WEIGHT' | 'TOTAL_ENERGY_WEIGHT' | 'TOTAL_TRON_POWER_WEIGHT';

export const WEIGHT_PROPERTIES: readonly WeightProperty[] = [
  'TOTAL_NET_WEIGHT',
  'TOTAL_ENERGY_WEIGHT',
  'TOTAL_TRON_POWER_WEIGHT',
];

export interface NetworkStake {
  /** `network@date`, `none`, or `custom`. */
  readonly name: string;
  readonly description: string;
  /** The totals that a chain begins with, in TRX, with the stakes of its genesis; what is not named is 0. */
  readonly values: Readonly<Partial<Record<WeightProperty, bigint>>>;
}

/** Of `getaccountresource` on 2025-12-17, at limits of 180,000,000,000 Energy and 43,200,000,000 bandwidth a day. */
const MAINNET_2025_12: NetworkStake = {
  name: 'mainnet@2025-12',
  description: 'what was staked on the main network on 2025-12-17',
  values: { TOTAL_ENERGY_WEIGHT: 19_125_511_029n, TOTAL_NET_WEIGHT: 26_677_115_436n },
};

/** Nobody else has staked anything. */
export const NO_LOAD: NetworkStake = { name: 'none', description: 'nobody else has staked anything', values: {} };

/** The newest of a network first. */
export const NETWORK_STAKES: readonly NetworkStake[] = [MAINNET_2025_12, NO_LOAD];

/**
 * The load of this name; a network's name alone means its newest one.
 *
 * @example networkStakeByName('mainnet')?.name // 'mainnet@2025-12'
 */
export function networkStakeByName(name: string): NetworkStake | undefined {
  return NETWORK_STAKES.find((load) => load.name === name || load.name.startsWith(`${name}@`));
}
