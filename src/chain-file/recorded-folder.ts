/**
 * A folder that was recorded from a java-tron node (see fixtures/recorded/README.md): the genesis of its network, and
 * the types of its lines. `folder-steps.ts` converts it into lines of a chain file.
 */

import * as v from 'valibot';
import { NETWORK_SETTINGS, type NodeSettings } from '../ledger/config.js';
import type { Genesis, GenesisAccount } from '../ledger/genesis/genesis.js';
import { genesisProperties, presetByName } from '../parameters/presets.js';
import type { Hex } from '../primitives/hex.js';
import type { Address, BlockId, TxId } from '../primitives/ids.js';
import { record } from '../primitives/record-schema.js';
import { IN_WORDS } from '../primitives/schema-words.js';
import { fromBase58 } from '../protocol/address.js';
import { addressFault } from '../protocol/address-fault.js';
import { ChainFileError } from './shapes.js';

const amount = v.pipe(v.string(), v.regex(/^-?\d+$/, 'must be a whole number as text'));
const wholeNumber = v.pipe(v.number(), v.safeInteger('must be a whole number'));

/** Strict: a setting that Sunup does not apply would show as a difference somewhere in the chain. */
const SCENARIO = v.strictObject({
  name: v.string(),
  about: v.string(),
  network: v.strictObject({
    genesisTimestamp: wholeNumber,
    maintenanceIntervalMs: wholeNumber,
    accounts: v.array(v.strictObject({ name: v.optional(v.string()), address: v.string(), balance: amount })),
    witnesses: v.array(v.strictObject({ address: v.string(), url: v.string(), voteCount: wholeNumber })),
    witnessKeys: v.array(v.string()),
    parameters: v.optional(record(v.string(), v.union([wholeNumber, amount]))),
    preset: v.optional(v.string()),
    proposalExpireTimeMs: v.optional(wholeNumber),
  }),
});

export type RecordedNetwork = v.InferOutput<typeof SCENARIO>;

export interface StateAfter {
  readonly accounts: Readonly<Record<string, { account: Hex | null; resource: Hex | null }>>;
  readonly stores: Readonly<Record<string, Readonly<Record<string, Hex | null>>>>;
}

export type FolderLine =
  | { readonly kind: 'genesis'; readonly block: Hex; readonly after: StateAfter }
  | {
      readonly kind: 'broadcast';
      readonly afterBlock: number;
      readonly txid: TxId;
      readonly transaction?: Hex;
      readonly note?: string;
    }
  | {
      readonly kind: 'refused';
      readonly afterBlock: number;
      readonly transaction: Hex;
      readonly txid: TxId;
      readonly code: string;
      readonly message: string;
      readonly note?: string;
    }
  | {
      readonly kind: 'block';
      readonly number: number;
      readonly id: BlockId;
      readonly timestamp: number;
      readonly block: Hex;
      readonly txids: readonly TxId[];
      readonly infos: readonly Hex[];
      readonly dropped?: readonly { readonly txid: TxId; readonly reason: string }[];
      readonly after?: StateAfter;
    };

function address(base58: string): Address {
  const decoded = fromBase58(base58);
  if (decoded === undefined) throw new ChainFileError(`${base58} is no address${addressFault(base58)}`);
  return decoded;
}

/** The genesis assets of every recorded network, unless an account of the scenario has the same name. */
const GENESIS_ASSETS: readonly GenesisAccount[] = [
  { name: 'Zion', address: address('TLLM21wteSPs4hKjbxgmH1L6poyMjeTbHm'), balanceSun: 99_000_000_000_000_000n },
  { name: 'Sun', address: address('TXmVpin5vq5gdZsciyyjdZgKRUju4st1wM'), balanceSun: 0n },
  { name: 'Blackhole', address: address('TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy'), balanceSun: -(2n ** 63n) },
];

const PARENT_HASH = 'e58f33f9baf9305dc6f82b9f1934ea8f0ade2defb951258d50167028c780351f';

export function genesisOf({ network }: RecordedNetwork): Genesis {
  const named = network.accounts.map((account, index) => ({
    // The recorder named unnamed accounts by their index.
    name: account.name ?? `acc${index}`,
    address: address(account.address),
    balanceSun: BigInt(account.balance),
  }));
  const names = new Set(named.map(({ name }) => name));
  const preset = presetByName(network.preset ?? 'mainnet');
  if (preset === undefined) throw new ChainFileError(`the scenario names the unknown preset ${network.preset}`);
  const overrides = Object.entries(network.parameters ?? {}).map(([name, value]) => [name, BigInt(value)] as const);
  return {
    timestampMs: BigInt(network.genesisTimestamp),
    parentHash: PARENT_HASH,
    accounts: [...GENESIS_ASSETS.filter(({ name }) => !names.has(name)), ...named],
    witnesses: network.witnesses.map((witness) => ({
      address: address(witness.address),
      url: witness.url,
      voteCount: BigInt(witness.voteCount),
    })),
    properties: genesisProperties(
      preset,
      Object.fromEntries([['MAINTENANCE_TIME_INTERVAL', BigInt(network.maintenanceIntervalMs)], ...overrides]),
    ),
  };
}

export function settingsOf({ network: { proposalExpireTimeMs } }: RecordedNetwork): NodeSettings {
  if (proposalExpireTimeMs === undefined) return NETWORK_SETTINGS;
  return { ...NETWORK_SETTINGS, proposalExpireTimeMs: BigInt(proposalExpireTimeMs) };
}

/** The content of a recording's `scenario.json`. @throws ChainFileError for a setting that Sunup does not know */
export function recordedNetwork(text: string, file: string): RecordedNetwork {
  const { success, output, issues } = v.safeParse(SCENARIO, JSON.parse(text), IN_WORDS);
  if (success) return output;
  const [issue] = issues;
  const unknown = issue.type === 'strict_object' && issue.expected === 'never';
  const what = unknown ? 'is a setting that Sunup does not know' : `must be ${issue.message.replace(/^must be /, '')}`;
  throw new ChainFileError(`${file}: ${v.getDotPath(issue) ?? 'the scenario'} ${what}`);
}
