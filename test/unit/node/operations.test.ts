/** Operations are steps of the chain's history: kept, seen by views, undone by revert, applied again. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { checkDirectory } from '../../../src/devnet/database/check-database.js';
import { type LevelDatabase, LevelStore } from '../../../src/node/storage/level-store.js';
import { openLevelDb } from '../../../src/platform/leveldb.js';
import type { Address } from '../../../src/primitives/ids.js';
import { SimulatedChain } from '../../simulation/simulated-chain.js';
import { storeDigest } from '../../simulation/store-digest.js';

const folder = mkdtempSync(path.join(tmpdir(), 'sunup-operations-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const balanceOf = (chain: SimulatedChain, address: Address, height = chain.node.chain.headNumber) =>
  chain.node.chain.ledgerAt(height).state.tables.accounts.get(address)?.balance;

const setBalance = (chain: SimulatedChain, address: Address, balanceSun: bigint) =>
  chain.node.operations.apply('setBalance', { address, balanceSun });

describe('an operation', () => {
  it('belongs to the height after which it was done', async () => {
    const chain = await SimulatedChain.open({});
    const someone = chain.address(1);
    setBalance(chain, someone, 1n);
    chain.node.mine(1);
    setBalance(chain, someone, 2n);
    // The view of the head that was asked for before an operation is not the one after it.
    expect(balanceOf(chain, someone)).toBe(2n);
    setBalance(chain, someone, 3n);
    chain.node.mine(3);
    setBalance(chain, someone, 4n);
    expect([0, 1, 2, 3, 4].map((height) => balanceOf(chain, someone, height))).toEqual([1n, 3n, 3n, 3n, 4n]);
    expect(chain.node.chain.strict).toBe(false);
    await chain.close();
  });

  it('leaves what is pending pending, as long as it is valid', async () => {
    const chain = await SimulatedChain.open({});
    const { transaction } = chain.transfer(0, chain.address(1), 5n);
    setBalance(chain, chain.address(2), 7n);
    expect(chain.node.chain.pool.get(transaction.txId)).toBeDefined();
    setBalance(chain, chain.address(0), 4n);
    expect(chain.node.chain.pool.size).toBe(0);
    await chain.close();
  });

  it('that is refused has not happened', async () => {
    const chain = await SimulatedChain.open({});
    const before = await storeDigest(chain.store);
    expect(() => setBalance(chain, chain.address(0), -1n)).toThrow('balance can not be less than 0');
    expect(() => setBalance(chain, chain.address(0), 2n ** 63n)).toThrow('balance can not be more than');
    await chain.node.chain.durable();
    expect(await storeDigest(chain.store)).toBe(before);
    expect(chain.node.chain.strict).toBe(true);
    await chain.close();
  });
});

type Step = { readonly kind: 'operation' | 'transfer' | 'mine' | 'snapshot' | 'revert'; readonly amount: number };
const steps = fc.array(
  fc.record({
    kind: fc.constantFrom<Step['kind']>('operation', 'operation', 'transfer', 'mine', 'snapshot', 'revert'),
    amount: fc.integer({ min: 0, max: 4 }),
  }),
  { minLength: 5, maxLength: 25 },
);

/** Snapshots that were not reverted to, with what the store held then. */
async function perform(chain: SimulatedChain, { kind, amount }: Step, kept: [string, string][]): Promise<void> {
  const { node, store } = chain;
  if (kind === 'operation') setBalance(chain, chain.address(amount), BigInt(amount) * 1_000_000_000n);
  if (kind === 'transfer') {
    const { balance } = chain.ledger.state.tables.accounts.get(chain.address(amount))!;
    if (balance > 10_000_000n) chain.transfer(amount, chain.address(amount + 1), 1n);
  }
  if (kind === 'mine') node.mine(amount);
  if (kind === 'snapshot') {
    await node.chain.durable();
    kept.push([node.snapshot(), await storeDigest(store)]);
  }
  if (kind === 'revert' && kept.length > 0) {
    const [id, digest] = kept.splice(Math.min(amount, kept.length - 1))[0]!;
    node.revert(id);
    await node.chain.durable();
    expect(await storeDigest(store)).toBe(digest);
  }
}

describe('a chain with operations', () => {
  it('goes back over them, and comes to the same state when it is applied again', async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const directory = path.join(folder, `chain-${run++}`);
        const level = async () => new LevelStore((await openLevelDb(directory)) as unknown as LevelDatabase);
        const chain = await SimulatedChain.open({ store: await level() });
        const kept: [string, string][] = [];
        for (const step of all) await perform(chain, step, kept);
        await chain.close();
        const report = await checkDirectory(directory, { replay: true });
        expect(report).toMatchObject({ replayed: true, findings: [] });
      }),
      { numRuns: 12 },
    );
  });
});
