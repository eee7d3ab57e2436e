/** Values of the whole network: chain parameters, and totals of stake. */

import * as v from 'valibot';
import { record } from '../../primitives/record-schema.js';
import { integer, members, truth } from '../kinds.js';
import { type DevMethod, method, parameter } from '../table.js';

const total = v.optional(integer);
const totals = members('weights in TRX; whole numbers', {
  totalEnergyWeight: total,
  totalNetWeight: total,
  totalTronPowerWeight: total,
  totalEnergyCurrentLimit: total,
  totalNetLimit: total,
  publicNetUsage: total,
});

const VALUES = 'an object of values by name or proposal number ({"getEnergyFee": 210, "73": 5000000000})';
const values = v.pipe(
  record(v.string(), integer, VALUES),
  v.check((given) => Object.keys(given).length > 0, VALUES),
  v.description(VALUES),
);

const FORCE = 'an object: {"force": true} allows values that no proposal may have';
const STAKE_TOTALS = 'an object: {"stakeTotals": true} also sets the stake totals of that network';

export const networkMethods: readonly DevMethod[] = [
  method({
    name: 'tron_setNetworkTotals',
    about: 'sets totals of the network; the difference counts as stake of accounts that this chain does not have',
    parameters: [parameter('totals', totals)],
    example: [{ totalEnergyWeight: 19_125_511_029, totalNetWeight: 26_677_115_436 }],
    answer: ({ node }, wanted) => node.operations.apply('setNetworkTotals', wanted),
  }),
  method({
    name: 'tron_setChainParameters',
    about: 'sets chain parameters at once, as approved proposals would; returns the previous values',
    parameters: [
      parameter('values', values),
      parameter(
        'options',
        v.optional(v.pipe(v.strictObject({ force: v.optional(truth) }, FORCE), v.description(FORCE))),
      ),
    ],
    example: [{ getEnergyFee: 210, 73: 6_000_000_000 }],
    answer: ({ node }, given, options) =>
      node.operations.apply('setChainParameters', { values: given, force: options?.force ?? false }),
  }),
  method({
    name: 'tron_loadPreset',
    about: 'sets all chain parameters to those of a dated preset, or (genesis) to the initial ones of this chain',
    parameters: [
      parameter('name', v.pipe(v.string(), v.description('the name of a preset (mainnet, mainnet@2025-09, genesis)'))),
      parameter(
        'options',
        v.optional(
          v.pipe(v.strictObject({ stakeTotals: v.optional(truth) }, STAKE_TOTALS), v.description(STAKE_TOTALS)),
        ),
      ),
    ],
    example: ['mainnet', { stakeTotals: true }],
    answer: ({ node }, name, options) =>
      node.operations.apply('loadPreset', { name, stakeTotals: options?.stakeTotals ?? false }),
  }),
];
