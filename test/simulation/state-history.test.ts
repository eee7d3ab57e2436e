/** A chain that keeps the state of its last blocks only: what it keeps is right, what it does not is refused by name. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { checkDirectory } from '../../src/devnet/database/check-database.js';
import { PastStateError } from '../../src/errors/past-state-error.js';
import { type LevelDatabase, LevelStore } from '../../src/node/storage/level-store.js';
import { openLevelDb } from '../../src/platform/leveldb.js';
import { chainFileOf, linesOf } from './chain-files.js';
import { decree, decreed } from './decrees.js';
import { BEGINNING, EVENTFUL, operation, perform } from './operations.js';
import { allAddresses, ledgerPortrait } from './portrait.js';
import { SimulatedChain } from './simulated-chain.js';

const folder = mkdtempSync(path.join(tmpdir(), 'sunup-state-history-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const KEPT = 12;

async function level(name: string): Promise<LevelStore> {
  return new LevelStore((await openLevelDb(path.join(folder, name))) as unknown as LevelDatabase);
}

/** The same that happened to another chain. */
function drive(chain: SimulatedChain, rounds: number, seed: number): void {
  for (const begun of [{ what: 'mine', blocks: 2 } as const, ...BEGINNING]) perform(chain, begun);
  const operations = fc.sample(operation, { numRuns: rounds, seed });
  const decrees = fc.sample(decree, { numRuns: rounds, seed });
  for (const [at, one] of operations.entries()) {
    perform(chain, one);
    if (at % 4 === 0) decreed(chain, decrees[at]!);
    if (at % 3 === 0) chain.node.mine(1);
  }
}

async function rowCount(chain: SimulatedChain, prefix: string): Promise<number> {
  let rows = 0;
  for await (const _ of chain.store.rows(prefix)) rows++;
  return rows;
}

it('reads what is kept as a chain does that keeps everything, and refuses the rest', async () => {
  const all = await SimulatedChain.open({ parameters: EVENTFUL });
  const some = await SimulatedChain.open({ parameters: EVENTFUL, stateHistory: KEPT, store: await level('kept') });
  for (const chain of [all, some]) drive(chain, 120, 3);
  const { chain } = some.node;
  expect(chain.headId).toBe(all.node.chain.headId);
  const people = await allAddresses(all);
  const { stateFrom } = chain.commits;
  expect(stateFrom).toBeGreaterThan(20);
  expect(stateFrom).toBeGreaterThan(chain.headNumber - KEPT - 300);
  for (let height = Math.max(stateFrom, chain.headNumber - 40); height <= chain.headNumber; height++)
    expect(ledgerPortrait(chain.ledgerAt(height), people)).toBe(
      ledgerPortrait(all.node.chain.ledgerAt(height), people),
    );
  for (const height of [0, 1, stateFrom - 1]) {
    expect(() => chain.ledgerAt(height)).toThrow(PastStateError);
    expect(() => chain.ledgerAt(height)).toThrow(`the oldest kept state is that of block ${stateFrom}.`);
  }
  expect(await rowCount(some, 'pre:')).toBeLessThan((await rowCount(all, 'pre:')) / 2);
  // The chain itself is whole: it can be dumped, checked, and applied again.
  expect(await linesOf(some)).toEqual(await linesOf(all));
  await expect(some.node.branches.rollback(chain.headNumber - stateFrom + 1)).rejects.toThrow(
    /cannot be rolled back to block/,
  );
  await some.node.branches.rollback(1);
  await all.node.branches.rollback(1);
  expect(ledgerPortrait(some.ledger, people)).toBe(ledgerPortrait(all.ledger, people));
  await some.close();
  expect(await checkDirectory(path.join(folder, 'kept'), { replay: true })).toMatchObject({ findings: [] });

  const again = await SimulatedChain.open({ parameters: EVENTFUL, store: await level('kept') });
  expect(again.node.chain.commits.stateFrom).toBe(stateFrom);
  expect(() => again.node.chain.ledgerAt(stateFrom - 1)).toThrow(PastStateError);
  await again.close();
  await all.close();
});

it('keeps what a snapshot needs', async () => {
  const chain = await SimulatedChain.open({ parameters: EVENTFUL, stateHistory: KEPT });
  drive(chain, 30, 5);
  const people = await allAddresses(chain);
  const then = ledgerPortrait(chain.ledger, people);
  const id = chain.node.snapshot();
  const height = chain.node.chain.headNumber;
  for (let i = 0; i < 3 * KEPT; i++) {
    chain.node.operations.apply('setBalance', { address: chain.address(1), balanceSun: BigInt(i + 1) });
    chain.node.mine(1);
  }
  expect(chain.node.chain.commits.stateFrom).toBeLessThanOrEqual(height);
  chain.node.revert(id);
  expect(ledgerPortrait(chain.ledger, people)).toBe(then);
  for (let i = 0; i < 3 * KEPT; i++) chain.node.mine(1);
  expect(chain.node.chain.commits.stateFrom).toBe(chain.node.chain.headNumber - KEPT);
  await chain.close();
});

it('begins anew and takes a dump in, though the way back is forgotten', async () => {
  const fresh = await SimulatedChain.open({ parameters: EVENTFUL });
  const chain = await SimulatedChain.open({ parameters: EVENTFUL, stateHistory: KEPT, store: await level('anew') });
  drive(chain, 60, 7);
  const people = await allAddresses(chain);
  expect(chain.node.chain.commits.stateFrom).toBeGreaterThan(0);
  const saved = await chainFileOf(chain);
  const then = ledgerPortrait(chain.ledger, people);
  await chain.node.branches.reset();
  await fresh.node.branches.reset();
  expect(ledgerPortrait(chain.ledger, people)).toBe(ledgerPortrait(fresh.ledger, people));
  expect(chain.node.chain.ledgerAt(0).headNumber).toBe(0);
  await chain.node.loader.load(saved);
  expect(ledgerPortrait(chain.ledger, people)).toBe(then);
  await chain.close();
  expect(await checkDirectory(path.join(folder, 'anew'), { replay: true })).toMatchObject({ findings: [] });
  await fresh.close();
});
