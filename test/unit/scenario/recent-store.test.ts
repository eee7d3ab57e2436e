import { afterEach, expect, it } from 'vitest';
import { throughBlockAtOnce } from '../../../src/explanation/rerun/in-place.js';
import { blockIdAt } from '../../../src/ledger/blocks/block-ids.js';
import type { Ledger } from '../../../src/ledger/ledger.js';
import type { Node } from '../../../src/node/node.js';
import type { Address, BlockId } from '../../../src/primitives/ids.js';
import { TransferContract } from '../../../src/protocol/generated/balance-contract.js';
import { Transaction_Contract_ContractType as Type } from '../../../src/protocol/generated/tron.js';
import { SignedTransaction } from '../../../src/protocol/transaction.js';
import { RecentStore } from '../../../src/scenario/run/recent-store.js';
import { bytesOf, type StoreWrite } from '../../../src/state/store.js';
import { numberKey, TABLES } from '../../../src/state/tables.js';
import { headOf, openBenchNode } from '../../bench/bench-chain.js';
import { addressesOf, privateKeys, signed } from '../../bench/signed-transactions.js';

let node: Node | undefined;
afterEach(() => node?.close());

it('knows what may be sent again, and ids of blocks, and no transaction that has expired', async () => {
  const store = new RecentStore();
  const keys = privateKeys(2);
  const [from, to] = addressesOf(keys) as [Address, Address];
  node = await openBenchNode(store, keys, { history: false });
  const { chain } = node;
  /** @param lifetimeMs how long it may be sent */
  const transfer = (amount: bigint, lifetimeMs = 60_000): SignedTransaction => {
    const contract = TransferContract.create({ owner_address: from, to_address: to, amount });
    const reference = headOf(node as Node);
    return signed(keys[0] as string, Type.TransferContract, contract, { reference, nonce: 0, lifetimeMs });
  };
  const isKnown = ({ txId }: SignedTransaction) => store.get(TABLES.transactions.prefix + txId) !== undefined;
  const lasting = transfer(1_000_000n, 600_000);
  const short = transfer(2_000_000n, 60_000);
  chain.broadcast(lasting);
  chain.broadcast(short);
  const ids = new Map<number, BlockId>();
  for (let block = 1; block <= 120; block++) {
    chain.broadcast(transfer(BigInt(block)));
    node.mine(1);
    ids.set(chain.headNumber, chain.headId);
    if (block === 15) expect(isKnown(short)).toBe(true);
  }
  await chain.durable();
  expect(isKnown(short)).toBe(false);
  // Ten minutes are not over: it is not taken twice, also when the ledger has to ask the store.
  expect(isKnown(lasting)).toBe(true);
  expect(() => chain.broadcast(lasting)).toThrow('dup trans');
  for (const [number, id] of ids) {
    expect(blockIdAt(chain.ledger, number)).toBe(id);
    const row = store.get(TABLES.blocks.prefix + numberKey(number));
    expect(row && TABLES.blocks.decode(row).id).toBe(id);
  }
  expect(() => chain.ledgerAt(chain.headNumber - 2)).toThrow('is not kept');
  for (const prefix of ['pre:', 'ch:', 'x1:', 'b:'])
    for await (const { key } of store.rows(prefix)) expect(key).toBe('');
});

it('has the newest block whole, and the state before it, until the next', async () => {
  const store = new RecentStore();
  const keys = privateKeys(2);
  const [from, to] = addressesOf(keys) as [Address, Address];
  node = await openBenchNode(store, keys, { history: false });
  const { chain } = node;
  const balanceOf = ({ state }: Ledger) => state.tables.accounts.get(to)?.balance ?? 0n;
  for (let round = 0; round < 3; round++) {
    const was = balanceOf(chain.ledger);
    const contract = TransferContract.create({ owner_address: from, to_address: to, amount: 5n });
    const transaction = signed(keys[0] as string, Type.TransferContract, contract, {
      reference: headOf(node),
      nonce: round,
    });
    chain.broadcast(transaction);
    node.mine(1);
    await chain.durable();
    const { headNumber } = chain;
    expect([headNumber - 1, headNumber].map((height) => balanceOf(chain.ledgerAt(height)))).toEqual([was, was + 5n]);
    expect(throughBlockAtOnce(chain, headNumber, ({ before }) => balanceOf(before))).toEqual([was]);
    expect(() => chain.ledgerAt(headNumber - 2)).toThrow('is not kept');
    const row = store.get(TABLES.transactions.prefix + transaction.txId);
    expect(row && SignedTransaction.decode(TABLES.transactions.decode(row).transaction).txId).toBe(transaction.txId);
  }
  // Time on a fork is counted from the block that it begins with.
  const first = store.get(TABLES.blocks.prefix + numberKey(0));
  expect(first && TABLES.blocks.decode(first).header.raw_data).toBeDefined();
});

it('forgets ids to which no transaction can refer', async () => {
  const store = new RecentStore();
  const { blocks } = TABLES;
  const idOf = (number: number) => number.toString(16).padStart(64, '0') as BlockId;
  const header = { raw_data: undefined, witness_signature: '' };
  const last = 150_000;
  for (let number = 1; number <= last; number++) {
    const value = blocks.encode({ id: idOf(number), header, transactionIds: [], logIndex: new Uint8Array() });
    await store.write([{ key: blocks.prefix + numberKey(number), value }] satisfies StoreWrite[]);
  }
  const idAt = (number: number) => {
    const row = store.get(blocks.prefix + numberKey(number));
    return row && blocks.decode(bytesOf(row)).id;
  };
  for (const number of [last, last - 1, last - 65_535, last - 65_536]) expect(idAt(number)).toBe(idOf(number));
  for (const number of [2, last - 80_000, last + 1]) expect(idAt(number)).toBeUndefined();
});
