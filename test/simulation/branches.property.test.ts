/** Blocks taken back, replaced, forgotten, dumped and loaded: whatever a chain has been through, it comes out whole. */

import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { heldFile, packChain, packedChain, readChainFile } from '../../src/chain-file/file.js';
import type { ChainFile } from '../../src/chain-file/reader.js';
import { blockIdAt } from '../../src/ledger/blocks/block-ids.js';
import type { SignedTransaction } from '../../src/protocol/transaction.js';
import { chainFileOf, linesOf, readLines, stepsOf } from './chain-files.js';
import { BEGINNING, EVENTFUL, history, type Operation, perform } from './operations.js';
import { allAddresses, portrait, rowsThatDifferFromTheStore } from './portrait.js';
import { SimulatedChain } from './simulated-chain.js';
import { storeDigest } from './store-digest.js';

async function begun(yieldTurn?: () => Promise<void> | undefined): Promise<SimulatedChain> {
  const chain = await SimulatedChain.open({
    parameters: EVENTFUL,
    witnessVotes: [100, 90],
    ...(yieldTurn && { yieldTurn }),
  });
  for (const operation of [{ what: 'mine', blocks: 2 } as const, ...BEGINNING]) perform(chain, operation);
  return chain;
}

function play(chain: SimulatedChain, operations: readonly Operation[]): void {
  operations.forEach((operation, i) => {
    perform(chain, operation);
    if (i % 4 === 1)
      chain.node.operations.apply('setBalance', { address: chain.address(i % 3), balanceSun: 10n ** 12n });
    if (i % 5 === 2) chain.node.mine(1 + 3 * i);
  });
}

const ids = ({ ledger }: SimulatedChain) =>
  Array.from({ length: ledger.headNumber + 1 }, (_, number) => blockIdAt(ledger, number));

describe('a dump', () => {
  it('makes the same chain of a new one, and of one that has been elsewhere', async () => {
    await fc.assert(
      fc.asyncProperty(history(1, 25), history(0, 15), async (all, others) => {
        const chain = await begun();
        play(chain, all);
        const dump = await chainFileOf(chain);
        const people = await allAddresses(chain);
        const [then, digest] = [await portrait(chain, people), await storeDigest(chain.store)];

        const other = await begun();
        play(other, others);
        const heard: number[] = [];
        await other.node.loader.load(dump, (done) => heard.push(done));
        expect(heard.at(-1)).toBe(dump.steps.length);
        await other.node.chain.durable();
        expect(await storeDigest(other.store)).toBe(digest);
        expect(await portrait(other, people)).toBe(then);
        expect(await rowsThatDifferFromTheStore(other)).toEqual([]);
      }),
      { numRuns: 15 },
    );
  });

  it('that does not come to its blocks leaves the chain as it was', async () => {
    const chain = await begun();
    play(chain, fc.sample(history(10, 10), { numRuns: 1, seed: 4 })[0]!);
    const { steps, ...dump } = await chainFileOf(chain);
    const at = steps.length - 2;
    const all = await stepsOf({ steps });
    const wrong = all.map((step, i) => (i === at ? { ...step, id: all[0]!.id } : step));
    await chain.node.chain.durable();
    const digest = await storeDigest(chain.store);
    await expect(chain.node.loader.load({ ...dump, steps: wrong })).rejects.toThrow(/its id is now/);
    await chain.node.chain.durable();
    expect(await storeDigest(chain.store)).toBe(digest);
  });

  it('lets nobody else change the chain while it is loaded, and one that fails leaves what was pending', async () => {
    const refused: string[] = [];
    let [chain, transaction] = [undefined as SimulatedChain | undefined, undefined as SignedTransaction | undefined];
    const yieldTurn = () => {
      if (chain === undefined || transaction === undefined) return undefined;
      const { node } = chain;
      for (const work of [
        () => node.broadcast(transaction!),
        () => node.operations.apply('setBalance', { address: chain!.address(0), balanceSun: 1n }),
      ]) {
        try {
          work();
        } catch (error) {
          refused.push((error as Error).message);
        }
      }
      expect(node.mining.busy).toBe(true);
      return Promise.resolve();
    };
    chain = await SimulatedChain.open({ yieldTurn, mining: 'manual' });
    for (let i = 0; i < 5; i++) {
      chain.transfer(0, chain.address(1), 5n);
      chain.node.mine(1);
    }
    const waits = chain.transfer(1, chain.address(2), 6n).transaction.txId;
    const { steps, ...dump } = await chainFileOf(chain);
    transaction = chain.transaction(1, { owner_address: chain.address(0), to_address: chain.address(1), amount: 1n });
    await chain.node.loader.load({ ...dump, steps });
    // Two whenever others have their turn: at each step of what there was before, when it is counted and when it is
    // kept, at the first and the last line of that, and at each step of the dump.
    expect(refused).toHaveLength(2 * (3 * steps.length + 2));
    expect(new Set(refused)).toEqual(
      new Set(['Server busy.', 'the chain is being reset or loaded. Changes are possible when this is done']),
    );
    const all = await stepsOf({ steps });
    const wrong = all.map((step, i) => (i === 3 ? { ...step, id: all[0]!.id } : step));
    await expect(chain.node.loader.load({ ...dump, steps: wrong })).rejects.toThrow(/its id is now/);
    expect(chain.node.chain.pool.get(waits)).toBeDefined();
    transaction = undefined;
  });

  it('is of one moment while the chain goes on; who wants to go back waits', async () => {
    let meanwhile: (() => void) | undefined;
    const chain = await begun(async () => meanwhile?.());
    const { node } = chain;
    play(chain, fc.sample(history(8, 25), { numRuns: 1, seed: 5 })[0]!);
    const snapshot = node.snapshot();
    chain.transfer(0, chain.address(1), 7n);
    const expected = await linesOf(chain);
    let back: Promise<void> | undefined;
    const heights: number[] = [];
    meanwhile = () => {
      if (node.mining.isAlone) return;
      back ??= node.rollBackTo(snapshot).then(() => void heights.push(0));
      node.mine(1);
      node.operations.apply('setBalance', { address: chain.address(2), balanceSun: 5n });
      heights.push(node.chain.headNumber);
    };
    const parts: Uint8Array[] = [];
    const head = await packChain(node, { write: (part) => void parts.push(part) });
    expect(gunzipSync(Buffer.concat(parts)).toString().split('\n')).toEqual([...expected, '']);
    expect(JSON.parse(expected.at(-1)!).end.head).toEqual({ number: head.number, id: head.id });
    expect(heights.at(-1)).toBeGreaterThan(head.number + 10);
    await back;
    expect(heights.at(-1)).toBe(0);
    meanwhile = undefined;
    const steps = async (of: ChainFile) =>
      (await stepsOf(of)).map(({ to, id, relaxes, work }) => [to, id, relaxes, Object.keys(work)]);
    const read = await readChainFile(heldFile(Buffer.concat(parts)));
    expect(await steps(read)).toEqual(await steps(await readLines(expected)));
  });

  it('is given up when nobody wants it any more, or the node is closed', async () => {
    let meanwhile: () => void = () => {};
    const chain = await begun(async () => meanwhile());
    chain.node.mine(1);
    chain.node.operations.apply('setBalance', { address: chain.address(2), balanceSun: 5n });
    await expect(packedChain(chain.node, { requester: { isGone: () => true } })).rejects.toThrow(
      'the request was cancelled',
    );
    meanwhile = () => void chain.node.chain.back.to(0, 0);
    await expect(packedChain(chain.node)).rejects.toThrow(/block \d+ was rolled back meanwhile/);
    chain.node.mine(5);
    let closed: Promise<void> | undefined;
    meanwhile = () => {
      closed ??= chain.node.close();
    };
    await expect(packedChain(chain.node)).rejects.toThrow('the node is being closed');
    await closed;
  });

  it('is read or refused in a sentence', async () => {
    const chain = await begun();
    const lines = await linesOf(chain);
    const head = JSON.parse(lines[0]!);
    const changed = (change: object) => [JSON.stringify({ ...head, ...change }), ...lines.slice(1)];
    const { end } = JSON.parse(lines.at(-1)!);
    const ended = (change: object) => [...lines.slice(0, -1), JSON.stringify({ end: { ...end, ...change } })];
    await expect(readLines([])).rejects.toThrow('the chain cannot be loaded: it is not a chain file');
    await expect(readLines(['{"a":1}'])).rejects.toThrow('it is not a chain file');
    await expect(readLines(changed({ version: 9 }))).rejects.toThrow('it has version 9, this Sunup reads version 1');
    await expect(readLines(ended({ steps: end.steps + 1 }))).rejects.toThrow(
      `${end.steps + 1} steps belong to the file, there are ${end.steps}`,
    );
    await expect(readLines(ended({ rows: 1 }))).rejects.toThrow(
      '1 rows of its network belong to the file, there are 0',
    );
    await expect(readLines(ended({ head: { ...end.head, number: 1 } }))).rejects.toThrow('do not lead to its head');
    // Millions of lines in some kilobytes: refused by the first one.
    for (const first of ['{"a":1}', JSON.stringify(head)]) {
      const many = gzipSync(`${first}\n${'{}\n'.repeat(1_000_000)}`);
      await expect(readChainFile(heldFile(many))).rejects.toThrow(/it is not a chain file|line 2 is damaged/);
    }
    await expect(readLines([...lines, '{"broadcast":""}'])).rejects.toThrow('nothing may follow the line end');
    await expect(readLines(lines.slice(0, -2))).rejects.toThrow('its last line is missing');
    const step = JSON.parse(lines[1]!).import;
    const wrong = (change: object) => JSON.stringify({ import: { ...step, ...change } });
    for (const line of [
      '{"header":"zz"}',
      '{}',
      '[]',
      '7',
      '{',
      wrong({ witness: 'zz' }),
      wrong({ transactions: ['ff'] }),
    ])
      await expect(readLines([...lines.slice(0, 1), line, ...lines.slice(2)])).rejects.toThrow('line 2 is damaged');
    await expect(readLines([...lines.slice(0, 1), '{"goBack":{"block":1,"operations":0}}'])).rejects.toThrow(
      'no block 1',
    );
    await expect(readLines(changed({ begun: {} }))).rejects.toThrow('the initial settings of the chain are not valid');
    await expect(readLines(changed({ genesis: 'ab'.repeat(32) }))).rejects.toThrow(
      'its initial settings give the genesis block',
    );
    await expect(readLines([...lines.slice(0, -1), '{"end":{}}'])).rejects.toThrow(/line \d+ is damaged/);
    const other = await SimulatedChain.open({ witnessVotes: [7] });
    await expect(other.node.loader.load(await readLines(lines))).rejects.toThrow('it is a chain with other initial');
  });
});

describe('the last blocks', () => {
  it('are taken back, from within many at once too', async () => {
    await fc.assert(
      fc.asyncProperty(history(1, 20), fc.nat({ max: 60 }), async (all, depth) => {
        const chain = await begun();
        play(chain, all);
        const before = ids(chain);
        const wanted = Math.min(depth, chain.ledger.headNumber);
        await chain.node.branches.rollback(wanted);
        expect(ids(chain)).toEqual(before.slice(0, before.length - wanted));
        await chain.node.chain.durable();
        expect(await rowsThatDifferFromTheStore(chain)).toEqual([]);
      }),
      { numRuns: 25 },
    );
  });

  it('are replaced by as many others, with their transactions or without', async () => {
    await fc.assert(
      fc.asyncProperty(history(5, 20), fc.integer({ min: 1, max: 6 }), fc.boolean(), async (all, depth, keep) => {
        const chain = await begun();
        play(chain, all);
        const { transaction } = chain.transfer(0, chain.address(1), 12_345n);
        chain.node.mine(1);
        const before = ids(chain);
        await chain.node.branches.reorg(depth, { keepTransactions: keep });
        const after = ids(chain);
        expect(after).toHaveLength(before.length);
        const forked = before.length - depth;
        expect(after.slice(0, forked)).toEqual(before.slice(0, forked));
        for (let number = forked; number < after.length; number++) expect(after[number]).not.toBe(before[number]);
        // What refers to a block that is no more is invalid, as on the network.
        if (!keep) expect(chain.ledger.state.tables.transactions.has(transaction.txId)).toBe(false);
        await chain.node.chain.durable();
        expect(await rowsThatDifferFromTheStore(chain)).toEqual([]);
      }),
      { numRuns: 20 },
    );
  });

  it('keep their transactions when asked to, and the further ones stand in the blocks that they are for', async () => {
    const chain = await begun();
    // They refer to a block that stays.
    const transfer = (from: number, amount: bigint) =>
      chain.transaction(1, { owner_address: chain.address(from), to_address: chain.address(2), amount });
    const [kept, further] = [transfer(0, 5n), transfer(1, 6n)];
    chain.node.mine(3);
    chain.node.broadcast(kept);
    chain.node.mine(1);
    const head = chain.ledger.headNumber;
    await chain.node.branches.reorg(2, { transactions: [{ transaction: further, block: 1 }] });
    const { transactions } = chain.ledger.state.tables;
    expect([kept.txId, further.txId].map((txId) => transactions.get(txId)?.blockNumber)).toEqual([head - 1, head]);
    await expect(chain.node.branches.reorg(2, { transactions: [{ transaction: further, block: 2 }] })).rejects.toThrow(
      'expected a block from 0 to 1',
    );
    await expect(chain.node.branches.reorg(head + 1)).rejects.toThrow('depth must be a whole number from 0');
  });
});

it('others have their turn on a long way: back, back to a snapshot, to other blocks and to the beginning', async () => {
  const turnsAt: number[] = [];
  let chain: SimulatedChain | undefined;
  const yieldTurn = () => {
    turnsAt.push(chain!.node.chain.headNumber);
    expect(chain!.node.mining.isAlone).toBe(true);
    return Promise.resolve();
  };
  chain = await SimulatedChain.open({ yieldTurn });
  /** Twenty steps at a time. */
  const down = (from: number, to: number) => {
    const heights: number[] = [];
    for (let height = from - 20; height > to; height -= 20) heights.push(height);
    return heights;
  };
  const turnsOf = async (work: () => Promise<void>) => {
    turnsAt.length = 0;
    await work();
    return [...turnsAt];
  };
  const { node } = chain;
  const mineEach = (count: number) => {
    for (let i = 0; i < count; i++) node.mine(1);
  };
  node.mine(2);
  const snapshot = node.snapshot();
  mineEach(248);
  const [first, ...others] = ids(chain);
  expect(await turnsOf(() => node.branches.rollback(210))).toEqual(down(250, 40));
  expect(ids(chain)).toEqual([first, ...others.slice(0, 40)]);
  mineEach(210);
  // A run of many is one step.
  node.mine(1_000);
  expect(await turnsOf(() => node.branches.rollback(1_000))).toEqual([]);
  expect(chain.ledger.headNumber).toBe(250);
  const forth = await turnsOf(() => node.branches.reorg(249));
  expect(forth.slice(0, 12)).toEqual(down(250, 1));
  expect(forth.at(-1)).toBe(250);
  mineEach(150);
  await node.chain.durable();
  expect(await rowsThatDifferFromTheStore(chain)).toEqual([]);
  const again = node.snapshot();
  mineEach(250);
  expect(await turnsOf(() => node.rollBackTo(again))).toEqual(down(650, 400));
  expect(chain.ledger.headNumber).toBe(400);
  await expect(node.rollBackTo(snapshot)).rejects.toThrow('no snapshot');
  expect(await turnsOf(() => node.branches.reset())).toEqual(down(400, 250));
  expect(chain.ledger.headNumber).toBe(2);
  await node.chain.durable();
  expect(await rowsThatDifferFromTheStore(chain)).toEqual([]);
});

it('a reset chain is the one that began', async () => {
  const fresh = await SimulatedChain.open({ parameters: EVENTFUL });
  fresh.node.producer.mineFirstBlocks();
  const chain = await SimulatedChain.open({ parameters: EVENTFUL });
  chain.node.operations.apply('setBalance', { address: chain.address(2), balanceSun: 1n });
  for (const operation of BEGINNING) perform(chain, operation);
  chain.node.mine(1_000);
  const snapshot = chain.node.snapshot();
  await chain.node.branches.reset();
  await Promise.all([chain.node.chain.durable(), fresh.node.chain.durable()]);
  expect(await storeDigest(chain.store)).toBe(await storeDigest(fresh.store));
  expect(chain.node.clock.nowMs()).toBe(fresh.node.clock.nowMs());
  expect(() => chain.node.revert(snapshot)).toThrow('no snapshot');
});

describe('whoever has asked and is gone', () => {
  /** Gone at the n-th look. */
  const goneAfter = (looks: number) => {
    let left = looks;
    return { isGone: () => --left < 0 };
  };
  const played = async () => {
    const chain = await begun(async () => {});
    play(chain, fc.sample(history(30, 30), { numRuns: 1, seed: 7 })[0]!);
    return chain;
  };

  it('leaves a chain that is rolled back as far as it has come', async () => {
    const chain = await played();
    for (let i = 0; i < 100; i++) {
      chain.transfer(0, chain.address(1), 1n);
      chain.node.mine(1);
    }
    const { headNumber } = chain.ledger;
    const before = ids(chain);
    await expect(chain.node.branches.rollback(90, goneAfter(2))).rejects.toThrow(
      /^rollback: stopped after \d+ of 90 blocks, because its request was cancelled\. The head is block \d+/,
    );
    expect(chain.ledger.headNumber).toBeLessThan(headNumber);
    expect(chain.ledger.headNumber).toBeGreaterThan(headNumber - 90);
    expect(ids(chain)).toEqual(before.slice(0, chain.ledger.headNumber + 1));
    expect(await rowsThatDifferFromTheStore(chain)).toEqual([]);
  });

  it('leaves the chain as it was where another should have been loaded', async () => {
    const dumped = await played();
    const dump = await chainFileOf(dumped);
    const chain = await begun(async () => {});
    chain.node.mine(3);
    const before = ids(chain);
    let looks = 0;
    const asker = { isGone: () => ++looks > 20 };
    await expect(chain.node.loader.load(dump, undefined, asker)).rejects.toThrow(
      /^load: cancelled after \d+ of \d+ steps, because its request was cancelled\. The chain is unchanged$/,
    );
    expect(ids(chain)).toEqual(before);
    expect(await rowsThatDifferFromTheStore(chain)).toEqual([]);
  });

  it('leaves as many blocks of another branch as were made', async () => {
    const chain = await played();
    // Empty blocks are made many at once.
    chain.node.mine(400);
    const { headNumber } = chain.ledger;
    await expect(chain.node.branches.reorg(350, {}, goneAfter(2))).rejects.toThrow(
      /^reorg: stopped after [1-9]\d+ of 350 blocks, because its request was cancelled/,
    );
    expect(chain.ledger.headNumber).toBeGreaterThan(headNumber - 350);
    expect(chain.ledger.headNumber).toBeLessThan(headNumber);
    expect(await rowsThatDifferFromTheStore(chain)).toEqual([]);
  });
});
