/**
 * Compares java-tron's own tables, as a recording holds them after each step, with ours: what no answer shows yet may
 * still decide the next one. Rows are decoded on both sides, so a difference is named by its field.
 *
 * Left out: `account` (compared as answered, where ours and java-tron's storing differ on purpose), `account-asset`,
 * blocks and transactions (compared as bytes), and the reward bookkeeping and price levels, which we keep in other forms.
 */

import { partnersOf } from '../../src/ledger/delegation-index.js';
import type { Ledger } from '../../src/ledger/ledger.js';
import { activeWitnesses } from '../../src/ledger/schedule.js';
import { bytesToHex, type Hex, hexToBytes, hexToUtf8 } from '../../src/primitives/hex.js';
import type { Address } from '../../src/primitives/ids.js';
import { AssetIssueContract } from '../../src/protocol/messages/asset-issue-contract.js';
import { ContractState, SmartContract, SmartContract_ABI } from '../../src/protocol/messages/smart-contract.js';
import {
  DelegatedResource,
  DelegatedResourceAccountIndex,
  Exchange,
  MarketAccountOrder,
  MarketOrder,
  Proposal,
  Votes,
  Witness,
} from '../../src/protocol/messages/tron.js';
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

const COMPARISONS: Readonly<Record<string, Comparison>> = {
  properties,
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
      const recorded = value === null ? undefined : comparison.decode(value);
      yield { store, key: name, recorded: store === 'properties' ? asProperty(recorded as Hex, ours) : recorded, ours };
    }
  }
}

/** A property's bytes in the type that ours has: numbers are big-endian of four or eight bytes, texts are as they are. */
function asProperty(recorded: Hex | undefined, ours: unknown): unknown {
  if (recorded === undefined) return undefined;
  if (typeof ours === 'bigint') return BigInt.asIntN(recorded.length * 4, BigInt(`0x${recorded}`));
  return typeof ours === 'string' && ours !== recorded ? hexToUtf8(recorded) : recorded;
}
