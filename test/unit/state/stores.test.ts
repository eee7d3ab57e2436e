import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { type LevelDatabase, LevelStore } from '../../../src/node/level-store.js';
import { openLevelDb } from '../../../src/platform/leveldb.js';
import { storeDigest } from '../../../src/state/digest.js';
import { MemoryStore } from '../../../src/state/memory-store.js';
import type { Store, StoreWrite } from '../../../src/state/store.js';
import { SimulatedChain } from '../../simulation/simulated-chain.js';

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
  value: fc.option(fc.uint8Array({ maxLength: 4 }), { nil: undefined, freq: 3 }),
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

/** A disk that is full from some batch on. */
class FullStore extends MemoryStore {
  left = Number.POSITIVE_INFINITY;

  override async write(batch: readonly StoreWrite[]): Promise<void> {
    if (this.left-- <= 0) throw new Error('no space left on device');
    await super.write(batch);
  }
}

describe('a chain whose store fails', () => {
  it('tells nobody of a block that was not stored, from then on', async () => {
    const store = new FullStore();
    const chain = await SimulatedChain.open({ store });
    chain.node.mine(2);
    await chain.node.chain.durable();
    store.left = 0;
    chain.transfer(0, chain.address(1), 1n);
    chain.node.mine(1);
    await expect(chain.node.chain.durable()).rejects.toThrow('the chain could not be written to its store');
    // The next batch would go through again, on top of one that is missing.
    store.left = 1;
    chain.node.mine(1);
    await expect(chain.node.chain.durable()).rejects.toMatchObject({ cause: new Error('no space left on device') });
  });
});
