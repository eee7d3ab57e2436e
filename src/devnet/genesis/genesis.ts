/**
 * The genesis of a devnet, from the options or from the user's file.
 *
 * With default options it is always the same block: the chain id stays, and wallets keep their settings.
 */

import type { Genesis, GenesisAccount, GenesisWitness } from '../../ledger/genesis/genesis.js';
import type { GenesisContract } from '../../ledger/genesis/genesis-contracts.js';
import type { InitialOptions } from '../../node/storage/open-chain.js';
import { beginningOf } from '../../options/beginning.js';
import type { Settings } from '../../options/declarations.js';
import type { DevAccount } from '../../options/dev-accounts.js';
import type { GenesisFile } from '../../options/genesis-file.js';
import { BadValue, moment } from '../../options/kinds.js';
import { networkStakeOf } from '../../options/network-stake.js';
import { OptionError } from '../../options/option-error.js';
import { PARAMETERS, parameterBySpelling } from '../../parameters/definitions.js';
import { type NetworkStake, NO_NETWORK_STAKE } from '../../parameters/network-stakes.js';
import type { Preset } from '../../parameters/presets/preset.js';
import {
  genesisProperties,
  ParameterValueError,
  presetByName,
  UnknownParameterError,
} from '../../parameters/presets.js';
import { closest } from '../../primitives/closest-name.js';
import { type Hex, hexToBytes, isHex, utf8ToHex } from '../../primitives/hex.js';
import { type Address, isAddress } from '../../primitives/ids.js';
import { emptyTable } from '../../primitives/outside-names.js';
import { FIRST_RELEASE, isSince } from '../../primitives/release.js';
import type { WholeNumber } from '../../primitives/whole-number.js';
import { addressFromPrivateKey, fromBase58, toBase58 } from '../../protocol/address.js';
import { addressFault } from '../../protocol/address-fault.js';
import { sha256OfHex } from '../../protocol/hashes.js';
import { isPrivateKey } from '../../protocol/secp256k1.js';
import { FIRST_TRE_GENESIS, TRE_GENESIS, TRE_WITNESS, type TreGenesis } from './tre-genesis.js';

/** 2025-01-01T00:00:00Z. */
const DEFAULT_TIMESTAMP_MS = 1_735_689_600_000;
const DEFAULT_PARENT_HASH = 'e58f33f9baf9305dc6f82b9f1934ea8f0ade2defb951258d50167028c780351f';

type WitnessOfFile = NonNullable<GenesisFile['witnesses']>[number];

const DEFAULT_WITNESS: WitnessOfFile = {
  // Publicly known, like the accounts' keys.
  privateKey: sha256OfHex(utf8ToHex('sunup witness')),
  url: 'http://sunup.local',
  voteCount: 100,
};

/** A witness of the genesis. */
export interface DevWitness {
  /** Base58check (T…). */
  readonly address: string;
  /** 21 bytes of hex, `41…`. */
  readonly addressHex: Address;
  /** 32 bytes of hex; undefined if another key signs for it. */
  readonly privateKey: Hex | undefined;
  readonly url: string;
}

/** A contract of the genesis (`predeploy`). */
export interface DevContract {
  /** `Multicall3`, `USDT` or `WTRX`. */
  readonly name: string;
  /** Base58check (T…). */
  readonly address: string;
  /** 21 bytes of hex, `41…`. */
  readonly addressHex: Address;
}

export interface DevnetGenesis {
  readonly genesis: Genesis;
  readonly witnesses: readonly DevWitness[];
  /** Keys that sign blocks, by their addresses. */
  readonly witnessKeys: ReadonlyMap<Address, Hex>;
  /** The initial options as text. */
  readonly stated: Readonly<Record<string, string>>;
  /** What the same options meant in earlier versions, for a chain that stored `kept`; the most likely first. */
  earlier(kept: InitialOptions): readonly Pick<DevnetGenesis, 'genesis' | 'stated'>[];
}

const SYSTEM_ACCOUNTS: readonly (readonly [name: string, address: string, balanceSun: bigint])[] = [
  ['Zion', 'TLLM21wteSPs4hKjbxgmH1L6poyMjeTbHm', 99_000_000_000_000_000n],
  ['Sun', 'TXmVpin5vq5gdZsciyyjdZgKRUju4st1wM', 0n],
  ['Blackhole', 'TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy', -(2n ** 63n)],
];

/** @throws OptionError for an invalid file or parameter */
export function devnetGenesis(
  settings: Settings,
  accounts: readonly DevAccount[],
  file: GenesisFile = {},
  contracts: readonly GenesisContract[] = [],
): DevnetGenesis {
  const given = (file.accounts ?? []).map(
    ({ name = '', address, balance }): GenesisAccount => ({
      name,
      address: readAddress(address),
      balanceSun: readLong(balance, `balance of ${address}`),
    }),
  );
  const named = new Set(given.map(({ name }) => name));
  const systemOf = (tre: TreGenesis | undefined) =>
    SYSTEM_ACCOUNTS.filter(([name]) => !named.has(name)).map(([name, address, balanceSun]) => ({
      name,
      address: readAddress(name === 'Sun' ? (tre?.sun ?? address) : address),
      balanceSun,
    }));
  // Like accounts on the network, and unlike those of a java-tron genesis, they have no name and have permissions. So a
  // wallet that signs with Permission_id 2, or sets the account's name, gets the same result as on the network.
  const funded = accounts.map(({ addressHex, balanceSun }) => ({
    name: '',
    address: addressHex,
    balanceSun,
    activated: true,
    ...(settings.tre && { untold: true }),
  }));
  const { witnesses, witnessKeys } = readWitnesses(file, settings.tre ? TRE_WITNESS : DEFAULT_WITNESS);
  const genesisWith = (tre: TreGenesis | undefined): Genesis => {
    const listed = [...systemOf(tre), ...given];
    const extra = tre?.accounts(settings.balance).filter(({ address }) => !has([...listed, ...funded], address)) ?? [];
    return {
      timestampMs: BigInt(settings.genesisTime ?? readMoment(file.timestamp)),
      parentHash: readHash(file.parentHash) ?? tre?.parentHash ?? DEFAULT_PARENT_HASH,
      accounts: [...listed, ...funded, ...extra],
      witnesses,
      contracts,
      properties: readProperties(settings, file, networkStakeOf(settings, file)),
    };
  };
  const tre = settings.tre ? TRE_GENESIS : undefined;
  refuseTwice([...systemOf(tre), ...given], accounts);
  refuseOccupied([...systemOf(tre), ...given, ...funded], contracts);
  const genesis = genesisWith(tre);
  const stated = beginningOf(settings, file);
  return {
    witnesses: witnesses.map(({ address, url }) => ({
      address: toBase58(address),
      addressHex: address,
      privateKey: witnessKeys.get(address),
      url,
    })),
    genesis,
    witnessKeys,
    stated,
    earlier: (kept) => {
      const candidates = settings.tre ? [genesis, genesisWith(FIRST_TRE_GENESIS)] : [genesis];
      if ('networkStake' in kept || settings.networkStake !== undefined)
        return candidates.map((one) => ({ genesis: one, stated }));
      const properties = readProperties(settings, file, NO_NETWORK_STAKE);
      return candidates.map((one) => ({ genesis: { ...one, properties }, stated: { ...stated, networkStake: '' } }));
    },
  };
}

function has(accounts: readonly GenesisAccount[], address: Address): boolean {
  return accounts.some((one) => one.address === address);
}

/** Of two accounts with the same address, the second would silently replace the first. */
function refuseTwice(listed: readonly GenesisAccount[], funded: readonly DevAccount[]): void {
  const seen = new Set<Address>();
  for (const { address, name } of listed) {
    const who = `${name === '' ? 'an account' : `the account ${name}`} ${toBase58(address)}`;
    if (seen.has(address)) refuse(`has ${who} twice, or under the address of a system account`, 'Give it once');
    seen.add(address);
    const devAccount = funded.find(({ addressHex }) => addressHex === address);
    if (devAccount !== undefined) {
      refuse(
        `has ${who}, which is also funded account (${devAccount.index})`,
        'Use another address, other keys (--mnemonic), or fewer accounts (--accounts)',
      );
    }
  }
}

function refuseOccupied(accounts: readonly GenesisAccount[], contracts: readonly GenesisContract[]): void {
  const occupied = contracts.find((contract) => accounts.some(({ address }) => address === contract.address));
  if (occupied === undefined) return;
  const what = `has an account ${toBase58(occupied.address)}, which is the address of the contract ${occupied.name}`;
  refuse(what, 'Remove the account, or that contract from --predeploy');
}

function refuse(what: string, hint: string): never {
  throw new OptionError('genesis', what, hint);
}

function readMoment(timestamp: number | string | undefined): number {
  if (timestamp === undefined) return DEFAULT_TIMESTAMP_MS;
  try {
    return moment.check(timestamp);
  } catch (error) {
    if (!(error instanceof BadValue)) throw error;
    return refuse(`has the timestamp ${timestamp}, which is not a time`, error.hint ?? '');
  }
}

function readHash(hash: string | undefined): Hex | undefined {
  if (hash === undefined) return undefined;
  const hex = hash.replace(/^0x/, '').toLowerCase();
  if (hex.length !== 64 || !isHex(hex)) refuse(`has the parentHash ${hash}`, 'Write 32 bytes of hex');
  return hex;
}

function readAddress(text: string): Address {
  const hex = isAddress(text.toLowerCase()) ? (text.toLowerCase() as Address) : fromBase58(text);
  if (hex === undefined)
    refuse(`has the address ${text}${addressFault(text)}`, 'Write base58check (T…) or 21 bytes of hex (41…)');
  return hex;
}

function readLong(value: WholeNumber, what: string): bigint {
  const text = String(value);
  if (!/^-?\d+$/.test(text) || BigInt.asIntN(64, BigInt(text)) !== BigInt(text)) {
    refuse(`has ${text} as ${what}`, 'Write a whole number of 64 bits, large ones as text');
  }
  return BigInt(text);
}

function readWitnesses(
  file: GenesisFile,
  ours: WitnessOfFile,
): { witnesses: GenesisWitness[]; witnessKeys: Map<Address, Hex> } {
  const witnessKeys = new Map<Address, Hex>();
  const given = file.witnesses ?? [ours];
  const witnesses = given.map(({ address, privateKey, url = '', voteCount = 0 }): GenesisWitness => {
    const key = privateKey?.replace(/^0x/, '').toLowerCase();
    const signer = key === undefined ? undefined : readSigner(key);
    if (key !== undefined && signer !== undefined) witnessKeys.set(signer, key);
    const witness = address === undefined ? signer : readAddress(address);
    if (witness === undefined) refuse('has a witness without address and privateKey', 'Add one of the two');
    return { address: witness, url, voteCount: readLong(voteCount, 'voteCount') };
  });
  if (witnessKeys.size === 0) refuse('has no witness with a privateKey', 'One key is needed to sign blocks');
  return { witnesses, witnessKeys };
}

function readSigner(key: Hex): Address {
  if (!isPrivateKey(hexToBytes(key)))
    refuse('has a witness privateKey that is not a secp256k1 key', 'Create a key with a wallet');
  return addressFromPrivateKey(key);
}

/** Refuses parameters that the release does not have: they would have no effect. */
function refuseLater(
  { nodeVersion = FIRST_RELEASE, parameters }: Settings,
  preset: Preset,
  overrides: Readonly<Record<string, bigint>>,
) {
  if (!isSince(preset.release, nodeVersion))
    throw new OptionError(
      'preset',
      `is ${preset.name}, whose values are those of java-tron ${preset.release}`,
      `Give nodeVersion ${preset.release} (--node-version) too`,
    );
  for (const name of Object.keys(overrides)) {
    const since = parameterBySpelling(name)?.since;
    if (isSince(since, nodeVersion)) continue;
    throw new OptionError(
      parameters?.has(name) ? 'parameters' : 'genesis',
      `cannot be applied: ${name} came with java-tron ${since}`,
      `Give nodeVersion ${since} (--node-version) too`,
    );
  }
}

function readProperties(settings: Settings, file: GenesisFile, networkStake: NetworkStake): Genesis['properties'] {
  const preset = file.preset === undefined ? settings.preset : presetByName(file.preset);
  if (preset === undefined) refuse(`names the preset ${file.preset}`, 'See sunup --help for the presets');
  const overrides = Object.assign(emptyTable<bigint>(), networkStake.values);
  for (const [name, value] of Object.entries(file.parameters ?? {})) overrides[name] = readLong(value, name);
  for (const [name, value] of settings.parameters ?? []) overrides[name] = value;
  refuseLater(settings, preset, overrides);
  try {
    return genesisProperties(preset, overrides, BigInt(settings.slotMs));
  } catch (error) {
    if (!(error instanceof UnknownParameterError || error instanceof ParameterValueError)) throw error;
    const option = settings.parameters?.has(error.parameter) ? 'parameters' : 'genesis';
    const close = closest(
      error.parameter,
      PARAMETERS.flatMap(({ key, name }) => [key, name]),
    );
    const isKnown = error instanceof ParameterValueError || close === undefined || close === error.parameter;
    throw new OptionError(
      option,
      `cannot be applied: ${error.message}`,
      isKnown ? 'See docs/reference/parameters.md' : `Did you mean ${close}?`,
    );
  }
}
