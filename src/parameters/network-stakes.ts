/**
 * The total stake of a network at a date. With it, one TRX staked on a local chain yields as much as on the network.
 * Without it, the first staker gets the whole day's Energy.
 */

/** The network-wide totals of stake, in TRX. */
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
  /** The initial totals of a chain, in TRX, including the stakes of its genesis; absent ones are 0. */
  readonly values: Readonly<Partial<Record<WeightProperty, bigint>>>;
}

/**
 * From `getaccountresource` on 2025-12-17, with limits of 180,000,000,000 Energy and 43,200,000,000 bandwidth a day.
 */
const MAINNET_2025_12: NetworkStake = {
  name: 'mainnet@2025-12',
  description: 'what was staked on the main network on 2025-12-17',
  values: { TOTAL_ENERGY_WEIGHT: 19_125_511_029n, TOTAL_NET_WEIGHT: 26_677_115_436n },
};

/** No stake of others. */
export const NO_NETWORK_STAKE: NetworkStake = {
  name: 'none',
  description: 'nobody else has staked anything',
  values: {},
};

/** For each network, the newest first. */
export const NETWORK_STAKES: readonly NetworkStake[] = [MAINNET_2025_12, NO_NETWORK_STAKE];

/**
 * The network stake of this name; a network's name means its newest one.
 *
 * @example networkStakeByName('mainnet')?.name // 'mainnet@2025-12'
 */
export function networkStakeByName(name: string): NetworkStake | undefined {
  return NETWORK_STAKES.find((stake) => stake.name === name || stake.name.startsWith(`${name}@`));
}
