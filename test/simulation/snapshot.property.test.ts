/**
 * A snapshot is everything: whatever happens after it, going back gives the same store, the same answers, the same
 * pending transactions and the same time, in memory and on a disk; and the past answers what it answered when it was
 * the present.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { UnknownSnapshotError } from '../../src/node/control.js';
import { type LevelDatabase, LevelStore } from '../../src/node/storage/level-store.js';
import { openLevelDb } from '../../src/platform/leveldb.js';
import { MemoryStore } from '../../src/state/memory-store.js';
import type { Store } from '../../src/state/store.js';
import { BEGINNING, EVENTFUL, history, type Operation, perform, refusable } from './operations.js';
import { allAddresses, ledgerPortrait, portrait, rowsThatDifferFromTheStore } from './portrait.js';
import { SimulatedChain, type SimulationOptions, strangerAddress } from './simulated-chain.js';

const folder = mkdtempSync(path.join(tmpdir(), 'sunup-snapshots-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const STRANGERS = Array.from({ length: 12 }, (_, i) => strangerAddress(i));
let databases = 0;

const stores: Readonly<Record<string, () => Promise<Store>>> = {
  'in memory': async () => new MemoryStore(),
  'on LevelDB': async () =>
    new LevelStore((await openLevelDb(path.join(folder, String(++databases)))) as unknown as LevelDatabase),
};

const shapes: fc.Arbitrary<SimulationOptions> = fc.record({
  solidityLag: fc.constantFrom('none', 'network'),
  mining: fc.constantFrom('manual', 'manual', 'instant'),
  witnessVotes: fc.constantFrom([100], [100, 90, 80]),
  parameters: fc.constant(EVENTFUL),
});

async function begun(shape: SimulationOptions, store: Store): Promise<SimulatedChain> {
  const chain = await SimulatedChain.open({ ...shape, store });
  for (const operation of [{ what: 'mine', blocks: 2 } as const, ...BEGINNING]) perform(chain, operation);
  return chain;
}

function play(chain: SimulatedChain, operations: readonly Operation[]): number {
  return operations.filter((operation) => perform(chain, operation) !== undefined).length;
}

async function everyone(chain: SimulatedChain) {
  return [...new Set([...(await allAddresses(chain)), ...STRANGERS])];
}

describe.each(Object.entries(stores))('a snapshot %s', (where, openStore) => {
  const runs = where === 'in memory' ? 40 : 15;

  it('brings everything back', async () => {
    let applied = 0;
    await fc.assert(
      fc.asyncProperty(shapes, history(0, 15), history(1, 25), async (shape, before, after) => {
        const chain = await begun(shape, await openStore());
        applied += play(chain, before);
        const people = await everyone(chain);
        const then = await portrait(chain, people);
        const id = chain.node.snapshot();
        applied += play(chain, after);
        chain.node.revert(id);
        expect(await portrait(chain, people)).toBe(then);
        expect(await rowsThatDifferFromTheStore(chain)).toEqual([]);
        expect(() => chain.node.revert(id)).toThrow(UnknownSnapshotError);
        await chain.close();
      }),
      { numRuns: runs, seed: 1 },
    );
    // Histories that are refused throughout would prove nothing.
    expect(applied).toBeGreaterThan(runs * 8);
  });

  it('leads to the same future again', async () => {
    await fc.assert(
      fc.asyncProperty(shapes, history(0, 10), history(1, 20), async (shape, before, after) => {
        const chain = await begun(shape, await openStore());
        play(chain, before);
        const id = chain.node.snapshot();
        const steps = after.map((operation) => {
          const sentBefore = chain.sent.length;
          perform(chain, operation);
          return chain.sent[sentBefore] ?? operation;
        });
        const people = await everyone(chain);
        const once = await portrait(chain, people);
        chain.node.revert(id);
        // The very same transactions, those that are refused too: a refusal leaves a trace in what is merged.
        for (const step of steps) {
          if ('what' in step) perform(chain, step);
          else refusable(() => chain.node.broadcast(step));
        }
        expect(await portrait(chain, people)).toBe(once);
        await chain.close();
      }),
      { numRuns: Math.ceil(runs / 2), seed: 2 },
    );
  });

  it('may lie within another', async () => {
    await fc.assert(
      fc.asyncProperty(
        shapes,
        fc.array(history(1, 8), { minLength: 2, maxLength: 5 }),
        fc.nat(),
        async (shape, parts, pick) => {
          const chain = await begun(shape, await openStore());
          const people = await everyone(chain);
          const places: { id: string; seen: string }[] = [];
          for (const part of parts) {
            places.push({ id: chain.node.snapshot(), seen: await portrait(chain, people) });
            play(chain, part);
          }
          // First back by one or more, then from there on and back to the very first.
          const back = places[pick % places.length]!;
          chain.node.revert(back.id);
          expect(await portrait(chain, people)).toBe(back.seen);
          for (const later of places.slice(places.indexOf(back))) {
            expect(() => chain.node.revert(later.id)).toThrow(UnknownSnapshotError);
          }
          if (back !== places[0]) {
            play(chain, parts[0]!);
            chain.node.revert(places[0]!.id);
            expect(await portrait(chain, people)).toBe(places[0]!.seen);
          }
          await chain.close();
        },
      ),
      { numRuns: Math.ceil(runs / 2), seed: 3 },
    );
  });

  it('keeps the past as it was', async () => {
    await fc.assert(
      fc.asyncProperty(shapes, history(5, 30), fc.nat(), async (shape, operations, pick) => {
        const chain = await begun(shape, await openStore());
        const seen = new Map<number, string>();
        const look = (height: number) => ledgerPortrait(chain.node.chain.ledgerAt(height), people);
        const people = [...new Set([...(await allAddresses(chain)), ...STRANGERS])];
        seen.set(chain.node.chain.headNumber, look(chain.node.chain.headNumber));
        for (const operation of operations) {
          const before = chain.node.chain.headNumber;
          perform(chain, operation);
          const { headNumber } = chain.node.chain;
          // Some views are opened while they are young and folded on; others are made long after.
          if (headNumber > before) seen.set(headNumber, look(headNumber));
          if (pick % 3 === 0) look(Math.max(0, headNumber - 2));
        }
        for (const [height, then] of seen) expect(look(height)).toBe(then);
        // Going back takes the later past away, and nothing of the earlier.
        const heights = [...seen.keys()];
        const id = chain.node.snapshot();
        const back = chain.node.chain.headNumber;
        play(chain, operations.slice(0, 5));
        chain.node.mine(3);
        for (let height = back + 1; height <= back + 2; height++) look(height);
        chain.node.revert(id);
        for (const height of heights.reverse()) expect(look(height)).toBe(seen.get(height));
        for (let height = back + 1; height <= back + 3; height++) {
          perform(chain, { what: 'transfer', owner: 3, other: 4, amountSun: BigInt(height), choice: 0 });
          if (chain.node.chain.headNumber < height) chain.node.mine(1);
          seen.set(height, look(height));
        }
        for (let height = back + 1; height <= back + 3; height++) expect(look(height)).toBe(seen.get(height));
        await chain.close();
      }),
      { numRuns: Math.ceil(runs / 2), seed: 4 },
    );
  });
});
