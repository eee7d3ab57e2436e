/**
 * Reads a recorded chain (format: fixtures/recorded/README.md): the genesis its scenario describes, and its lines.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import * as v from 'valibot';
import type { Genesis, GenesisAccount } from '../../src/ledger/blocks/genesis.js';
import { NETWORK_SETTINGS, type NodeSettings } from '../../src/ledger/config.js';
import { genesisProperties, presetByName } from '../../src/parameters/presets.js';
import type { Hex } from '../../src/primitives/hex.js';
import type { Address, BlockId, TxId } from '../../src/primitives/ids.js';
import { addressFromPrivateKey, fromBase58 } from '../../src/protocol/address.js';

/** Something in a recording that `verify` does not understand: what it compared would be another chain. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError';
}

const amount = v.pipe(v.string(), v.regex(/^-?\d+$/, 'has to be a whole number as text'));
const wholeNumber = v.pipe(v.number(), v.safeInteger('has to be a whole number'));

/** Strict: a setting of the recorded node that nobody reads here would show as a difference somewhere in its chain. */
const SCENARIO = v.strictObject({
  name: v.string(),
  about: v.string(),
  network: v.strictObject({
    genesisTimestamp: wholeNumber,
    maintenanceIntervalMs: wholeNumber,
    accounts: v.array(v.strictObject({ name: v.optional(v.string()), address: v.string(), balance: amount })),
    witnesses: v.array(v.strictObject({ address: v.string(), url: v.string(), voteCount: wholeNumber })),
    witnessKeys: v.array(v.string()),
    parameters: v.optional(v.record(v.string(), v.union([wholeNumber, amount]))),
    preset: v.optional(v.string()),
    proposalExpireTimeMs: v.optional(wholeNumber),
  }),
});

type Scenario = v.InferOutput<typeof SCENARIO>;

export interface StateAfter {
  readonly accounts: Readonly<Record<string, { account: Hex | null; resource: Hex | null }>>;
  readonly stores: Readonly<Record<string, Readonly<Record<string, Hex | null>>>>;
}

export type ChainLine =
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

export interface AnswerLine {
  readonly afterBlock: number;
  readonly surface: 'http' | 'solidity' | 'jsonrpc' | 'jsonrpcSolidity' | 'grpc' | 'grpcSolidity';
  /** Absent for gRPC, where `path` names the method. */
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly status: number | string;
  readonly details?: string;
  readonly contentType?: string | null;
  readonly response?: string;
  readonly note?: string;
}

export interface Recording {
  readonly directory: string;
  readonly name: string;
  readonly genesis: Genesis;
  /** What the recorded node read from its configuration file. */
  readonly settings: NodeSettings;
  /** Private keys at hand, by the address they sign for. */
  readonly witnessKeys: ReadonlyMap<Address, Hex>;
  readonly lines: readonly ChainLine[];
  readonly answers: readonly AnswerLine[];
}

function readLines<Line>(file: string): Line[] {
  let text: string;
  try {
    text = gunzipSync(readFileSync(file)).toString('utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}

/** The assets of every recorded genesis, unless an account of the scenario has the name. */
function address(base58: string): Address {
  const decoded = fromBase58(base58);
  if (decoded === undefined) throw new Error(`${base58} is not an address`);
  return decoded;
}

const FIRST_ACCOUNTS: readonly GenesisAccount[] = [
  { name: 'Zion', address: address('TLLM21wteSPs4hKjbxgmH1L6poyMjeTbHm'), balanceSun: 99_000_000_000_000_000n },
  { name: 'Sun', address: address('TXmVpin5vq5gdZsciyyjdZgKRUju4st1wM'), balanceSun: 0n },
  { name: 'Blackhole', address: address('TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy'), balanceSun: -(2n ** 63n) },
];

const PARENT_HASH = 'e58f33f9baf9305dc6f82b9f1934ea8f0ade2defb951258d50167028c780351f';

function genesisOf({ network }: Scenario): Genesis {
  const named = network.accounts.map((account, index) => ({
    // The recorder named accounts that the scenario leaves without a name by their place.
    name: account.name ?? `acc${index}`,
    address: address(account.address),
    balanceSun: BigInt(account.balance),
  }));
  const names = new Set(named.map(({ name }) => name));
  const preset = presetByName(network.preset ?? 'mainnet');
  if (preset === undefined) throw new RecordingError(`the scenario names the unknown preset ${network.preset}`);
  const overrides = Object.entries(network.parameters ?? {}).map(([name, value]) => [name, BigInt(value)] as const);
  return {
    timestampMs: BigInt(network.genesisTimestamp),
    parentHash: PARENT_HASH,
    accounts: [...FIRST_ACCOUNTS.filter(({ name }) => !names.has(name)), ...named],
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

function readScenario(directory: string): Scenario {
  const file = join(directory, 'scenario.json');
  const { success, output, issues } = v.safeParse(SCENARIO, JSON.parse(readFileSync(file, 'utf8')));
  if (success) return output;
  const [issue] = issues;
  const unknown = issue.type === 'strict_object' && issue.expected === 'never';
  const what = unknown ? 'is a setting that verify does not know' : issue.message;
  throw new RecordingError(`${file}: ${v.getDotPath(issue) ?? 'the scenario'} ${what}`);
}

function settingsOf({ network: { proposalExpireTimeMs } }: Scenario): NodeSettings {
  if (proposalExpireTimeMs === undefined) return NETWORK_SETTINGS;
  return { ...NETWORK_SETTINGS, proposalExpireTimeMs: BigInt(proposalExpireTimeMs) };
}

/**
 * @throws ENOENT when `directory` holds no recording
 * @throws RecordingError when its scenario holds something that would be left out of account
 */
export function readRecording(directory: string): Recording {
  const scenario = readScenario(directory);
  return {
    directory,
    name: scenario.name,
    genesis: genesisOf(scenario),
    settings: settingsOf(scenario),
    witnessKeys: new Map(scenario.network.witnessKeys.map((key) => [addressFromPrivateKey(key), key])),
    lines: readLines<ChainLine>(join(directory, 'chain.ndjson.gz')),
    answers: readLines<AnswerLine>(join(directory, 'answers.ndjson.gz')),
  };
}
