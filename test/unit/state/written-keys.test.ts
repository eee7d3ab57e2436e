import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { type LevelDatabase, LevelStore } from '../../../src/node/storage/level-store.js';
import { type StoredRows, WrittenKeys } from '../../../src/node/storage/written-keys.js';
import { openLevelDb } from '../../../src/platform/leveldb.js';
import { sha256OfHex } from '../../../src/protocol/hashes.js';
import { bytesOf, type StoreWrite } from '../../../src/state/store.js';
import { FORMAT_KEY } from '../../../src/state/tables.js';

const folder = mkdtempSync(path.join(tmpdir(), 'sunup-written-keys-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const VALUE = Uint8Array.of(1);

function hash(number: number, of = 'aa'): string {
  return sha256OfHex(`${of}${number.toString(16).padStart(8, '0')}`);
}

/** Rows in memory, and what a process that opens them knows. */
class Rows implements StoredRows {
  readonly stored = new Map<string, Uint8Array>();

  get(key: string): Uint8Array | undefined {
    return this.stored.get(key);
  }

  missing(key: string): Error {
    return new Error(`${key} is missing`);
  }

  /** Each batch is accepted at once. */
  write(keys: WrittenKeys, batch: readonly StoreWrite[]): void {
    const { writes, accepted } = keys.add(batch);
    this.#put([...batch, ...writes]);
    accepted();
  }

  #put(writes: readonly StoreWrite[]): void {
    for (const { key, value } of writes) {
      if (value === undefined) this.stored.delete(key);
      // A copy, as on a disk.
      else this.stored.set(key, Uint8Array.from(bytesOf(value)));
    }
  }

  /** As after a crash. */
  read(): WrittenKeys {
    const keys = new WrittenKeys(this);
    expect(keys.readAll()).toBe(true);
    return keys;
  }

  sizeOf(part: string): number {
    return [...this.stored.keys()].filter((key) => key.startsWith(`~keys:${part}`)).length;
  }
}

function rows(keys: readonly string[]): StoreWrite[] {
  return keys.map((key) => ({ key, value: VALUE }));
}

const key = fc
  .tuple(fc.constantFrom('x1:', 'a:41', 's:', 'ei:', 'ch:a:41', 'ch:s:'), fc.nat())
  .map(([prefix, number]) => prefix + hash(number).slice(0, prefix.endsWith('41') ? 40 : 64));
const batch = fc.uniqueArray(key, { maxLength: 40 });

describe('written keys', () => {
  it('are all known, also to the next process', () => {
    fc.assert(
      fc.property(fc.array(batch, { minLength: 1, maxLength: 12 }), fc.nat(12), (batches, crashAfter) => {
        const store = new Rows();
        let keys = new WrittenKeys(store);
        for (const [index, one] of batches.entries()) {
          if (index === crashAfter) keys = new WrittenKeys(store);
          store.write(keys, rows(one));
        }
        for (const known of [keys, store.read()])
          for (const one of batches.flat()) expect(known.mayHave(one)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  it('are told apart from others, however many there are, and by few rows', () => {
    const store = new Rows();
    const keys = new WrittenKeys(store);
    const count = 200_000;
    for (let from = 0; from < count; from += 500)
      store.write(keys, rows(Array.from({ length: 500 }, (_, i) => `x1:${hash(from + i)}`)));
    // 16,384, 65,536 and then up to 262,144.
    expect(store.sizeOf('filter:')).toBe(3);
    expect(store.sizeOf('hashes:')).toBeLessThan(40);
    const other = Array.from({ length: 10_000 }, (_, i) => `x1:${hash(i, 'bb')}`);
    for (const known of [keys, store.read()]) {
      for (let number = 0; number < count; number += 100) expect(known.mayHave(`x1:${hash(number)}`)).toBe(true);
      expect(other.filter((one) => known.mayHave(one)).length).toBeLessThan(100);
    }
  });

  it('of blocks with a transaction each are in a bounded number of rows', () => {
    const store = new Rows();
    const keys = new WrittenKeys(store);
    const count = 20_000;
    let most = 0;
    for (let number = 0; number < count; number++) {
      store.write(keys, rows([`x1:${hash(number)}`]));
      if (number % 64 === 0) most = Math.max(most, store.sizeOf('hashes:'));
    }
    expect(most).toBeLessThanOrEqual(4_096);
    const read = store.read();
    for (let number = 0; number < count; number += 100) expect(read.mayHave(`x1:${hash(number)}`)).toBe(true);
  });

  it('of a batch that is larger than the next filter get one of their size', () => {
    const store = new Rows();
    const keys = new WrittenKeys(store);
    store.write(keys, rows(Array.from({ length: 200_000 }, (_, number) => `a:41${hash(number).slice(0, 40)}`)));
    const other = Array.from({ length: 1_000 }, (_, number) => `a:41${hash(number, 'bb').slice(0, 40)}`);
    expect(other.filter((one) => keys.mayHave(one)).length).toBeLessThan(20);
  });

  it('of refused batches are written with the next one', () => {
    const store = new Rows();
    const keys = new WrittenKeys(store);
    store.write(keys, rows([`x1:${hash(1)}`]));
    // Its rows come again, in a batch that the store accepts.
    keys.add(rows([`x1:${hash(2)}`]));
    keys.refused();
    store.write(keys, rows([`x1:${hash(2)}`, `x1:${hash(3)}`]));
    for (const number of [1, 2, 3]) expect(store.read().mayHave(`x1:${hash(number)}`)).toBe(true);
    expect(store.read().mayHave(`x1:${hash(4)}`)).toBe(false);
  });

  it('are unknown for a database that was begun without them', () => {
    const store = new Rows();
    store.stored.set(FORMAT_KEY, VALUE);
    const keys = new WrittenKeys(store);
    store.write(keys, rows([`x1:${hash(1)}`]));
    expect(keys.mayHave(`x1:${hash(2)}`)).toBe(true);
    expect(new WrittenKeys(store).readAll()).toBe(false);
    expect(store.sizeOf('')).toBe(0);
  });

  it('of a table that the first filters did not cover are never told apart', () => {
    const [state, absent] = ['~keys:state', `ei:${hash(2)}`];
    const store = new Rows();
    const keys = new WrittenKeys(store);
    store.write(keys, rows([`ei:${hash(1)}`]));
    expect([keys.mayHave(`ei:${hash(1)}`), keys.mayHave(absent)]).toEqual([true, false]);

    const { covered, ...first } = JSON.parse(Buffer.from(store.get(state)!).toString());
    store.stored.set(state, Buffer.from(JSON.stringify(first)));
    const later = store.read();
    store.write(later, rows(Array.from({ length: 20_000 }, (_, number) => `x1:${hash(number)}`)));
    for (const known of [later, store.read()]) {
      expect(known.mayHave(absent)).toBe(true);
      expect(known.mayHave(`x1:${hash(0, 'bb')}`)).toBe(false);
    }
    expect(JSON.parse(Buffer.from(store.get(state)!).toString()).covered).not.toEqual(covered);
  });

  it('need all filters', () => {
    const store = new Rows();
    const keys = new WrittenKeys(store);
    store.write(keys, rows([`x1:${hash(1)}`]));
    store.write(keys, rows(Array.from({ length: 20_000 }, (_, number) => `x1:${hash(number)}`)));
    store.stored.delete('~keys:filter:0000000000');
    expect(() => new WrittenKeys(store).readAll()).toThrow('~keys:filter:0000000000 is missing');
  });
});

describe('a store on a disk', () => {
  const open = async (directory: string) =>
    new LevelStore((await openLevelDb(directory)) as unknown as LevelDatabase, { place: directory });

  it('answers the same after it was opened again, and hides the filters', async () => {
    const directory = path.join(folder, 'again');
    const numbers = Array.from({ length: 300 }, (_, number) => number);
    let store = await open(directory);
    await store.write([{ key: FORMAT_KEY, value: VALUE }, ...rows(numbers.map((number) => `x1:${hash(number)}`))]);
    await store.close();
    store = await open(directory);
    await store.write(rows([`x1:${hash(300)}`]));
    for (const number of [...numbers, 300]) expect([...store.get(`x1:${hash(number)}`)!]).toEqual([...VALUE]);
    expect(store.get(`x1:${hash(301)}`)).toBeUndefined();
    const keys: string[] = [];
    for await (const { key } of store.rows('')) keys.push(key);
    expect(keys.filter((one) => !one.startsWith('x1:'))).toEqual([FORMAT_KEY]);
    await store.close();
  });
});
