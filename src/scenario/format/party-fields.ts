/** Accounts, tokens and contracts as they are when the first step comes. */

import * as v from 'valibot';
import { record } from '../../primitives/record-schema.js';
import { members, type ValuesOf } from './check-object.js';
import { account, address, bytes, count, integer, span, sun, text } from './fields.js';
import { permissionsField } from './permission-fields.js';

const optionalSun = v.optional(sun);
const used = v.optional(integer);

export const ACCOUNT_FIELDS = {
  balance: v.optional(
    v.pipe(sun, v.description('coin; an account without any does not exist until somebody sends it some')),
  ),
  count: v.optional(
    v.pipe(count(100_000, 1), v.description('a group of so many accounts: customers.0, customers.1, …')),
  ),
  privateKey: v.optional(
    v.pipe(bytes, v.length(64, '32 bytes of hex'), v.description('its key; else one made of seed and name')),
  ),
  address: v.optional(
    v.pipe(address, v.description('somebody who is there already, of a fork say; acts without a key, impersonated')),
  ),
  stake: v.optional(members('stake 2.0', { energy: optionalSun, bandwidth: optionalSun, tronPower: optionalSun })),
  delegations: v.optional(
    v.pipe(
      v.array(
        members('a delegation', { to: account, energy: optionalSun, bandwidth: optionalSun, lock: v.optional(span) }),
      ),
      v.description(
        'what it has lent of its stake: a list of { to, energy, bandwidth, lock }; a lock counts from the first step on',
      ),
    ),
  ),
  votes: v.optional(
    v.pipe(
      record(v.string(), integer),
      v.description('votes by the names of witnesses: { w1: 100 }'),
      v.metadata({ names: 'account' }),
    ),
  ),
  used: v.optional(
    members('resources in use when the first step comes', { energy: used, bandwidth: used, freeBandwidth: used }),
  ),
  tokens: v.optional(
    v.pipe(record(v.string(), integer), v.description('what it holds of tokens and token contracts, by their names')),
  ),
  permissions: v.optional(permissionsField),
} as const;

export type AccountPart = ValuesOf<typeof ACCOUNT_FIELDS>;

export const TOKEN_FIELDS = {
  issuer: account,
  supply: integer,
  name: v.optional(v.pipe(text, v.description('its name on the chain; else that in the file'))),
  abbreviation: v.optional(text),
  precision: v.optional(count(6)),
  freeBandwidth: v.optional(v.pipe(integer, v.description('bytes a day that the issuer grants to each holder'))),
  publicFreeBandwidth: v.optional(v.pipe(integer, v.description('bytes a day that it grants to all together'))),
} as const;

export type TokenPart = ValuesOf<typeof TOKEN_FIELDS>;

export const ARTIFACT_FIELDS = {
  fixture: v.optional(
    v.pipe(text, v.description('a contract that comes with Sunup: Dollar, Token, Meter, Factory, Stake')),
  ),
  artifact: v.optional(
    v.pipe(text, v.description('a file of solc, Hardhat, Foundry or TronBox, seen from the folder of the scenario')),
  ),
  contract: v.optional(v.pipe(text, v.description('which contract of a file with several'))),
  args: v.optional(
    v.pipe(
      v.array(v.unknown()),
      v.description("the constructor's arguments; names of the scenario stand for addresses"),
    ),
  ),
  value: optionalSun,
  userPercent: v.optional(v.pipe(count(100), v.description('share of the Energy that callers pay; default 100'))),
  originEnergyLimit: v.optional(
    v.pipe(integer, v.description('most Energy that the deployer pays for a call; default 10,000,000')),
  ),
} as const;

export const CONTRACT_FIELDS = {
  ...ARTIFACT_FIELDS,
  deployer: v.optional(account),
  address: v.optional(
    v.pipe(address, v.description('a contract that is there already, of a fork say; its ABI is read of the chain')),
  ),
  energyFactor: v.optional(
    v.pipe(integer, v.description('of dynamic Energy, in 1/10,000: 34,000 is 4.4 times the price')),
  ),
  energyUsed: v.optional(v.pipe(integer, v.description('Energy that was used of it in the running epoch'))),
} as const;

export type ContractPart = ValuesOf<typeof CONTRACT_FIELDS>;
