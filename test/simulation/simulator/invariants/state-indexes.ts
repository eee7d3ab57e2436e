/**
 * Rows that say again what other rows say: names, partners of delegations, the order book, hashes of Ethereum's, counters.
 * Each is compared with a scan over the rows that it is made of.
 */

import assert from 'node:assert/strict';
import { accountIdKey } from '../../../../src/ledger/accounts/accounts.js';
import { partnersOf } from '../../../../src/ledger/stake/delegation-index.js';
import { delegatedAmount } from '../../../../src/ledger/stake/delegation-records.js';
import { pairOfKey } from '../../../../src/ledger/trade/market.js';
import type { Address, TxId } from '../../../../src/primitives/ids.js';
import { AccountType, type MarketOrder, MarketOrder_State } from '../../../../src/protocol/generated/tron.js';
import { BANDWIDTH, ENERGY, type MeteredResource } from '../../../../src/resources/metered-account.js';
import { TABLES } from '../../../../src/state/tables.js';
import type { Cold } from '../disk/stored-rows.js';
import type { SharedHost } from '../users/user.js';

type TableName = keyof typeof TABLES;

const METERED: readonly MeteredResource[] = [BANDWIDTH, ENERGY];

/** @throws AssertionError the first row that says something else */
export async function stateIndexesAgree({ world }: SharedHost, cold: () => Promise<Cold>): Promise<void> {
  // A fork has rows of some accounts only.
  if (world.shape.isFork) return;
  const chain = await cold();
  namesAgree(chain);
  if (!world.recordsChanged) partnersAgree(chain);
  orderBookAgrees(chain);
  ethereumHashesAgree(chain);
  countersAgree(chain);
  nothingHasNoRow(chain);
  abisHaveContracts(chain);
}

/** Keys of a table's rows, without its prefix. */
function keysOf({ database }: Cold, table: TableName): string[] {
  const { prefix } = TABLES[table];
  return database.keysWith(prefix).map((key) => key.slice(prefix.length));
}

function namesAgree(chain: Cold): void {
  const { ledger } = chain;
  const { accounts, accountNames, accountIds } = ledger.state.tables;
  for (const address of keysOf(chain, 'accounts') as Address[]) {
    const { account_name: name = '', account_id: id = '', type } = accounts.get(address) ?? {};
    // The names of contracts are in no index. With ALLOW_UPDATE_ACCOUNT_NAME two accounts may have one name.
    const isIndexed = type !== AccountType.Contract && !ledger.on('ALLOW_UPDATE_ACCOUNT_NAME');
    if (name !== '' && isIndexed) assert.equal(accountNames.get(name), address, `the name ${name}`);
    if (id !== '') assert.equal(accountIds.get(accountIdKey(id)), address, `the account id ${id}`);
  }
}

/** An account is in the other's list, at both ends with the same time, as long as there is a delegation between them. */
function partnersAgree(chain: Cold): void {
  const { ledger } = chain;
  const { delegations } = ledger.state.tables;
  const pairs = new Set<string>();
  for (const key of keysOf(chain, 'delegations')) {
    const record = delegations.get(key);
    // Stake 1.0 has its own lists.
    if (!/^0[12]41/.test(key) || record === undefined) continue;
    const isEmpty = METERED.every((resource) => delegatedAmount(record, resource) === 0n);
    if (!isEmpty) pairs.add(`${record.from} ${record.to}`);
  }
  const listed = { to: new Map<string, bigint>(), from: new Map<string, bigint>() };
  // The rows of an account that was deleted may stay.
  const owners = keysOf(chain, 'delegationPartners').map((key) => key.slice(2) as Address);
  for (const address of new Set(owners)) {
    for (const { address: other, timestampMs } of partnersOf(ledger, 2, 'to', address))
      listed.to.set(`${address} ${other}`, timestampMs);
    for (const { address: other, timestampMs } of partnersOf(ledger, 2, 'from', address))
      listed.from.set(`${other} ${address}`, timestampMs);
  }
  assert.deepEqual([...listed.to.keys()].sort(), [...pairs].sort(), 'receivers of delegations');
  assert.deepEqual(new Map([...listed.from].sort()), new Map([...listed.to].sort()), 'delegations at both ends');
}

/** Levels are lists of the open orders at their price; accounts know theirs. */
function orderBookAgrees(chain: Cold): void {
  const { marketOrders, marketPrices, marketPairs, marketAccounts } = chain.ledger.state.tables;
  const open = new Map<string, MarketOrder>();
  for (const id of keysOf(chain, 'marketOrders')) {
    const order = marketOrders.get(id);
    if (order?.state === MarketOrder_State.ACTIVE) open.set(id, order);
  }
  const inBook = new Set<string>();
  const levels = new Map<string, bigint>();
  for (const [key, { head, tail, sellQuantity, buyQuantity }] of marketPrices.entries()) {
    const pair = key.slice(0, 76);
    levels.set(pair, (levels.get(pair) ?? 0n) + 1n);
    const { sold, wanted } = pairOfKey(pair);
    let before = '';
    for (let id = head as string; id !== ''; ) {
      const order = open.get(id);
      assert.ok(order !== undefined && !inBook.has(id), `order ${id} of the book is not open, or is in it twice`);
      assert.deepEqual([order.sell_token_id, order.buy_token_id, order.prev], [sold, wanted, before], `order ${id}`);
      const isAtPrice = order.sell_token_quantity * buyQuantity === order.buy_token_quantity * sellQuantity;
      assert.ok(isAtPrice, `order ${id} has another price than its level`);
      inBook.add(id);
      before = id;
      id = order.next;
    }
    assert.equal(before, tail, `the last order of level ${key}`);
  }
  assert.deepEqual([...inBook].sort(), [...open.keys()].sort(), 'orders of the book');
  assert.deepEqual(new Map(marketPairs.entries()), new Map([...levels].sort()), 'levels of the book');
  for (const address of keysOf(chain, 'marketAccounts') as Address[]) {
    const account = marketAccounts.get(address);
    const own = [...open].filter(([, { owner_address }]) => owner_address === address).map(([id]) => id);
    assert.deepEqual([...(account?.orders ?? [])].sort(), own.sort(), `orders of ${address}`);
    assert.equal(account?.count, BigInt(own.length), `the number of orders of ${address}`);
  }
}

function ethereumHashesAgree(chain: Cold): void {
  const { ethereumIds, ethereumHashes, transactions } = chain.ledger.state.tables;
  const hashes = keysOf(chain, 'ethereumIds');
  for (const hash of hashes) {
    const id = ethereumIds.get(hash) as TxId;
    assert.ok(transactions.has(id), `transaction ${id} of Ethereum's ${hash} is not on the chain`);
    assert.equal(ethereumHashes.get(id), hash, `the hash of ${id}`);
  }
  assert.equal(keysOf(chain, 'ethereumHashes').length, hashes.length, "Ethereum's hashes");
}

function countersAgree(chain: Cold): void {
  const { ledger } = chain;
  const { operationCounts, exchanges, proposals } = ledger.state.tables;
  const operations = new Map<string, bigint>();
  for (const key of keysOf(chain, 'operations')) {
    const [block] = key.split('.') as [string];
    operations.set(block, (operations.get(block) ?? 0n) + 1n);
  }
  const counted = keysOf(chain, 'operationCounts').map((key) => [key, operationCounts.get(key)] as const);
  // Of a chain that keeps only a part of its history, older operations are gone or not.
  assert.deepEqual(new Map(counted), new Map([...operations].sort()), 'operations of each block');
  assert.equal(ledger.long('LATEST_EXCHANGE_NUM'), BigInt(exchanges.entries().length), 'exchanges');
  assert.equal(ledger.long('LATEST_PROPOSAL_NUM'), BigInt(proposals.entries().length), 'proposals');
}

/** Whether a row is there decides what it costs to write a word. */
function nothingHasNoRow(chain: Cold): void {
  const { storage, marketPairs } = chain.ledger.state.tables;
  for (const key of keysOf(chain, 'storage')) assert.notEqual(storage.get(key), 0n, `storage row ${key}`);
  for (const [key, levels] of marketPairs.entries()) assert.notEqual(levels, 0n, `the pair ${key}`);
}

/** What a contract leaves behind when it ends, another one would find that is made at its address. */
function abisHaveContracts(chain: Cold): void {
  const contracts = new Set(keysOf(chain, 'contracts'));
  for (const address of keysOf(chain, 'abis')) assert.ok(contracts.has(address), `an ABI of ${address}, no contract`);
}
