/** Blocks and time on demand: the same blocks however often others get a turn, one caller at a time, an end at any time. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MineRequest } from '../../../src/node/clock/mine-request.js';
import { readMineRequest } from '../../../src/node/clock/mine-request.js';
import { MiningStoppedError } from '../../../src/node/control.js';
import { allAddresses, portrait } from '../../simulation/portrait.js';
import { SimulatedChain, type SimulationOptions } from '../../simulation/simulated-chain.js';

type Step = { readonly transfer: number } | MineRequest;

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ transfer: fc.integer({ min: 1, max: 1_000_000 }) }),
  fc.record({ blocks: fc.integer({ min: 0, max: 400 }) }),
  fc.record({ advanceMs: fc.integer({ min: 0, max: 2_000_000 }) }),
);

/** Epochs of 100 slots, so that a few hundred blocks are several runs. */
const parameters = { MAINTENANCE_TIME_INTERVAL: 300_000 };

async function left(steps: readonly Step[], options: SimulationOptions): Promise<string> {
  const chain = await SimulatedChain.open({ witnessVotes: [3, 2, 1], parameters, ...options });
  for (const one of steps) {
    if ('transfer' in one) chain.transfer(0, chain.address(1), BigInt(one.transfer));
    else await chain.node.mining.mine(one);
  }
  const seen = await portrait(chain, await allAddresses(chain));
  await chain.close();
  return seen;
}

/** A turn that lasts until the test ends it; tells when one is held. */
function held() {
  let release = () => {};
  let onHeld = () => {};
  return {
    yieldTurn: () =>
      new Promise<void>((resolve) => {
        release = resolve;
        onHeld();
      }),
    /** Resolves at the next step. */
    next: () =>
      new Promise<void>((resolve) => {
        onHeld = resolve;
        release();
      }),
    /** From now on nobody waits. */
    release: () => {
      onHeld = () => release();
      release();
    },
  };
}

describe('mining in slices', () => {
  it.each(['manual', 'instant'] as const)('leaves what it leaves in one go (%s)', async (mining) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        const inOneGo = await left(steps, { mining });
        expect(await left(steps, { mining, yieldTurn: async () => {} })).toBe(inOneGo);
      }),
      { numRuns: 25 },
    );
  });

  it('lets a broadcast in between two steps, where it is pending until the next block of ours', async () => {
    const others = held();
    const chain = await SimulatedChain.open({ parameters, yieldTurn: others.yieldTurn });
    chain.node.mine(2);
    const first = others.next();
    const mining = chain.node.mining.mine({ blocks: 300 });
    await first;
    const between = chain.node.chain.headNumber;
    expect(between).toBeLessThan(302);
    const { transaction } = chain.transfer(0, chain.address(1), 5n);
    expect(chain.node.chain.pool.size).toBe(1);
    others.release();
    expect(await mining).toMatchObject({ number: 302, blocks: 300 });
    expect(chain.ledger.state.tables.transactions.get(transaction.txId)?.blockNumber).toBe(between + 1);
  });

  it('does not count the block of a broadcast that is mined at once between two steps', async () => {
    const others = held();
    const chain = await SimulatedChain.open({ parameters, mining: 'instant', yieldTurn: others.yieldTurn });
    chain.node.mine(2);
    const first = others.next();
    const mining = chain.node.mining.mine({ blocks: 300 });
    await first;
    const between = chain.node.chain.headNumber;
    const { transaction } = chain.transfer(0, chain.address(1), 5n);
    expect(chain.node.chain.headNumber).toBe(between + 1);
    others.release();
    expect(await mining).toMatchObject({ number: 303, blocks: 300 });
    expect(chain.ledger.state.tables.transactions.get(transaction.txId)?.blockNumber).toBe(between + 1);
  });

  it('is one call at a time, and a revert waits for those before it', async () => {
    const others = held();
    const chain = await SimulatedChain.open({ parameters, yieldTurn: others.yieldTurn });
    chain.node.mine(2);
    const snapshot = chain.node.snapshot();
    const done: string[] = [];
    const first = others.next();
    const all = [
      chain.node.mining.mine({ blocks: 250 }).then(({ number }) => done.push(`mined to ${number}`)),
      chain.node.mining.mine({ advanceMs: 3_000 }).then(({ number }) => done.push(`passed to ${number}`)),
      chain.node.mining.inTurn({ name: 'revert' }, () => chain.node.revert(snapshot)).then(() => done.push('reverted')),
      chain.node.mining.mine({ blocks: 1 }).then(({ number }) => done.push(`mined to ${number}`)),
    ];
    await first;
    expect(done).toEqual([]);
    others.release();
    await Promise.all(all);
    expect(done).toEqual(['mined to 252', 'passed to 253', 'reverted', 'mined to 3']);
  });

  it.each<[MineRequest, RegExp]>([
    [{ blocks: 10_000_000 }, /^mine: stopped after 9\d of 10000000 blocks, because the node is being closed/],
    [{ advanceMs: 86_400_000 }, /^mine: stopped at 2025-01-01T00:05:00.000Z on the way to 2025-01-02T00:00:12.000Z/],
  ])('of %o ends when the node is closed, keeps what is done, and says how far it came', async (request, text) => {
    const others = held();
    const chain = await SimulatedChain.open({ parameters, yieldTurn: others.yieldTurn });
    chain.node.mine(2);
    const first = others.next();
    const mining = chain.node.mining.mine(request).then(
      () => undefined,
      (error: unknown) => error,
    );
    await first;
    const head = chain.node.chain.headNumber;
    const stopped = chain.node.mining.stop();
    others.release();
    await stopped;
    const error = (await mining) as MiningStoppedError;
    expect(error).toBeInstanceOf(MiningStoppedError);
    expect(error.message).toMatch(text);
    expect(error.mined).toMatchObject({ number: head, blocks: head - 2 });
    expect(chain.node.chain.headNumber).toBe(head);
    await chain.close();
  });

  it('ends when nobody waits for it any more, and what waits comes to its turn', async () => {
    const others = held();
    const chain = await SimulatedChain.open({ parameters, yieldTurn: others.yieldTurn });
    chain.node.mine(2);
    const first = others.next();
    let isGone = false;
    const mining = chain.node.mining.mine({ blocks: 10_000_000 }, { isGone: () => isGone }).then(
      () => undefined,
      (error: unknown) => error,
    );
    const next = chain.node.mining.mine({ blocks: 1 });
    await first;
    const head = chain.node.chain.headNumber;
    isGone = true;
    others.release();
    const error = (await mining) as MiningStoppedError;
    expect(error.message).toMatch(
      /^mine: stopped after 9\d of 10000000 blocks, because its request was cancelled\. The head/,
    );
    expect(error.mined).toMatchObject({ number: head, blocks: head - 2 });
    expect(await next).toMatchObject({ number: head + 1 });
    await chain.close();
  });

  it('does not begin for somebody who is gone', async () => {
    const chain = await SimulatedChain.open({ parameters });
    const asked = chain.node.mining.mine({ blocks: 5 }, { isGone: () => true });
    await expect(asked).rejects.toThrow('mine: the request was cancelled');
    expect(chain.node.chain.headNumber).toBe(0);
    await chain.close();
  });

  it('tells who waits from outside that it takes long, and how far it is; others wait', async () => {
    const chain = await SimulatedChain.open({ parameters, yieldTurn: async () => {} });
    const outside = { isGone: () => false };
    let isGone = false;
    const long = chain.node.mining.mine({ blocks: 10_000_000 }, { isGone: () => isGone }).catch(() => {});
    const told = /^(mine|revert): the node is busy \(mine, \d+ of 10000000 blocks done\)\. Try again later/;
    // It has just begun: they wait until it has gone on for long.
    const patient = chain.node.mining.mine({ blocks: 1 });
    const snapshot = chain.node.snapshot();
    await expect(chain.node.mining.mine({ blocks: 1 }, outside)).rejects.toThrow(told);
    // From then on they are told at once.
    await expect(chain.node.rollBackTo(snapshot, outside)).rejects.toMatchObject({
      message: expect.stringMatching(told),
      httpStatus: 409,
    });
    const { name, progress } = chain.node.mining.underWay!;
    expect({ name, ...progress }).toMatchObject({ name: 'mine', total: 10_000_000, unit: 'blocks' });
    expect(progress?.done).toBeGreaterThan(0);
    isGone = true;
    await long;
    expect(await patient).toMatchObject({ blocks: 1 });
    expect(chain.node.mining.underWay).toBeUndefined();
    await chain.close();
  });
});

describe('what can be asked for', () => {
  it.each<[unknown, MineRequest]>([
    [{}, { blocks: 1 }],
    [5, { blocks: 5 }],
    [{ blocks: 0 }, { blocks: 0 }],
    [{ blocks: '12' }, { blocks: 12 }],
    [{ advanceMs: 86_400_000 }, { advanceMs: 86_400_000 }],
    [{ timestampMs: '1767225600000' }, { timestampMs: 1_767_225_600_000 }],
  ])('%o', (asked, request) => expect(readMineRequest(asked)).toEqual(request));

  it.each<[unknown, string]>([
    [null, 'mine: null is not valid. Write {"blocks":5}'],
    ['5', 'mine: "5" is not valid. Write'],
    [[5], 'mine: [5] is not valid. Write'],
    [true, 'mine: true is not valid. Write'],
    [{ block: 5 }, 'mine: unknown option block. Did you mean blocks?'],
    [{ advance: 5 }, 'mine: unknown option advance. Did you mean advanceMs?'],
    [{ whatever: 5 }, 'mine: unknown option whatever. Write'],
    [{ blocks: 1, advanceMs: 5 }, 'mine: blocks and advanceMs cannot be combined'],
    [{ blocks: 'five' }, 'mine: blocks is "five", but must be a whole number from 0 to 10000000'],
    [{ blocks: 10_000_001 }, 'mine: blocks is 10000001, but must be a whole number from 0 to 10000000'],
    [{ blocks: null }, 'mine: blocks is null, but must be a whole number'],
    [-1, 'mine: blocks is -1, but must be'],
    [1.5, 'mine: blocks is 1.5, but must be'],
    [Number.NaN, 'mine: blocks is NaN, but must be'],
    [{ advanceMs: Number.POSITIVE_INFINITY }, 'mine: advanceMs is Infinity, but must be'],
    [{ timestampMs: '-5' }, 'mine: timestampMs is "-5", but must be'],
  ])('is not %o', (asked, text) => {
    const read = () => readMineRequest(asked);
    expect(read).toThrow(RangeError);
    expect(read).toThrow(text);
  });
});
