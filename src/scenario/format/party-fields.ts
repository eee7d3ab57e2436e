/** Accounts, tokens and contracts as they are at the first step. */

import * as v from 'valibot';
import { record } from '../../primitives/record-schema.js';
import { members, type ValuesOf } from './check-object.js';
import { account, address, bytes, count, integer, span, sun, text } from './fields.js';
import { permissionsField } from './permission-fields.js';

const optionalSun = v.optional(sun);
const used = v.optional(integer);

export const ACCOUNT_FIELDS = {
  balance: v.optional(
    v.pipe(sun, v.description('balance; an account with no balance does not exist until it receives a transfer')),
  ),
  count: v.optional(
    v.pipe(count(100_000, 1), v.description('makes a group of this many accounts: customers.0, customers.1, …')),
  ),
  privateKey: v.optional(
    v.pipe(bytes, v.length(64, '32 bytes of hex'), v.description('private key; default: derived from seed and name')),
  ),
  address: v.optional(
    v.pipe(
      address,
      v.description('address of an existing account, for example on a fork; it is impersonated and needs no key'),
    ),
  ),
  stake: v.optional(members('stake 2.0', { energy: optionalSun, bandwidth: optionalSun, tronPower: optionalSun })),
  delegations: v.optional(
    v.pipe(
      v.array(
        members('a delegation', { to: account, energy: optionalSun, bandwidth: optionalSun, lock: v.optional(span) }),
      ),
      v.description('its delegations: a list of { to, energy, bandwidth, lock }; a lock starts at the first step'),
    ),
  ),
  votes: v.optional(
    v.pipe(
      record(v.string(), integer),
      v.description('votes by name of the witness: { w1: 100 }'),
      v.metadata({ names: 'account' }),
    ),
  ),
  used: v.optional(members('resource usage at the first step', { energy: used, bandwidth: used, freeBandwidth: used })),
  tokens: v.optional(
    v.pipe(record(v.string(), integer), v.description('balances of tokens and token contracts, by their names')),
  ),
  permissions: v.optional(permissionsField),
} as const;

export type AccountPart = ValuesOf<typeof ACCOUNT_FIELDS>;

export const TOKEN_FIELDS = {
  issuer: account,
  supply: integer,
  name: v.optional(v.pipe(text, v.description('name on the chain; default: the name in the file'))),
  abbreviation: v.optional(text),
  precision: v.optional(count(6)),
  freeBandwidth: v.optional(v.pipe(integer, v.description('bytes a day that the issuer pays for each holder'))),
  publicFreeBandwidth: v.optional(
    v.pipe(integer, v.description('bytes a day that the issuer pays for all holders together')),
  ),
} as const;

export type TokenPart = ValuesOf<typeof TOKEN_FIELDS>;

export const ARTIFACT_FIELDS = {
  fixture: v.optional(
    v.pipe(text, v.description('a contract that comes with Sunup: Dollar, Token, Meter, Factory, Stake')),
  ),
  artifact: v.optional(
    v.pipe(text, v.description('artifact file of solc, Hardhat, Foundry or TronBox, relative to the scenario')),
  ),
  contract: v.optional(v.pipe(text, v.description('name of the contract, if the file has several'))),
  args: v.optional(
    v.pipe(
      v.array(v.unknown()),
      v.description('arguments of the constructor; names of the scenario can replace addresses'),
    ),
  ),
  value: optionalSun,
  userPercent: v.optional(v.pipe(count(100), v.description('percent of the Energy that callers pay; default 100'))),
  originEnergyLimit: v.optional(
    v.pipe(integer, v.description('the most Energy that the deployer pays for one call; default 10,000,000')),
  ),
} as const;

export const CONTRACT_FIELDS = {
  ...ARTIFACT_FIELDS,
  deployer: v.optional(account),
  address: v.optional(
    v.pipe(
      address,
      v.description('address of an existing contract, for example on a fork; its ABI is read from the chain'),
    ),
  ),
  energyFactor: v.optional(
    v.pipe(integer, v.description('energy factor in 1/10,000: 34,000 means 4.4 times the base price')),
  ),
  energyUsed: v.optional(v.pipe(integer, v.description('Energy that calls of it used in the current cycle'))),
} as const;

export type ContractPart = ValuesOf<typeof CONTRACT_FIELDS>;
