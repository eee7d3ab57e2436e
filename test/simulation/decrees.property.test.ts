/**
 * Whatever is done to a chain from outside, between whatever people do on it: the books balance after each step, a
 * snapshot brings everything back, and what was stored can be applied again to the same state.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { checkDirectory } from '../../src/devnet/database/check-database.js';
import { ownNumber } from '../../src/ledger/operations/own-numbers.js';
import { type LevelDatabase, LevelStore } from '../../src/node/storage/level-store.js';
import { openLevelDb } from '../../src/platform/leveldb.js';
import { hexToUtf8 } from '../../src/primitives/hex.js';
import { Transaction_Contract_ContractType as ContractType } from '../../src/protocol/generated/tron.js';
import { booksOf, expectSound, totalOf } from './books.js';
import { type Decree, decree, decreed } from './decrees.js';
import { BEGINNING, EVENTFUL, type Operation, operation, perform } from './operations.js';
import { allAddresses, portrait, rowsThatDifferFromTheStore } from './portrait.js';
import { SimulatedChain, type SimulationOptions, strangerAddress } from './simulated-chain.js';

const folder = mkdtempSync(path.join(tmpdir(), 'sunup-decrees-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Step =
  | { readonly decree: Decree }
  | { readonly operation: Operation }
  | { readonly place: 'snapshot' | 'revert'; readonly which: number };

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 12, arbitrary: fc.record({ decree }) },
    { weight: 8, arbitrary: fc.record({ operation }) },
    { weight: 1, arbitrary: fc.record({ place: fc.constant('snapshot' as const), which: fc.constant(0) }) },
    { weight: 1, arbitrary: fc.record({ place: fc.constant('revert' as const), which: fc.nat(3) }) },
  ),
  { minLength: 5, maxLength: 40, size: 'max' },
);

interface Kept {
  readonly id: string;
  readonly seen: string;
  readonly destroyed: number;
}

class Reign {
  done = 0;
  readonly kinds = new Set<string>();
  #destroyed = 0;
  readonly #kept: Kept[] = [];

  constructor(private readonly chain: SimulatedChain) {}

  async take(step: Step): Promise<void> {
    if ('decree' in step) await this.#decree(step.decree);
    else if ('operation' in step) {
      const applied = perform(this.chain, step.operation);
      const internal = applied?.info.internal_transactions ?? [];
      this.#destroyed += internal.filter(({ note }) => hexToUtf8(note) === 'suicide').length;
    } else await this.#move(step.place, step.which);
    expectSound(this.chain.ledger, await allAddresses(this.chain), this.#destroyed);
  }

  /** Coin comes from nowhere only as far as it is counted. */
  async #decree(one: Decree): Promise<void> {
    // What is pending may cease to be valid with the decree, and then nobody pays for it.
    this.chain.node.mine(1);
    const before = await this.#coin();
    if (decreed(this.chain, one)) {
      this.done++;
      this.kinds.add(one.what);
    }
    expect(await this.#coin(), one.what).toBe(before);
  }

  async #coin(): Promise<bigint> {
    const { ledger } = this.chain;
    return totalOf(booksOf(ledger, await allAddresses(this.chain))) - ownNumber(ledger, 'grantedSun');
  }

  async #move(place: 'snapshot' | 'revert', which: number): Promise<void> {
    const { chain } = this;
    if (place === 'snapshot') {
      const seen = await portrait(chain, await allAddresses(chain));
      this.#kept.push({ id: chain.node.snapshot(), seen, destroyed: this.#destroyed });
      return;
    }
    const back = this.#kept.splice(Math.min(which, this.#kept.length - 1))[0];
    if (back === undefined) return;
    chain.node.revert(back.id);
    this.#destroyed = back.destroyed;
    expect(await portrait(chain, await allAddresses(chain))).toBe(back.seen);
  }
}

async function reign(chain: SimulatedChain, all: readonly Step[]): Promise<Reign> {
  for (const begun of [{ what: 'mine', blocks: 2 } as const, ...BEGINNING]) perform(chain, begun);
  const reigning = new Reign(chain);
  for (const step of all) await reigning.take(step);
  expect(await rowsThatDifferFromTheStore(chain)).toEqual([]);
  return reigning;
}

const chains: readonly [string, SimulationOptions][] = [
  ['under the rules of mainnet', { parameters: EVENTFUL }],
  ['on a busy network', { parameters: EVENTFUL, networkStake: 'mainnet' }],
  ['under the new resource model', { parameters: { ...EVENTFUL, ALLOW_NEW_RESOURCE_MODEL: 1 } }],
];

async function onDisk(directory: string): Promise<SimulatedChain> {
  const store = new LevelStore((await openLevelDb(directory)) as unknown as LevelDatabase);
  return SimulatedChain.open({ parameters: EVENTFUL, store });
}

describe('a chain under decrees', () => {
  it.each(chains)('%s stays sound, in memory', async (_, options) => {
    const kinds = new Set<string>();
    let done = 0;
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const chain = await SimulatedChain.open(options);
        const reigned = await reign(chain, all);
        await chain.close();
        done += reigned.done;
        for (const kind of reigned.kinds) kinds.add(kind);
      }),
      { numRuns: 12, seed: 3 },
    );
    // Histories that are refused throughout would prove nothing.
    expect(done).toBeGreaterThan(50);
    expect(kinds.size).toBeGreaterThan(11);
  });

  it('on a disk can be applied again to the same state', async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const directory = path.join(folder, `chain-${run++}`);
        const chain = await onDisk(directory);
        await reign(chain, all);
        await chain.close();
        expect(await checkDirectory(directory, { replay: true })).toMatchObject({ replayed: true, findings: [] });
      }),
      { numRuns: 8, seed: 4 },
    );
  });

  // Seed 760108 of the simulator.
  it('can be applied again with a transaction whose exemption from signatures ends with its block', async () => {
    const directory = path.join(folder, 'exempt');
    const chain = await onDisk(directory);
    const { operations } = chain.node;
    const [alice, bob] = [chain.address(0), chain.address(1)];
    chain.node.mine(2);
    operations.impersonate([alice]);
    const fields = { owner_address: alice, to_address: bob, amount: 5n };
    chain.node.broadcast(chain.transaction(ContractType.TransferContract, fields).withSignatures([]));
    operations.stopImpersonating(alice);
    // Changes another table, before the pool's runs are taken into the block.
    chain.send(ContractType.WitnessCreateContract, { owner_address: bob, url: '00' });
    chain.node.mine(1);
    await chain.close();
    expect(await checkDirectory(directory, { replay: true })).toMatchObject({ replayed: true, findings: [] });
  });

  // Seed 265025 of the simulator: a chain that is only read cannot sign an empty block, whose witness a call may ask for.
  it('can be applied again with the balance of a token that was dealt above empty blocks', async () => {
    const directory = path.join(folder, 'dealt');
    const chain = await onDisk(directory);
    const [alice, token] = [chain.address(0), strangerAddress(7)];
    // Returns the word that has the caller's first argument as its key.
    const balanceOf = '6004355460005260206000f3';
    chain.node.operations.apply('setCode', { address: token, code: balanceOf });
    chain.node.mine(5);
    chain.node.operations.apply('dealToken', { account: alice, token, amount: 7n });
    await chain.close();
    expect(await checkDirectory(directory, { replay: true })).toMatchObject({ replayed: true, findings: [] });
  });
});
