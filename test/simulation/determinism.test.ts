/**
 * The same things done again give the same chain, byte for byte: done twice, taken over block by block by another node,
 * and gone on with after the node was closed and its database opened again.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { createDevnet } from '../../src/index.js';
import { type LevelDatabase, LevelStore } from '../../src/node/storage/level-store.js';
import { openLevelDb } from '../../src/platform/leveldb.js';
import { hexToBytes } from '../../src/primitives/hex.js';
import { decodeBlock } from '../../src/protocol/block.js';
import { BEGINNING, EVENTFUL, history, type Operation, perform, refusable } from './operations.js';
import { allAddresses, ledgerPortrait, portrait, rowsThatDifferFromTheStore } from './portrait.js';
import { SimulatedChain, type SimulationOptions } from './simulated-chain.js';
import { storeDigest } from './store-digest.js';

const folder = mkdtempSync(path.join(tmpdir(), 'sunup-determinism-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let databases = 0;

const shapes: fc.Arbitrary<SimulationOptions> = fc.record({
  mining: fc.constantFrom('manual', 'manual', 'instant'),
  witnessVotes: fc.constantFrom([100], [100, 90, 80], [5, 4, 3, 2, 1]),
  parameters: fc.constantFrom(EVENTFUL, { ...EVENTFUL, ALLOW_TRANSACTION_FEE_POOL: 1 }),
  slotMs: fc.constantFrom(3_000, 3_000, 1_000, 10_000),
  release: fc.constantFrom('4.8.0', '4.8.0', '4.8.2'),
});

/** Every block on its own, as blocks come when they are taken over. */
function oneByOne(operations: readonly Operation[]): Operation[] {
  return operations.flatMap((operation) =>
    operation.what === 'mine' ? Array<Operation>(operation.blocks).fill({ what: 'mine', blocks: 1 }) : [operation],
  );
}

function play(chain: SimulatedChain, operations: readonly Operation[]): void {
  for (const operation of [
    { what: 'mine', blocks: 1 } as const,
    { what: 'mine', blocks: 1 } as const,
    ...BEGINNING,
    ...operations,
  ]) {
    perform(chain, operation);
  }
}

function importAll(chain: SimulatedChain, blocks: readonly string[], relaxed: boolean): void {
  for (const bytes of blocks) {
    if (relaxed) chain.node.chain.relaxConsensus();
    const { header, transactions } = decodeBlock(hexToBytes(bytes));
    chain.node.chain.import(header, transactions);
  }
}

describe('the same again', () => {
  it('done twice', async () => {
    await fc.assert(
      fc.asyncProperty(shapes, history(5, 30), async (shape, operations) => {
        const chains = [await SimulatedChain.open(shape), await SimulatedChain.open(shape)] as const;
        for (const chain of chains) play(chain, operations);
        const people = await allAddresses(chains[0]);
        expect(chains[0].blocks()).toEqual(chains[1].blocks());
        expect(await portrait(chains[0], people)).toBe(await portrait(chains[1], people));
      }),
      { numRuns: 20, seed: 11 },
    );
  });

  it('taken over by another node, down to the last row', async () => {
    let strict = 0;
    await fc.assert(
      fc.asyncProperty(shapes, history(5, 30).map(oneByOne), async (shape, operations) => {
        const producer = await SimulatedChain.open(shape);
        play(producer, operations);
        // What is still pending is in no block.
        producer.node.mine(1);
        const importer = await SimulatedChain.open(shape);
        importAll(importer, producer.blocks(1), !producer.node.chain.strict);
        expect(importer.node.chain.headId).toBe(producer.node.chain.headId);
        expect(importer.blocks()).toEqual(producer.blocks());
        const people = await allAddresses(producer);
        expect(ledgerPortrait(importer.ledger, people)).toBe(ledgerPortrait(producer.ledger, people));
        // The flag of a relaxed chain is set in another block here, which its pre-images show.
        if (producer.node.chain.strict) {
          strict++;
          expect(await storeDigest(importer.store)).toBe(await storeDigest(producer.store));
        }
      }),
      { numRuns: 20, seed: 12 },
    );
    expect(strict).toBeGreaterThan(5);
  });

  it('taken over with all that was mined many at once', async () => {
    await fc.assert(
      fc.asyncProperty(shapes, history(5, 30), async (shape, operations) => {
        const producer = await SimulatedChain.open(shape);
        play(producer, operations);
        producer.node.mine(40);
        const importer = await SimulatedChain.open(shape);
        importAll(importer, producer.blocks(1), !producer.node.chain.strict);
        const people = await allAddresses(producer);
        const withoutRuns = (text: string) => text.replace(/^emptyRuns .*\n/gm, '');
        expect(withoutRuns(ledgerPortrait(importer.ledger, people))).toBe(
          withoutRuns(ledgerPortrait(producer.ledger, people)),
        );
      }),
      { numRuns: 15, seed: 13 },
    );
  });

  it('with a rest in the middle', async () => {
    await fc.assert(
      fc.asyncProperty(shapes, history(3, 15), history(3, 15), async (shape, before, after) => {
        const directory = path.join(folder, String(++databases));
        const level = async () => new LevelStore((await openLevelDb(directory)) as unknown as LevelDatabase);
        const restless = await SimulatedChain.open(shape);
        const first = await SimulatedChain.open({ ...shape, store: await level() });
        for (const chain of [restless, first]) {
          play(chain, before);
          // The pool is not kept, and time goes on from the head.
          chain.node.mine(1);
        }
        await first.close();
        const steps = after.map((operation) => {
          const sentBefore = restless.sent.length;
          perform(restless, operation);
          return restless.sent[sentBefore] ?? operation;
        });
        const second = await SimulatedChain.open({ ...shape, store: await level() });
        for (const step of steps) {
          if ('what' in step) perform(second, step);
          else refusable(() => second.node.broadcast(step));
        }
        const people = await allAddresses(restless);
        expect(second.blocks()).toEqual(restless.blocks());
        expect(ledgerPortrait(second.ledger, people)).toBe(ledgerPortrait(restless.ledger, people));
        expect(await storeDigest(second.store)).toBe(await storeDigest(restless.store));
        expect(await rowsThatDifferFromTheStore(second)).toEqual([]);
        await second.close();
      }),
      { numRuns: 12, seed: 14 },
    );
  });
});

/** If one of these changes, every chain that somebody has written down has changed: that is a decision, not an accident. */
describe('on every machine', () => {
  it('a devnet that nobody has touched is the same chain', async () => {
    await using devnet = await createDevnet();
    const { id } = await devnet.mine(1_000);
    expect({ chainId: devnet.chainId, id }).toEqual({
      chainId: '0x918d818e',
      id: '00000000000003ea56bd487677a04865d2f0edbd54eb6dfb3efe048f33cb5b60',
    });
  });

  it('a history of transfers, stakes, tokens and contracts is the same chain', async () => {
    const chain = await SimulatedChain.open({ witnessVotes: [3, 2, 1] });
    play(chain, [
      { what: 'mine', blocks: 20 },
      { what: 'call', owner: 1, other: 0, amountSun: 5_000_000n, choice: 1 },
      { what: 'vote', owner: 1, other: 0, amountSun: 9_000_000_000n, choice: 2 },
      { what: 'advance', byMs: 30_000_000 },
      { what: 'withdrawExpired', owner: 1, other: 0, amountSun: 0n, choice: 0 },
      { what: 'transferToStranger', owner: 4, other: 0, amountSun: 1_000_000n, choice: 3 },
      { what: 'mine', blocks: 3 },
    ]);
    expect(chain.node.chain.headId).toBe('000000000000001c54691d33c2a7cb2922978c707dc15e65ee5eb9ce6d2e8de5');
  });
});
