import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { type LevelDatabase, LevelStore } from '../../../src/node/storage/level-store.js';
import { openLevelDb } from '../../../src/platform/leveldb.js';
import { Transaction_Contract_ContractType as ContractType } from '../../../src/protocol/generated/tron.js';
import type { SignedTransaction } from '../../../src/protocol/transaction.js';
import { MemoryStore } from '../../../src/state/memory-store.js';
import { LazyBytes, type Store, type StoreWrite } from '../../../src/state/store.js';
import { rowsThatDifferFromTheStore } from '../../simulation/portrait.js';
import { SimulatedChain } from '../../simulation/simulated-chain.js';
import { storeDigest } from '../../simulation/store-digest.js';

const folder = mkdtempSync(path.join(tmpdir(), 'sunup-stores-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let databases = 0;

async function level(directory = path.join(folder, String(++databases))): Promise<LevelStore> {
  return new LevelStore((await openLevelDb(directory)) as unknown as LevelDatabase);
}

/** Few keys under few prefixes, one the beginning of another, so that they meet. */
const key = fc
  .tuple(fc.constantFrom('a:', 'aa:', 'ab', 'b:', 'z:'), fc.constantFrom('', '0', '1', '10', 'ff'))
  .map((parts) => parts.join(''));
const write: fc.Arbitrary<StoreWrite> = fc.record({
  key,
  value: fc.option(
    fc
      .tuple(fc.uint8Array({ maxLength: 4 }), fc.boolean())
      .map(([bytes, lazy]) => (lazy ? new LazyBytes(() => bytes) : bytes)),
    { nil: undefined, freq: 3 },
  ),
});
const batches = fc.array(fc.array(write, { maxLength: 6 }), { minLength: 1, maxLength: 8 });

interface Scan {
  readonly prefix: string;
  readonly reverse?: boolean;
  readonly from?: string;
  readonly limit?: number;
}

const scan: fc.Arbitrary<Scan> = fc.record(
  {
    prefix: fc.constantFrom('', 'a', 'a:', 'aa:', 'ab', 'b:', 'q:'),
    reverse: fc.boolean(),
    from: key,
    limit: fc.nat(4),
  },
  { requiredKeys: ['prefix'] },
);

async function rowsOf(store: Store, { prefix, ...options }: Scan): Promise<string[]> {
  const rows: string[] = [];
  for await (const { key, value } of store.rows(prefix, options))
    rows.push(`${key}=${Buffer.from(value).toString('hex')}`);
  return rows;
}

function storedAt(store: Store, key: string): string | undefined {
  const value = store.get(key);
  return value && Buffer.from(value).toString('hex');
}

describe('the store in memory', () => {
  it('makes the bytes of a row when it is asked, or after a while if it is the same still', async () => {
    const store = new MemoryStore();
    const made: string[] = [];
    const lazy = (key: string): StoreWrite => ({
      key,
      value: new LazyBytes(() => {
        made.push(key);
        return Buffer.from(key);
      }),
    });
    const others = (count: number) =>
      store.write(
        Array.from({ length: count }, (_, i) => ({ key: `z:${i}`, value: new LazyBytes(() => Buffer.from([1])) })),
      );
    await store.write([lazy('a:asked'), lazy('a:changed'), lazy('a:deleted'), lazy('a:stays')]);
    expect(storedAt(store, 'a:asked')).toBe(Buffer.from('a:asked').toString('hex'));
    expect(storedAt(store, 'a:asked')).toBe(Buffer.from('a:asked').toString('hex'));
    expect(made).toEqual(['a:asked']);
    await store.write([
      { key: 'a:changed', value: Buffer.from('01', 'hex') },
      { key: 'a:deleted', value: undefined },
    ]);
    await others(4_092);
    expect(made).toEqual(['a:asked']);
    await others(1);
    expect(made).toEqual(['a:asked', 'a:stays']);
    expect(await rowsOf(store, { prefix: 'a:' })).toEqual([
      `a:asked=${Buffer.from('a:asked').toString('hex')}`,
      'a:changed=01',
      `a:stays=${Buffer.from('a:stays').toString('hex')}`,
    ]);
    expect(made).toEqual(['a:asked', 'a:stays']);
  });
});

describe('the two stores', () => {
  it('answer the same, also while batches are on their way', async () => {
    const keys = new Set<string>();
    await fc.assert(
      fc.asyncProperty(batches, fc.array(scan, { minLength: 1, maxLength: 5 }), async (writes, scans) => {
        const [memory, disk] = [new MemoryStore(), await level()];
        const pending: Promise<void>[] = [];
        for (const batch of writes) {
          for (const store of [memory, disk]) pending.push(store.write(batch));
          for (const { key } of batch) keys.add(key);
          for (const key of keys) expect(storedAt(disk, key)).toBe(storedAt(memory, key));
          // Between the batches too: the one in memory keeps an order from the first scan on.
          const one = scans[pending.length % scans.length] as Scan;
          expect(await rowsOf(disk, one)).toEqual(await rowsOf(memory, one));
        }
        for (const one of scans) expect(await rowsOf(disk, one)).toEqual(await rowsOf(memory, one));
        await Promise.all(pending);
        for (const key of keys) expect(storedAt(disk, key)).toBe(storedAt(memory, key));
        expect(await storeDigest(disk)).toBe(await storeDigest(memory));
        await disk.close();
      }),
      { numRuns: 80, seed: 21 },
    );
  });

  it('what LevelDB was given before it was closed is there when it is opened again', async () => {
    const directory = path.join(folder, 'again');
    const store = await level(directory);
    const writes = Array.from({ length: 50 }, (_, i) => store.write([{ key: `k:${i % 7}`, value: Uint8Array.of(i) }]));
    await store.close();
    await Promise.all(writes);
    const again = await level(directory);
    expect(await rowsOf(again, { prefix: 'k:' })).toEqual(
      [49, 43, 44, 45, 46, 47, 48].map((i, at) => `k:${at}=${i.toString(16)}`),
    );
    await again.close();
  });
});

/** A disk that is full from some batch on, until there is room. */
class FullStore extends MemoryStore {
  left = Number.POSITIVE_INFINITY;
  #refuses = false;

  override async write(batch: readonly StoreWrite[]): Promise<void> {
    this.#refuses ||= this.left-- <= 0;
    if (this.#refuses) throw new Error('no space left on device');
    await super.write(batch);
  }

  async retry(): Promise<boolean> {
    this.#refuses = this.left <= 0;
    return !this.#refuses;
  }
}

describe('a chain whose store has no room', () => {
  async function full() {
    const store = new FullStore();
    const dropped: string[] = [];
    const chain = await SimulatedChain.open({
      store,
      observer: { transactionsDropped: (all) => dropped.push(...all.map(({ transaction }) => transaction.txId)) },
    });
    chain.node.mine(2);
    await chain.node.chain.durable();
    return { store, chain, dropped };
  }

  const noRoom = { name: 'NoRoomError', cause: new Error('no space left on device') };

  it('tells nobody of a block that was not stored, and is where it was before', async () => {
    const { store, chain, dropped } = await full();
    const { headId } = chain.node.chain;
    const balance = () => chain.ledger.state.tables.accounts.get(chain.address(1))?.balance;
    const before = balance()!;
    // All refer to a block that stays; one that refers to a block that is no more is dropped, and told of.
    const gifts = [7n, 8n, 9n].map((amount) =>
      chain.transaction(ContractType.TransferContract, {
        owner_address: chain.address(0),
        to_address: chain.address(1),
        amount,
      }),
    );
    const [first, second, third] = gifts as [SignedTransaction, SignedTransaction, SignedTransaction];
    store.left = 0;
    chain.node.broadcast(first);
    chain.node.mine(1);
    chain.node.broadcast(second);
    const late = chain.transfer(2, chain.address(3), 1n).transaction.txId;
    chain.node.mine(1);
    chain.node.broadcast(third);
    await expect(chain.node.chain.durable()).rejects.toMatchObject(noRoom);
    expect(chain.node.chain).toMatchObject({ headId, headNumber: 2 });
    // What was in the blocks waits for the next one, in its order; reads see it as they see what is pending.
    expect(chain.node.chain.pool.members().map(({ transaction }) => transaction.txId)).toEqual(
      gifts.map(({ txId }) => txId),
    );
    expect(balance()).toBe(before + 24n);
    expect(await rowsThatDifferFromTheStore(chain)).toEqual([]);
    // It can be read and not gone on with.
    await chain.node.chain.durable();
    expect(() => chain.node.mine(1)).toThrow('the chain is stopped because the disk is full');
    expect(chain.node.chain.pool.size).toBe(3);
    expect(() => chain.transfer(1, chain.address(2), 1n)).toThrow(/server busy/i);
    expect(await chain.node.chain.commits.retry()).toBe(false);
    store.left = Number.POSITIVE_INFINITY;
    expect(await chain.node.chain.commits.retry()).toBe(true);
    chain.node.mine(1);
    await chain.node.chain.durable();
    expect(chain.node.chain.headNumber).toBe(3);
    expect(chain.node.chain.pool.size).toBe(0);
    for (const { txId } of gifts) expect(chain.ledger.state.tables.transactions.has(txId)).toBe(true);
    expect(await rowsThatDifferFromTheStore(chain)).toEqual([]);
    expect(dropped).toEqual([late]);
  });

  it('has not gone back when that could not be stored', async () => {
    const { store, chain } = await full();
    const snapshot = chain.node.snapshot();
    for (let i = 0; i < 3; i++) {
      chain.transfer(0, chain.address(1), 1n);
      chain.node.mine(1);
    }
    await chain.node.chain.durable();
    const { headId } = chain.node.chain;
    store.left = 0;
    chain.node.revert(snapshot);
    chain.node.mine(1);
    await expect(chain.node.chain.durable()).rejects.toMatchObject(noRoom);
    expect(chain.node.chain).toMatchObject({ headId, headNumber: 5 });
    expect(await rowsThatDifferFromTheStore(chain)).toEqual([]);
    store.left = Number.POSITIVE_INFINITY;
    expect(await chain.node.chain.commits.retry()).toBe(true);
    chain.node.mine(1);
    expect(chain.ledger.headNumber).toBe(6);
    expect(await rowsThatDifferFromTheStore(chain)).toEqual([]);
  });

  it('knows no snapshot of what has not happened', async () => {
    const { store, chain } = await full();
    store.left = 0;
    chain.node.mine(1);
    const snapshot = chain.node.snapshot();
    await expect(chain.node.chain.durable()).rejects.toMatchObject(noRoom);
    expect(() => chain.node.revert(snapshot)).toThrow('no snapshot');
  });

  it('is not begun', async () => {
    const store = new FullStore();
    store.left = 0;
    await expect(SimulatedChain.open({ store })).rejects.toMatchObject(noRoom);
  });
});
