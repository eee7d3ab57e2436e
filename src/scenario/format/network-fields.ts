/** The network of a scenario: parameters, totals, witnesses, and the time of the first step. */

import * as v from 'valibot';
import { record } from '../../primitives/record-schema.js';
import { members, type ValuesOf } from './check-object.js';
import { count, definition, integer, moment, text } from './fields.js';

const totals = members('totals of the network', {
  energyWeight: v.optional(integer),
  bandwidthWeight: v.optional(integer),
  tronPowerWeight: v.optional(integer),
  energyLimit: v.optional(integer),
  bandwidthLimit: v.optional(integer),
  publicBandwidthUsed: v.optional(integer),
});

const PARAMETERS = 'chain parameters by the key of getchainparameters: { getEnergyFee: 210 }';

const RECORDED = 'the start of a recorded chain, as sunup record writes it; nothing else is set up';

export const NETWORK_FIELDS = {
  preset: v.optional(v.pipe(text, v.description('chain parameters: mainnet@2025-09, mainnet (the newest) or none'))),
  nodeVersion: v.optional(
    v.pipe(text, v.description('release of java-tron: 4.8.0 (default), 4.8.0.1, 4.8.1 or 4.8.2')),
  ),
  slotMs: v.optional(v.pipe(count(60_000, 100), v.description('length of a slot in ms; default 3000'))),
  parameters: v.optional(v.pipe(record(v.string(), integer, PARAMETERS), v.description(PARAMETERS))),
  stake: v.optional(
    v.pipe(text, v.description('stake of all other accounts: mainnet@2025-12, mainnet (the newest) or none')),
  ),
  totals: v.optional(totals),
  start: v.optional(moment),
  witnesses: v.optional(
    v.pipe(
      v.array(members('a witness', { name: definition('account'), votes: v.optional(count(1e15)) })),
      v.description('witnesses: a list of { name: an account, votes: its votes at the start }'),
    ),
  ),
  recorded: v.optional(v.pipe(record(v.string(), v.unknown(), RECORDED), v.description(RECORDED))),
  vmLimitMs: v.optional(count(1_000_000_000, 1)),
} as const;

export type NetworkPart = ValuesOf<typeof NETWORK_FIELDS>;
