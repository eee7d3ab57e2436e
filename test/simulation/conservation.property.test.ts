/**
 * Nothing is lost and nothing comes from nowhere: over random histories of everything that people and contracts do, the
 * books balance after every transaction, and every block adds what it pays its producers and voters, and no more.
 */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { standbyWitnesses } from '../../src/ledger/schedule/schedule.js';
import { hexToUtf8 } from '../../src/primitives/hex.js';
import { booksOf, expectFair, expectPaidBy, expectSound, totalOf, wealthOf } from './books.js';
import { BEGINNING, EVENTFUL, history, type Operation, perform } from './operations.js';
import { allAddresses } from './portrait.js';
import { SimulatedChain, type SimulationOptions } from './simulated-chain.js';

class Auditor {
  applied = 0;
  readonly types = new Set<number>();
  readonly results = new Set<number>();
  #destroyed = 0;

  constructor(private readonly chain: SimulatedChain) {}

  async perform(operation: Operation): Promise<void> {
    if (operation.what === 'mine' || operation.what === 'advance') return this.#blocks(operation);
    const { chain } = this;
    // An account that a transaction makes had nothing before it.
    const known = await allAddresses(chain);
    const before = booksOf(chain.ledger, known);
    const wealthBefore = wealthOf(chain.ledger, known);
    const applied = perform(chain, operation);
    const everyone = [...new Set([...known, ...(await allAddresses(chain))])];
    const after = booksOf(chain.ledger, everyone);
    if (applied === undefined) {
      expect(after).toEqual(before);
      return;
    }
    this.applied++;
    this.types.add(applied.transaction.contractType);
    this.results.add(applied.contractRet);
    this.#destroyed += applied.info.internal_transactions.filter(({ note }) => hexToUtf8(note) === 'suicide').length;
    expectFair(applied, before, after);
    expectPaidBy(chain.ledger, applied, wealthBefore, wealthOf(chain.ledger, everyone));
    expectSound(chain.ledger, everyone, this.#destroyed);
  }

  /** Rewards are shared in whole sun: each of the standby group may lose a fraction of one a block. */
  async #blocks(operation: Operation): Promise<void> {
    const { chain } = this;
    const { ledger } = chain;
    const before = totalOf(booksOf(ledger, await allAddresses(chain)));
    const cycle = ledger.long('CURRENT_CYCLE_NUMBER');
    const head = chain.node.chain.headNumber;
    perform(chain, operation);
    const everyone = await allAddresses(chain);
    const minted = totalOf(booksOf(ledger, everyone)) - before;
    const blocks = BigInt(chain.node.chain.headNumber - head);
    const most = blocks * (ledger.long('WITNESS_PAY_PER_BLOCK') + ledger.long('WITNESS_127_PAY_PER_BLOCK'));
    expect(minted <= most).toBe(true);
    // At the end of a cycle the pool's share of votes that nobody holds, the genesis's, is gone.
    if (ledger.long('CURRENT_CYCLE_NUMBER') === cycle) {
      expect(minted >= most - blocks * BigInt(standbyWitnesses(ledger).length)).toBe(true);
    }
    expectSound(ledger, everyone, this.#destroyed);
  }
}

async function audited(options: SimulationOptions, operations: readonly Operation[]): Promise<Auditor> {
  const chain = await SimulatedChain.open(options);
  const auditor = new Auditor(chain);
  for (const operation of [{ what: 'mine', blocks: 2 } as const, ...BEGINNING, ...operations]) {
    await auditor.perform(operation);
  }
  await chain.close();
  return auditor;
}

describe('the books balance', () => {
  it.each<[string, SimulationOptions]>([
    ['under the rules of mainnet', { parameters: EVENTFUL }],
    ['on a busy network', { parameters: EVENTFUL, networkStake: 'mainnet' }],
    ['with three witnesses', { parameters: EVENTFUL, witnessVotes: [300, 200, 100] }],
    ['with fees that go to the producers', { parameters: { ...EVENTFUL, ALLOW_TRANSACTION_FEE_POOL: 1 } }],
    ['with fees that go to the black hole', { parameters: { ...EVENTFUL, ALLOW_BLACKHOLE_OPTIMIZATION: 0 } }],
  ])('%s', async (_, options) => {
    const types = new Set<number>();
    const results = new Set<number>();
    let applied = 0;
    await fc.assert(
      fc.asyncProperty(history(5, 40), async (operations) => {
        const auditor = await audited(options, operations);
        applied += auditor.applied;
        for (const type of auditor.types) types.add(type);
        for (const result of auditor.results) results.add(result);
      }),
      { numRuns: 20, seed: 7 },
    );
    // The histories go through most of what there is, and contracts fail in more than one way.
    expect(applied).toBeGreaterThan(400);
    expect(types.size).toBeGreaterThan(15);
    expect(results.size).toBeGreaterThan(2);
  });
});
