/**
 * Everything that can be seen of a node, as a text: two nodes with the same portrait are in the same place. Also the
 * check that what the node has in memory is what its store holds.
 */

import type { Ledger } from '../../src/ledger/ledger.js';
import { activeWitnesses, standbyWitnesses } from '../../src/ledger/schedule/schedule.js';
import { BYTES_PROPERTIES, LONG_PROPERTIES, TEXT_PROPERTIES } from '../../src/parameters/properties.js';
import type { Address } from '../../src/primitives/ids.js';
import { AccountResourceMessage } from '../../src/protocol/generated/api.js';
import { Account } from '../../src/protocol/generated/tron.js';
import type { Table } from '../../src/state/table.js';
import type { TableSpec } from '../../src/state/table-spec.js';
import { TABLES } from '../../src/state/tables.js';
import { getAccount } from '../../src/wallet/accounts.js';
import { fullContext, solidContext, type WalletContext } from '../../src/wallet/context.js';
import { getAccountResource } from '../../src/wallet/resources.js';
import type { SimulatedChain } from './simulated-chain.js';
import { storeDigest } from './store-digest.js';

type TableName = keyof typeof TABLES;

/** Addresses of all accounts: those in the store and those that pending transactions have made. */
export async function allAddresses(chain: SimulatedChain): Promise<Address[]> {
  const { prefix } = TABLES.accounts;
  const addresses = new Set<string>();
  for await (const { key } of chain.store.rows(prefix)) addresses.add(key.slice(prefix.length));
  const { state } = chain.ledger;
  for (const key of state.journal.changedKeys(state.tables.accounts as never)) addresses.add(key);
  return ([...addresses] as Address[]).filter((address) => state.tables.accounts.has(address)).sort();
}

/** What the interfaces answer about accounts. */
function answers(context: WalletContext, addresses: readonly Address[]): string[] {
  return addresses.map((address) => {
    const request = Account.create({ address });
    const account = getAccount(context, request);
    const resource = getAccountResource(context, request);
    return `${account ? hex(Account.encode(account)) : '-'} ${resource ? hex(AccountResourceMessage.encode(resource)) : '-'}`;
  });
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

function properties({ state: { tables } }: Ledger): string[] {
  return [
    ...LONG_PROPERTIES.map(({ name }) => `${name}=${tables.longs.get(name)}`),
    ...[...Object.keys(TEXT_PROPERTIES), ...Object.keys(BYTES_PROPERTIES)].map(
      (name) => `${name}=${tables.texts.get(name)}`,
    ),
  ];
}

/** Rows of all tables that can be scanned. */
function residentRows({ state }: Ledger): string[] {
  return Object.entries(TABLES)
    .filter(([, spec]) => (spec as TableSpec<unknown>).resident)
    .flatMap(([name, spec]) => {
      const table = state.tables[name as TableName] as unknown as Table<string, unknown>;
      return table.entries().map(([key, value]) => `${name} ${key}=${hex((spec as TableSpec<unknown>).encode(value))}`);
    });
}

/** A ledger at any height, as far as it can be read: what the past must still answer. */
export function ledgerPortrait(ledger: Ledger, addresses: readonly Address[]): string {
  const { tables } = ledger.state;
  return [
    `head ${ledger.headNumber} ${ledger.headId} ${ledger.headTimeMs}`,
    ...properties(ledger),
    ...residentRows(ledger),
    `active ${activeWitnesses(ledger)}`,
    `standby ${standbyWitnesses(ledger).map(({ address, voteCount }) => `${address}:${voteCount}`)}`,
    ...addresses.map((address) => {
      const account = tables.accounts.get(address);
      const code = tables.codes.get(address);
      return `${address} ${account ? hex(Account.encode(account)) : '-'} ${code?.length}`;
    }),
  ].join('\n');
}

export async function portrait(chain: SimulatedChain, addresses: readonly Address[]): Promise<string> {
  const { node } = chain;
  await node.chain.durable();
  return [
    `store ${await storeDigest(chain.store)}`,
    `pending ${node.chain.pool.members().map(({ transaction, receivedMs }) => `${transaction.txId}@${receivedMs}`)}`,
    `clock ${node.clock.nowMs()} ${node.producer.mode} strict ${node.chain.strict} merged ${node.chain.mergedHeight}`,
    ledgerPortrait(chain.ledger, addresses),
    ...answers(fullContext(node), addresses),
    `solid ${node.chain.solidLedger.headNumber} ${node.chain.solidLedger.headId}`,
    ...answers(solidContext(node), addresses),
  ].join('\n');
}

/** What is in memory under pending transactions is what the store holds, row by row. @returns the rows that differ */
export async function rowsThatDifferFromTheStore(chain: SimulatedChain): Promise<string[]> {
  await chain.node.chain.durable();
  const { state } = chain.ledger;
  const differing: string[] = [];
  for (const [name, spec] of Object.entries(TABLES) as [TableName, TableSpec<unknown>][]) {
    const stored = new Map<string, string>();
    for await (const { key, value } of chain.store.rows(spec.prefix))
      stored.set(key.slice(spec.prefix.length), hex(value));
    const table = state.tables[name] as unknown as Table<string, unknown>;
    const keys = new Set([...stored.keys(), ...(spec.resident ? table.entries().map(([key]) => key) : [])]);
    for (const key of keys) {
      const value = state.readSealed(name, key);
      const inMemory = value === undefined ? undefined : hex(spec.encode(value));
      if (inMemory !== stored.get(key)) differing.push(`${spec.prefix}${key}`);
    }
  }
  return differing;
}
