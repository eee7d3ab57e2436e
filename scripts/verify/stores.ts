/**
 * Compares java-tron's own tables, as a recording holds them after each step, with ours: what no answer shows yet may
 * still decide the next one. Rows are decoded on both sides, so a difference is named by its field.
 *
 * Left out: `account-asset`, token balances of accounts and their `asset_optimized` (which of them a record holds depends
 * on when java-tron merged it), blocks and transactions (compared as bytes), and of the reward bookkeeping
 * what we do not keep: pools and brokerages of cycles that are over.
 */

import type { Ledger } from '../../src/ledger/ledger.js';
import { activeWitnesses } from '../../src/ledger/schedule/schedule.js';
import { partnersOf } from '../../src/ledger/stake/delegation-index.js';
import { pairOfKey, priceLevels } from '../../src/ledger/trade/market.js';
import { rewardPerVote, rewardsOf } from '../../src/ledger/voting/rewards.js';
import { bytesToHex, type Hex, hexToBytes, hexToUtf8 } from '../../src/primitives/hex.js';
import type { Address } from '../../src/primitives/ids.js';
import { AssetIssueContract } from '../../src/protocol/generated/asset-issue-contract.js';
import { ContractState, SmartContract, SmartContract_ABI } from '../../src/protocol/generated/smart-contract.js';
import {
  Account,
  Account_AccountResource,
  DelegatedResource,
  DelegatedResourceAccountIndex,
  Exchange,
  MarketAccountOrder,
  MarketOrder,
  MarketOrderIdList,
  Proposal,
  Votes,
  Witness,
} from '../../src/protocol/generated/tron.js';
import { DEFAULT_BROKERAGE } from '../../src/resources/rewards.js';
import { numberKey } from '../../src/state/tables.js';

export type Stores = Readonly<Record<string, Readonly<Record<Hex, Hex | null>>>>;

/** A row on both sides, ready to be compared; `undefined` is a row that is not there. */
export interface ComparedRow {
  readonly store: string;
  readonly key: string;
  readonly recorded: unknown;
  readonly ours: unknown;
}

type Tables = Ledger['state']['tables'];

interface Comparison {
  readonly decode: (value: Hex) => unknown;
  readonly ours: (ledger: Ledger, key: Hex) => unknown;
  /** Shows a key; by default as it is. */
  readonly name?: (key: Hex) => string;
}

function messages<Message>(
  codec: { decode(bytes: Uint8Array): Message },
  ours: (tables: Tables, key: Hex) => Message | undefined,
): Comparison {
  return { decode: (value) => codec.decode(hexToBytes(value)), ours: (ledger, key) => ours(ledger.state.tables, key) };
}

const byNumber = (key: Hex) => numberKey(BigInt(`0x${key}`));

/** Kept per account and side, where java-tron keeps a row per pair. */
const PAIR_PREFIXES: Readonly<Record<string, readonly [version: 1 | 2, side: 'to' | 'from']>> = {
  '01': [1, 'to'],
  '02': [1, 'from'],
  '03': [2, 'to'],
  '04': [2, 'from'],
};

const delegationIndex: Comparison = {
  decode: (value) => DelegatedResourceAccountIndex.decode(hexToBytes(value)),
  ours(ledger, key) {
    const pair = PAIR_PREFIXES[key.slice(0, 2)];
    if (pair === undefined || key.length === 42) return ledger.state.tables.delegationLists.get(key);
    const account = key.slice(44);
    const partners = partnersOf(ledger, ...pair, key.slice(2, 44) as Address);
    const partner = partners.find(({ address }) => address === account);
    return partner && DelegatedResourceAccountIndex.create({ account, timestamp: partner.timestampMs });
  },
};

/** Of Sunup's no business: all forks have passed, and java-tron writes these once at its first start. */
const IGNORED_PROPERTIES = /^(FORK_VERSION_|MAX_CREATE_ACCOUNT_TX_SIZE|VERSION_NUMBER)/;

const properties: Comparison = {
  name: hexToUtf8,
  decode: (value) => value,
  ours(ledger, key) {
    const name = hexToUtf8(key).trim();
    const { longs, texts } = ledger.state.tables;
    const long = longs.get(name);
    if (long !== undefined) return long;
    return texts.get(name);
  },
};

const same = (value: Hex): unknown => value;

/** What of an account's record says nothing of when java-tron merged it; no resources are as good as empty ones. */
function accountCore(account: Account | undefined): Account | undefined {
  if (account === undefined) return undefined;
  const { account_resource: resource } = account;
  const account_resource = resource && Account_AccountResource.encodedSize(resource) > 0 ? resource : undefined;
  return { ...account, account_resource, asset_optimized: false, asset: new Map(), assetV2: new Map() };
}

const NOT_KEPT = Symbol('a row that we have no counterpart of');

const longOf = (value: Hex) => BigInt.asIntN(value.length * 4, BigInt(`0x${value}`));

/** Reward bookkeeping by java-tron's keys (protocol/storage-forms.md#stores), as far as we keep it. */
function rewardRow(ledger: Ledger, name: string): unknown {
  const { voterSettlements } = ledger.state.tables;
  const [, settled] = /^end-(41[0-9a-f]{40})$/.exec(name) ?? [];
  if (settled !== undefined) return voterSettlements.get(settled)?.endCycle;
  const [, at, witness, what] = /^(-?\d+)-(41[0-9a-f]{40})-([a-z-]+)$/.exec(name) ?? [];
  if (at === undefined || witness === undefined) return voterSettlements.get(name)?.beginCycle;
  const cycle = BigInt(at);
  const running = rewardsOf(ledger, witness as Address);
  const isRunning = cycle === ledger.long('CURRENT_CYCLE_NUMBER');
  switch (what) {
    case 'account-vote': {
      const snapshot = voterSettlements.get(witness)?.snapshot;
      return snapshot?.cycle === cycle ? snapshot.votes : NOT_KEPT;
    }
    case 'vi':
      return isRunning ? running.perVoteSoFar : rewardPerVote(ledger, cycle, witness as Address);
    case 'brokerage':
      if (cycle === -1n) return running.nextBrokerage;
      return isRunning ? (running.brokerage ?? DEFAULT_BROKERAGE) : NOT_KEPT;
    case 'vote':
      return isRunning ? running.votes : NOT_KEPT;
    case 'reward':
      return isRunning ? running.poolSun : NOT_KEPT;
    default:
      return NOT_KEPT;
  }
}

/** java-tron's key of a price level: both token ids of 19 bytes, then the price as two longs, 0 and 0 before the first. */
function priceLevelRow(ledger: Ledger, key: Hex): unknown {
  const [pair, sells, wants] = [key.slice(0, 76), longOf(key.slice(76, 92)), longOf(key.slice(92))];
  if (sells === 0n) return NOT_KEPT;
  const { sold, wanted } = pairOfKey(pair);
  const level = priceLevels(ledger, sold, wanted).find(
    ({ sellQuantity, buyQuantity }) => sellQuantity === sells && buyQuantity === wants,
  );
  return level && { head: level.head, tail: level.tail };
}

function rewardKey(key: Hex): string {
  return key.length === 42 && key.startsWith('41') ? key : hexToUtf8(key);
}

const COMPARISONS: Readonly<Record<string, Comparison>> = {
  properties,
  account: {
    decode: (value) => accountCore(Account.decode(hexToBytes(value)) as Account),
    ours: (ledger, key) => accountCore(ledger.state.tables.accounts.get(key)),
  },
  delegation: {
    name: rewardKey,
    decode: same,
    ours: (ledger, key) => rewardRow(ledger, rewardKey(key)),
  },
  witness: messages(Witness, (tables, key) => tables.witnesses.get(key)),
  witness_schedule: { decode: same, ours: (ledger) => activeWitnesses(ledger).join('') },
  votes: messages(Votes, (tables, key) => tables.votes.get(key)),
  DelegatedResource: messages(DelegatedResource, (tables, key) => tables.delegations.get(key)),
  DelegatedResourceAccountIndex: delegationIndex,
  proposal: messages(Proposal, (tables, key) => tables.proposals.get(byNumber(key))),
  'asset-issue': messages(AssetIssueContract, (tables, key) => tables.assetsByName.get(key)),
  'asset-issue-v2': messages(AssetIssueContract, (tables, key) => tables.assets.get(key)),
  exchange: messages(Exchange, (tables, key) => tables.exchangesByName.get(byNumber(key))),
  'exchange-v2': messages(Exchange, (tables, key) => tables.exchanges.get(byNumber(key))),
  market_account: messages(MarketAccountOrder, (tables, key) => tables.marketAccounts.get(key)),
  market_order: messages(MarketOrder, (tables, key) => tables.marketOrders.get(key)),
  market_pair_to_price: { decode: longOf, ours: (ledger, key) => ledger.state.tables.marketPairs.get(key) },
  market_pair_price_to_order: {
    decode: (value) => MarketOrderIdList.decode(hexToBytes(value)),
    ours: priceLevelRow,
  },
  contract: messages(SmartContract, (tables, key) => tables.contracts.get(key)),
  // A contract made by a contract has an empty row in java-tron and none with us; both read as no ABI.
  abi: {
    decode: (value) => (value === '' ? undefined : SmartContract_ABI.decode(hexToBytes(value))),
    ours(ledger, key) {
      const abi = ledger.state.tables.abis.get(key);
      return abi?.entrys.length === 0 ? undefined : abi;
    },
  },
  'contract-state': messages(ContractState, (tables, key) => tables.contractStates.get(key)),
  code: {
    decode: same,
    ours(ledger, key) {
      const code = ledger.state.tables.codes.get(key);
      return code && bytesToHex(code);
    },
  },
  'storage-row': {
    decode: (value) => BigInt(`0x${value}`),
    ours: (ledger, key) => ledger.state.tables.storage.get(key as Hex),
  },
  'account-index': { decode: same, ours: (ledger, key) => ledger.state.tables.accountNames.get(key) },
  'accountid-index': { decode: same, ours: (ledger, key) => ledger.state.tables.accountIds.get(key) },
};

/** The rows of a step that Sunup keeps too. */
export function* comparedRows(ledger: Ledger, stores: Stores): Iterable<ComparedRow> {
  for (const [store, rows] of Object.entries(stores)) {
    const comparison = COMPARISONS[store];
    if (comparison === undefined) continue;
    for (const [key, value] of Object.entries(rows)) {
      const name = comparison.name?.(key) ?? key;
      if (store === 'properties' && IGNORED_PROPERTIES.test(name)) continue;
      const ours = comparison.ours(ledger, key);
      if (ours === NOT_KEPT) continue;
      const recorded = value === null ? undefined : comparison.decode(value);
      if (store === 'delegation' && recorded !== undefined) {
        yield { store, key: name, recorded: asReward(name, recorded as Hex), ours };
        continue;
      }
      yield { store, key: name, recorded: store === 'properties' ? asProperty(recorded as Hex, ours) : recorded, ours };
    }
  }
}

/** Numbers are big-endian, whatever their width; a snapshot is an account of which only the votes are read. */
function asReward(name: string, recorded: Hex): unknown {
  return name.endsWith('-account-vote') ? Account.decode(hexToBytes(recorded)).votes : longOf(recorded);
}

/** A property's bytes in the type that ours has: numbers are big-endian of four or eight bytes, texts are as they are. */
function asProperty(recorded: Hex | undefined, ours: unknown): unknown {
  if (recorded === undefined) return undefined;
  if (typeof ours === 'bigint') return BigInt.asIntN(recorded.length * 4, BigInt(`0x${recorded}`));
  return typeof ours === 'string' && ours !== recorded ? hexToUtf8(recorded) : recorded;
}
