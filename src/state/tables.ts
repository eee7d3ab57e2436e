/**
 * Every table of the chain's state: name, prefix on disk, encoding. Where java-tron stores protobuf messages, so does
 * Sunup, with the same fields: rows of recorded stores can be compared directly. Keys are Sunup's own (readable hex).
 * Prefixes and encodings are the disk format: `FORMAT_VERSION` counts it, and a database of another version is
 * refused.
 */

import { bytesToHex, type Hex, hexToBytes } from '../primitives/hex.js';
import type { Address, BlockId, TxId } from '../primitives/ids.js';
import { AssetIssueContract } from '../protocol/generated/asset-issue-contract.js';
import { ContractState, SmartContract, SmartContract_ABI } from '../protocol/generated/smart-contract.js';
import {
  Account,
  DelegatedResource,
  DelegatedResourceAccountIndex,
  Exchange,
  MarketAccountOrder,
  MarketOrder,
  Proposal,
  type Vote,
  Votes,
  Witness,
} from '../protocol/generated/tron.js';
import type { MessageCodec } from '../protocol/message-type.js';
import { blockWeight, storedBlock } from './stored-block.js';
import type { TableSpec } from './table-spec.js';

/** Counts incompatible changes of tables, prefixes or encodings. */
export const FORMAT_VERSION = 4;

/** A transaction in a block, with all data for queries by id. */
export interface StoredTransaction {
  readonly blockNumber: number;
  readonly index: number;
  /** `protocol.Transaction` as in the block, `ret` included. */
  readonly transaction: Uint8Array;
  /** `protocol.TransactionInfo`. */
  readonly info: Uint8Array;
  /** The charges as JSON (`ledger/charging/charges.ts`), the source of `explain`. */
  readonly charges: string;
}

/** A receiver or delegator of an account, with the time of the last delegation. */
export interface DelegationPartner {
  readonly address: Address;
  readonly timestampMs: bigint;
}

/** Rewards and terms of a witness in the current cycle: `ledger/voting/rewards.ts`. */
export interface WitnessRewards {
  /** The voters' pool of the cycle so far, in sun. */
  readonly poolSun: bigint;
  /** Brokerage of the cycle in percent; undefined: the default. */
  readonly brokerage: bigint | undefined;
  /** Brokerage from the next cycle on. */
  readonly nextBrokerage: bigint | undefined;
  /** Its votes at the start of the cycle; undefined if the witness is newer. */
  readonly votes: bigint | undefined;
  /** Accumulated reward of one vote over all past cycles, in 10^-18 sun. */
  readonly perVote: bigint;
  /**
   * The same with the current cycle, at its last maintenance that did not end it (CHANGE_DELEGATION off); 0: there was
   * none, or nothing to write.
   */
  readonly perVoteSoFar: bigint;
}

/** Settlement state of a voter. */
export interface VoterSettlement {
  /** First unpaid cycle. */
  readonly beginCycle: bigint;
  /** The cycle after the one that `snapshot` belongs to, or -1. */
  readonly endCycle: bigint;
  /** The votes at the last settlement, which earn for its cycle whatever is voted later in it. */
  readonly snapshot: { readonly cycle: bigint; readonly votes: readonly Vote[] } | undefined;
}

/**
 * Orders of one side of the book at one price, in order of arrival: a list linked through `MarketOrder.prev` and
 * `next`.
 */
export interface PriceLevel {
  /** The price in lowest terms: sold amount and wanted amount. */
  readonly sellQuantity: bigint;
  readonly buyQuantity: bigint;
  readonly head: Hex;
  readonly tail: Hex;
}

/** The row of `ledger/blocks/empty-blocks.ts`. */
export interface EmptyRunRow {
  readonly first: number;
  readonly count: number;
  readonly firstTimestampMs: bigint;
  readonly parentId: BlockId;
  readonly witnesses: readonly Address[];
  readonly signers: readonly Address[];
  readonly firstTurn: number;
  readonly secondTurn: number;
  readonly checkpoints: readonly BlockId[];
}

/** Count and checksum of a table's rows (`tallies.ts`). */
export interface Tally {
  readonly rows: number;
  /** CRC-32C of every key, summed modulo 2^48. */
  readonly keySum: number;
}

interface Codec<Value> {
  encode(value: Value): Uint8Array;
  decode(bytes: Uint8Array): Value;
}

interface Options<Value> {
  readonly resident?: boolean;
  readonly keptRows?: number;
  readonly weightOf?: (value: Value) => number;
  readonly bornAt?: (key: string, value: Value) => number;
}

/** Its addresses are valid: a message is checked before it becomes a row. */
function messages<Message>(
  name: string,
  prefix: string,
  codec: MessageCodec<Message>,
  options: Options<Message> = {},
): TableSpec<Message> {
  return {
    name,
    prefix,
    encode: (message) => codec.encode(message),
    decode: (bytes) => codec.decode(bytes) as Message,
    ...options,
  };
}

function rows<Value>(
  name: string,
  prefix: string,
  codec: Codec<Value>,
  options: Options<Value> = {},
): TableSpec<Value> {
  return {
    name,
    prefix,
    encode: (value) => codec.encode(value),
    decode: (bytes) => codec.decode(bytes),
    ...options,
  };
}

const utf8 = (text: string): Uint8Array => Buffer.from(text, 'utf8');
const fromUtf8 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');

function texts<Text extends string>(name: string, prefix: string, options: Options<Text> = {}): TableSpec<Text> {
  return { name, prefix, encode: utf8, decode: (bytes) => fromUtf8(bytes) as Text, ...options };
}

function longs(name: string, prefix: string, options: Options<bigint> = {}): TableSpec<bigint> {
  return {
    name,
    prefix,
    encode: (value) => utf8(value.toString()),
    decode: (bytes) => BigInt(fromUtf8(bytes)),
    ...options,
  };
}

function hexes<Value extends Hex>(name: string, prefix: string, options: Options<Value> = {}): TableSpec<Value> {
  return { name, prefix, encode: hexToBytes, decode: (bytes) => bytesToHex(bytes) as Value, ...options };
}

/** 256-bit words in 32 bytes: the virtual machine computes with bigint. */
function words(name: string, prefix: string, options: Options<bigint> = {}): TableSpec<bigint> {
  return {
    name,
    prefix,
    encode: (value) => hexToBytes(value.toString(16).padStart(64, '0')),
    decode: (bytes) => BigInt(`0x${bytesToHex(bytes)}`),
    ...options,
  };
}

function raw(name: string, prefix: string, options: Options<Uint8Array> = {}): TableSpec<Uint8Array> {
  return { name, prefix, encode: (value) => value, decode: (bytes) => bytes, ...options };
}

function json<Value>(name: string, prefix: string, options: Options<Value> = {}): TableSpec<Value> {
  return {
    name,
    prefix,
    encode: (value) => utf8(JSON.stringify(value, (_, field) => (typeof field === 'bigint' ? `${field}n` : field))),
    decode: (bytes) =>
      JSON.parse(fromUtf8(bytes), (_, field) =>
        typeof field === 'string' && /^-?\d+n$/.test(field) ? BigInt(field.slice(0, -1)) : field,
      ) as Value,
    ...options,
  };
}

/** Four lengths, then the parts: a transaction is written once and read often, and JSON would double its size. */
const storedTransaction: Codec<StoredTransaction> = {
  encode({ blockNumber, index, transaction, info, charges }) {
    const chargesBytes = utf8(charges);
    const bytes = Buffer.allocUnsafe(20 + transaction.length + info.length + chargesBytes.length);
    bytes.writeUIntBE(blockNumber, 0, 6);
    bytes.writeUIntBE(index, 6, 6);
    bytes.writeUInt32BE(transaction.length, 12);
    bytes.writeUInt32BE(info.length, 16);
    bytes.set(transaction, 20);
    bytes.set(info, 20 + transaction.length);
    bytes.set(chargesBytes, 20 + transaction.length + info.length);
    return bytes;
  },
  decode(bytes) {
    const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const infoAt = 20 + view.readUInt32BE(12);
    const chargesAt = infoAt + view.readUInt32BE(16);
    return {
      blockNumber: view.readUIntBE(0, 6),
      index: view.readUIntBE(6, 6),
      transaction: view.subarray(20, infoAt),
      info: view.subarray(infoAt, chargesAt),
      charges: view.toString('utf8', chargesAt),
    };
  },
};

/** Numbers joined by commas, in the order of the interface: the rows of all standby witnesses change in every block. */
const witnessRewards: Codec<WitnessRewards> = {
  encode: ({ poolSun, brokerage, nextBrokerage, votes, perVote, perVoteSoFar }) => {
    const row = [poolSun, brokerage, nextBrokerage, votes, perVote];
    return utf8((perVoteSoFar === 0n ? row : [...row, perVoteSoFar]).join(','));
  },
  decode(bytes) {
    const [poolSun, brokerage, nextBrokerage, votes, perVote, perVoteSoFar] = fromUtf8(bytes)
      .split(',')
      .map((text) => (text === '' ? undefined : BigInt(text)));
    return {
      poolSun: poolSun ?? 0n,
      brokerage,
      nextBrokerage,
      votes,
      perVote: perVote ?? 0n,
      perVoteSoFar: perVoteSoFar ?? 0n,
    };
  },
};

/** 29 bytes for each partner: an account with ten thousand receivers has a row that is written often. */
const delegationPartners: Codec<readonly DelegationPartner[]> = {
  encode(partners) {
    const bytes = Buffer.allocUnsafe(29 * partners.length);
    partners.forEach(({ address, timestampMs }, i) => {
      bytes.write(address, 29 * i, 'hex');
      bytes.writeBigInt64BE(timestampMs, 29 * i + 21);
    });
    return bytes;
  },
  decode(bytes) {
    const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    return Array.from({ length: view.length / 29 }, (_, i) => ({
      address: view.toString('hex', 29 * i, 29 * i + 21) as Address,
      timestampMs: view.readBigInt64BE(29 * i + 21),
    }));
  },
};

const tally: Codec<Tally> = {
  encode({ rows, keySum }) {
    const bytes = Buffer.allocUnsafe(12);
    bytes.writeUIntBE(rows, 0, 6);
    bytes.writeUIntBE(keySum, 6, 6);
    return bytes;
  },
  decode(bytes) {
    const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    return { rows: view.readUIntBE(0, 6), keySum: view.readUIntBE(6, 6) };
  },
};

const RECENT = { keptRows: 20_000 };
const RESIDENT = { resident: true };
/** The key starts with the number of the block that adds the row. */
const BY_HEIGHT = { bornAt: (key: string) => Number.parseInt(key.slice(0, 12), 16) };

/** Key of a table ordered by number. */
export function numberKey(number: number | bigint): string {
  return number.toString(16).padStart(12, '0');
}

/** Key of operations after a block: `step` counts from 1. */
export function stepKey(blockNumber: number, step: number): string {
  return `${numberKey(blockNumber)}.${numberKey(step)}`;
}

export const TABLES = {
  /** Format version, genesis id, initial settings, the relaxed flag: values of the whole chain. */
  meta: texts<string>('meta', 'meta:'),
  /** By the prefix of the table: `tallies.ts`. */
  tallies: rows('tallies', 'n:', tally),
  /** java-tron's `properties`: longs and ints. */
  longs: longs('longs', 'pl:'),
  /** Numbers that the network does not have: `ledger/operations/own-numbers.ts`. Missing row: 0. */
  ownNumbers: longs('ownNumbers', 'pn:'),
  /** java-tron's `properties`: texts unchanged, bytes as hex. */
  texts: texts<string>('texts', 'pt:'),
  /** The phantom part of each total, in whole TRX: `ledger/stake/phantom-stake.ts`. */
  phantomStakes: longs('phantomStakes', 'ps:'),

  accounts: messages('accounts', 'a:', Account),
  /** Accounts and transactions that need no signature: `ledger/accounts/impersonation.ts`. */
  impersonations: texts<string>('impersonations', 'iu:', RESIDENT),
  accountNames: hexes<Address>('accountNames', 'an:'),
  /** Accounts that sent a transaction through `/eth`: `ledger/accounts/ethereum.ts`. */
  ethereumNonces: longs('ethereumNonces', 'en:'),
  accountIds: hexes<Address>('accountIds', 'ai:'),

  witnesses: messages('witnesses', 'w:', Witness, RESIDENT),
  /** Votes cast since the last maintenance. */
  votes: messages('votes', 'v:', Votes, RESIDENT),
  witnessRewards: rows('witnessRewards', 'wr:', witnessRewards),
  /** Data of past cycles for payments to voters; keys in `ledger/voting/rewards.ts`. */
  rewardHistory: longs('rewardHistory', 'r:'),
  /** Settlement of each voter: `ledger/voting/voter-rewards.ts`. */
  voterSettlements: json<VoterSettlement>('voterSettlements', 'rv:'),

  /** Keys of both in `ledger/stake/delegation-records.ts` and `ledger/stake/delegation-index.ts`. */
  delegations: messages('delegations', 'd:', DelegatedResource),
  delegationPartners: rows('delegationPartners', 'di:', delegationPartners),
  /** Partners of stake 1.0 in the form from before ALLOW_DELEGATE_OPTIMIZATION, by account. */
  delegationLists: messages('delegationLists', 'dl:', DelegatedResourceAccountIndex),

  /** By the hex of the token id's digits. */
  assets: messages('assets', 't:', AssetIssueContract, RESIDENT),
  /** By the hex of the name, while ALLOW_SAME_TOKEN_NAME is off. */
  assetsByName: messages('assetsByName', 'tn:', AssetIssueContract, RESIDENT),
  proposals: messages('proposals', 'g:', Proposal, RESIDENT),
  /** By `numberKey`, tokens by id. */
  exchanges: messages('exchanges', 'x:', Exchange, RESIDENT),
  /** By `numberKey`, tokens by name, while ALLOW_SAME_TOKEN_NAME is off. */
  exchangesByName: messages('exchangesByName', 'xn:', Exchange, RESIDENT),
  marketAccounts: messages('marketAccounts', 'ma:', MarketAccountOrder),
  marketOrders: messages('marketOrders', 'mo:', MarketOrder),
  /**
   * Number of price levels of each side of the order book; a side without orders has no row. Keys in
   * `ledger/trade/market.ts`.
   */
  marketPairs: longs('marketPairs', 'mp:', RESIDENT),
  /** The price levels in key order: by pair, best price first. */
  marketPrices: json<PriceLevel>('marketPrices', 'ml:', RESIDENT),

  contracts: messages('contracts', 'c:', SmartContract),
  /** An empty or cleared ABI has no row. */
  abis: messages('abis', 'ca:', SmartContract_ABI),
  codes: raw('codes', 'cc:'),
  contractStates: messages('contractStates', 'cs:', ContractState),
  /** Words by java-tron's storage-row keys; a zero word has no row. */
  storage: words('storage', 's:', { keptRows: 200_000 }),

  transactions: rows('transactions', 'x1:', storedTransaction, {
    // Two small buffers each, which keep alive the slabs that they are parts of.
    keptRows: 4_096,
    bornAt: (_, { blockNumber }) => blockNumber,
  }),
  /** For transactions that came through `/eth`: the id by Ethereum's hash, and the hash by the id. */
  ethereumIds: hexes<TxId>('ethereumIds', 'ei:'),
  ethereumHashes: hexes('ethereumHashes', 'eh:'),
  blocks: rows('blocks', 'b:', storedBlock, { ...RECENT, ...BY_HEIGHT, weightOf: blockWeight }),
  /** On a fork: ids of the network's blocks, by `numberKey`, as contracts have read them. */
  earlierBlockIds: hexes<BlockId>('earlierBlockIds', 'bi:'),
  /** Operations by `stepKey`, as `ledger/operations/operation.ts` writes them. */
  operations: texts<string>('operations', 'o:', { ...RECENT, ...BY_HEIGHT }),
  /** Number of operations after a block, by `numberKey`; none: no row. */
  operationCounts: longs('operationCounts', 'on:', { ...RECENT, ...BY_HEIGHT }),
  /** Runs of empty blocks, by their first number: `ledger/blocks/empty-blocks.ts`. */
  emptyRuns: json<EmptyRunRow>('emptyRuns', 'be:', { ...RESIDENT, ...BY_HEIGHT }),
} as const;

const NAME_OF_PREFIX: ReadonlyMap<string, string> = new Map([
  ...Object.values(TABLES).map((spec) => [spec.prefix, spec.name] as const),
  ['pre:', 'pre-images'],
  ['ch:', 'changes'],
  ['kept:', 'kept'],
  ['~keys:', 'written keys'],
]);

/** The table of a store's key. */
export function tableOfKey(key: string): string {
  return NAME_OF_PREFIX.get(key.slice(0, key.indexOf(':') + 1)) ?? 'unknown';
}

/** The key of the format number, in every format of the database. */
export const FORMAT_KEY = `${TABLES.meta.prefix}format`;
