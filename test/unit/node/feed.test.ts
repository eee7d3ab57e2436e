/** Who follows a chain is told what has happened, when it cannot be undone any more, and nothing that has not happened. */

import { expect, it } from 'vitest';
import type { ChainListener } from '../../../src/node/chain/feed.js';
import { MemoryStore } from '../../../src/state/memory-store.js';
import type { StoreWrite } from '../../../src/state/store.js';
import { SimulatedChain } from '../../simulation/simulated-chain.js';

/** A store that accepts a batch when it is let, and refuses it when it is full. */
class SlowStore extends MemoryStore {
  isFull = false;
  #let: Promise<void> = Promise.resolve();

  hold(): () => void {
    let release = () => {};
    this.#let = new Promise((resolve) => {
      release = resolve;
    });
    return release;
  }

  override async write(batch: readonly StoreWrite[]): Promise<void> {
    const refused = this.isFull;
    if (!refused) await super.write(batch);
    await this.#let;
    if (refused) throw new Error('no space left on device');
  }

  async retry(): Promise<boolean> {
    return !this.isFull;
  }
}

/** Says what it reads at once, and what it tells. */
function listening(read: string[], told: string[]): ChainListener {
  const both = (text: string) => {
    read.push(text);
    return () => void told.push(text);
  };
  return {
    blocksAdded: (first, last) => both(`+${first}-${last}`),
    blocksRemoved: (first, last) => both(`-${first}-${last}`),
    transactionPending: ({ transaction }) => both(`pending ${transaction.txId.slice(0, 4)}`),
  };
}

async function begun() {
  const store = new SlowStore();
  const chain = await SimulatedChain.open({ store });
  chain.node.mine(2);
  await chain.node.chain.durable();
  const read: string[] = [];
  const told: string[] = [];
  const end = chain.node.feed.listen('full', listening(read, told));
  return { store, chain, read, told, end };
}

it('is read at once and told when the store has accepted it, in the order of what happened', async () => {
  const { store, chain, read, told, end } = await begun();
  const release = store.hold();
  const snapshot = chain.node.snapshot();
  const { txId } = chain.transfer(0, chain.address(1), 1n).transaction;
  chain.node.mine(1);
  chain.node.mine(40);
  chain.node.revert(snapshot);
  chain.node.mine(1);
  const happened = [`pending ${txId.slice(0, 4)}`, '+3-3', '+4-43', '-3-43', '+3-3'];
  expect(read).toEqual(happened);
  // A transaction that waits is in no batch.
  await new Promise((resolve) => setImmediate(resolve));
  expect(told).toEqual([happened[0]]);
  release();
  await chain.node.chain.durable();
  expect(told).toEqual(happened);
  end();
  chain.node.mine(1);
  await chain.node.chain.durable();
  expect(told).toEqual(happened);
});

it('has several listeners, who come and go, on either view', async () => {
  const { chain, told } = await begun();
  const other: string[] = [];
  const solid: string[] = [];
  chain.node.mine(1);
  const end = chain.node.feed.listen('full', listening([], other));
  chain.node.feed.listen('solid', listening([], solid));
  chain.node.mine(1);
  end();
  chain.node.mine(1);
  await chain.node.chain.durable();
  expect(told).toEqual(['+3-3', '+4-4', '+5-5']);
  expect(other).toEqual(['+4-4']);
  // What is solidified shows the head here.
  expect(solid).toEqual(['+4-4', '+5-5']);
});

it('tells nobody of what a full store has not accepted, and of what comes in its place', async () => {
  const { store, chain, told } = await begun();
  const snapshot = chain.node.snapshot();
  chain.node.mine(1);
  await chain.node.chain.durable();
  store.isFull = true;
  chain.node.mine(1);
  chain.node.revert(snapshot);
  chain.node.mine(1);
  await expect(chain.node.chain.durable()).rejects.toThrow('the disk is full');
  expect(told).toEqual(['+3-3']);
  store.isFull = false;
  expect(await chain.node.chain.commits.retry()).toBe(true);
  chain.node.mine(2);
  await chain.node.chain.durable();
  expect(told).toEqual(['+3-3', '+4-5']);
});

// Found by the simulator with seed 791505.
it('of the solidified view is told that it steps back where its lag becomes longer', async () => {
  const { chain } = await begun();
  const { node } = chain;
  const snapshot = node.snapshot();
  const told: string[] = [];
  node.feed.listen('solid', listening([], told));
  node.mine(5);
  node.chain.solidityLag = 4;
  node.mine(1);
  await node.chain.durable();
  expect(told).toEqual(['+3-7', '-5-7']);
  node.revert(snapshot);
  await node.chain.durable();
  expect(told.slice(2)).toEqual(['-3-4']);
});
