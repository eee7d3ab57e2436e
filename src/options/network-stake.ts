/** The network stake of a new chain: the requested one, or the default that fits the other options. */

import {
  type NetworkStake,
  NO_NETWORK_STAKE,
  networkStakeByName,
  type WeightProperty,
} from '../parameters/network-stakes.js';
import type { Settings } from './declarations.js';
import type { GenesisFile } from './genesis-file.js';
import { OptionError } from './option-error.js';

/** The default for a chain with the parameters of the main network. */
const DEFAULT = 'mainnet';

const WEIGHT_OF: Readonly<Record<string, WeightProperty>> = {
  totalNetWeight: 'TOTAL_NET_WEIGHT',
  totalEnergyWeight: 'TOTAL_ENERGY_WEIGHT',
  totalTronPowerWeight: 'TOTAL_TRON_POWER_WEIGHT',
};

/**
 * The option outranks the genesis file's `networkStake`. The default is the main network's stake, but none with a
 * genesis file, which is complete, and none with the preset `none`, whose parameters are not the main network's.
 *
 * @throws OptionError for an unknown name in the file
 */
export function networkStakeOf(
  { networkStake, preset, genesis }: Pick<Settings, 'networkStake' | 'preset' | 'genesis'>,
  file: GenesisFile,
): NetworkStake {
  if (networkStake !== undefined) return networkStake;
  if (file.networkStake !== undefined) return networkStakeOfFile(file.networkStake);
  if (genesis !== undefined || preset.name === 'none') return NO_NETWORK_STAKE;
  return networkStakeByName(DEFAULT) ?? NO_NETWORK_STAKE;
}

function networkStakeOfFile(given: NonNullable<GenesisFile['networkStake']>): NetworkStake {
  if (typeof given === 'string') {
    const found = networkStakeByName(given);
    if (found !== undefined) return found;
    throw new OptionError('genesis', `has the unknown networkStake ${given}`, 'See docs/reference/genesis.md');
  }
  const values = Object.entries(given).map(([name, value]) => [WEIGHT_OF[name], BigInt(value ?? 0)] as const);
  return { name: 'custom', description: 'as the genesis file has it', values: Object.fromEntries(values) };
}
