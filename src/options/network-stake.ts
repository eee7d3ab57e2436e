/** Which load a chain begins with: what was asked for, and else what goes with the other options. */

import { type NetworkStake, NO_LOAD, networkStakeByName, type WeightProperty } from '../parameters/network-stakes.js';
import type { Settings } from './declarations.js';
import type { GenesisFile } from './genesis-file.js';
import { OptionError } from './option-error.js';

/** Without being asked for, a load belongs to a chain like the main network only. */
const DEFAULT = 'mainnet';

const WEIGHT_OF: Readonly<Record<string, WeightProperty>> = {
  totalNetWeight: 'TOTAL_NET_WEIGHT',
  totalEnergyWeight: 'TOTAL_ENERGY_WEIGHT',
  totalTronPowerWeight: 'TOTAL_TRON_POWER_WEIGHT',
};

/**
 * The option outranks the genesis file's `networkStake`. Where neither says anything it is the main network's, but none
 * with a genesis file, which says all that there is, and none with the preset `none`, whose parameters are not the main
 * network's.
 *
 * @throws OptionError for a load of the file that there is not
 */
export function networkStakeOf(
  { networkStake, preset, genesis }: Pick<Settings, 'networkStake' | 'preset' | 'genesis'>,
  file: GenesisFile,
): NetworkStake {
  if (networkStake !== undefined) return networkStake;
  if (file.networkStake !== undefined) return loadOfFile(file.networkStake);
  if (genesis !== undefined || preset.name === 'none') return NO_LOAD;
  return networkStakeByName(DEFAULT) ?? NO_LOAD;
}

function loadOfFile(given: NonNullable<GenesisFile['networkStake']>): NetworkStake {
  if (typeof given === 'string') {
    const found = networkStakeByName(given);
    if (found !== undefined) return found;
    throw new OptionError('genesis', `has the unknown networkStake ${given}`, 'See docs/reference/genesis.md');
  }
  const values = Object.entries(given).map(([name, value]) => [WEIGHT_OF[name], BigInt(value ?? 0)] as const);
  return { name: 'custom', description: 'as the genesis file has it', values: Object.fromEntries(values) };
}
