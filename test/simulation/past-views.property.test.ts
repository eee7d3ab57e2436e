/**
 * A view of an older height has exactly the rows that the store had when that height was the head, whatever has happened
 * since: blocks, runs of empty ones, changes from outside, going back and other blocks in their place.
 */

import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { type LevelDatabase, LevelStore } from '../../src/node/storage/level-store.js';
import { openLevelDb } from '../../src/platform/leveldb.js';
import { MemoryStore } from '../../src/state/memory-store.js';
import type { Store } from '../../src/state/store.js';
import type { TableSpec } from '../../src/state/table-spec.js';
import { TABLES } from '../../src/state/tables.js';
import { type Decree, decree, decreed } from './decrees.js';
import { BEGINNING, EVENTFUL, type Operation, operation, perform } from './operations.js';
import { SimulatedChain } from './simulated-chain.js';

const folder = mkdtempSync(path.join(tmpdir(), 'sunup-views-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let databases = 0;

const stores: Readonly<Record<string, () => Promise<Store>>> = {
  'in memory': async () => new MemoryStore(),
  'on LevelDB': async () =>
    new LevelStore((await openLevelDb(path.join(folder, String(++databases)))) as unknown as LevelDatabase),
};

const SPECS = Object.entries(TABLES) as [keyof typeof TABLES, TableSpec<unknown>][];

/** Every row of every table as bytes, by its key in the store. */
type Rows = ReadonlyMap<string, Buffer>;

async function storedRows(chain: SimulatedChain): Promise<Rows> {
  await chain.node.chain.durable();
  const rows = new Map<string, Buffer>();
  for (const [, { prefix }] of SPECS)
    for await (const { key, value } of chain.store.rows(prefix)) rows.set(key, Buffer.from(value));
  return rows;
}

/** The same of a height, asked for each key that there ever was, and scanned where a table can be. */
function rowsAt(chain: SimulatedChain, height: number, keys: Iterable<string>): Rows {
  const { tables } = chain.node.chain.ledgerAt(height).state;
  const rows = new Map<string, Buffer>();
  for (const full of keys) {
    const [name, spec] = SPECS.find(([, { prefix }]) => full.startsWith(prefix))!;
    const value = tables[name].get(full.slice(spec.prefix.length) as never);
    if (value !== undefined) rows.set(full, Buffer.from(spec.encode(value)));
  }
  for (const [name, spec] of SPECS) {
    if (!spec.resident) continue;
    const scanned = tables[name].entries().map(([key]) => spec.prefix + key);
    expect(scanned).toEqual([...rows.keys()].filter((key) => key.startsWith(spec.prefix)).sort());
  }
  return rows;
}

function digest(rows: Rows): string {
  const hash = createHash('sha256');
  for (const key of [...rows.keys()].sort()) hash.update(`${key.length}:${key}`).update(rows.get(key)!);
  return hash.digest('hex');
}

type Happening =
  | { readonly operation: Operation }
  | { readonly decree: Decree }
  | { readonly go: 'snapshot' | 'revert' | 'rollback' | 'reorg'; readonly by: number };

const happenings: fc.Arbitrary<Happening[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ operation }) },
    { weight: 3, arbitrary: fc.record({ decree }) },
    {
      weight: 2,
      arbitrary: fc.record({
        go: fc.constantFrom('snapshot', 'revert', 'rollback', 'reorg'),
        by: fc.integer({ min: 0, max: 4 }),
      }),
    },
  ),
  { minLength: 10, maxLength: 45, size: 'max' },
);

class Witnessed {
  readonly seen = new Map<number, string>();
  readonly keys = new Set<string>();
  readonly kinds = new Set<string>();
  readonly #snapshots: { id: string; seen: ReadonlyMap<number, string> }[] = [];

  constructor(readonly chain: SimulatedChain) {}

  async take(happening: Happening): Promise<void> {
    const { chain } = this;
    if ('go' in happening) await this.#go(happening.go, happening.by);
    else if ('decree' in happening) decreed(chain, happening.decree);
    else perform(chain, happening.operation);
    const rows = await storedRows(chain);
    for (const key of rows.keys()) this.keys.add(key);
    const head = chain.node.chain.headNumber;
    for (const height of this.seen.keys()) if (height > head) this.seen.delete(height);
    this.seen.set(head, digest(rows));
  }

  async #go(how: 'snapshot' | 'revert' | 'rollback' | 'reorg', by: number): Promise<void> {
    const { node } = this.chain;
    if (how === 'snapshot') {
      this.#snapshots.push({ id: node.snapshot(), seen: new Map(this.seen) });
    } else if (how === 'revert') {
      const back = this.#snapshots.splice(Math.max(0, this.#snapshots.length - 1 - by))[0];
      if (back === undefined || !node.snapshotHeights.has(back.id)) return;
      node.revert(back.id);
      this.seen.clear();
      for (const [height, then] of back.seen) this.seen.set(height, then);
    } else {
      const depth = Math.min(by, node.chain.headNumber - 2);
      const back = node.chain.headNumber - depth;
      await node.branches[how](depth);
      // In the middle of a run of empty blocks nobody has looked.
      for (const height of this.seen.keys()) if (height > back) this.seen.delete(height);
    }
    this.kinds.add(how);
  }
}

describe.each(Object.entries(stores))('a view %s', (where, openStore) => {
  it('has the rows that there were', async () => {
    let compared = 0;
    const kinds = new Set<string>();
    await fc.assert(
      fc.asyncProperty(happenings, fc.infiniteStream(fc.nat()), async (all, picks) => {
        const chain = await SimulatedChain.open({ parameters: EVENTFUL, store: await openStore() });
        for (const begun of [{ what: 'mine', blocks: 2 } as const, ...BEGINNING]) perform(chain, begun);
        const witnessed = new Witnessed(chain);
        const compare = (height: number) => {
          compared++;
          const rows = rowsAt(chain, height, witnessed.keys);
          expect(digest(rows), `height ${height}`).toBe(witnessed.seen.get(height));
        };
        for (const happening of all) {
          await witnessed.take(happening);
          const heights = [...witnessed.seen.keys()];
          // Some views are asked early, and again when the chain has gone on.
          const [pick] = picks.take(1);
          if (pick! % 4 === 0) compare(heights[pick! % heights.length]!);
        }
        for (const height of witnessed.seen.keys()) compare(height);
        for (const kind of witnessed.kinds) kinds.add(kind);
        await chain.close();
      }),
      { numRuns: where === 'in memory' ? 12 : 5, seed: 6 },
    );
    expect(compared).toBeGreaterThan(50);
    expect([...kinds].sort()).toEqual(['reorg', 'revert', 'rollback', 'snapshot']);
  });

  it('finds each of many changes of a row', async () => {
    const chain = await SimulatedChain.open({ store: await openStore() });
    chain.node.mine(2);
    const address = chain.address(1);
    const expected = new Map<number, bigint>();
    // More than a page of places, some of them of operations after one block.
    for (let i = 0; i < 300; i++) {
      chain.node.operations.apply('setBalance', { address, balanceSun: BigInt(1_000 + i) });
      expected.set(chain.node.chain.headNumber, BigInt(1_000 + i));
      if (i % 3 !== 0) chain.node.mine(1 + (i % 2));
    }
    for (const height of [...expected.keys()].toReversed())
      expect(chain.node.chain.ledgerAt(height).state.tables.accounts.get(address)?.balance).toBe(expected.get(height));
    await chain.close();
  });
});
