/** Taking a snapshot, and going back to it over a block with transactions, in memory and on the disk. */

import type { Hex } from '../../src/primitives/hex.js';
import type { Address } from '../../src/primitives/ids.js';
import { MemoryStore } from '../../src/state/memory-store.js';
import type { Store } from '../../src/state/store.js';
import { type Bench, median, milliseconds } from './bench.js';
import { headOf, openBenchNode } from './bench-chain.js';
import { inScratchDirectory, levelStore } from './scratch.js';
import { addressesOf, privateKeys, signedTransfer } from './signed-transactions.js';

const RUNS = 200;

export const bench: Bench = {
  about: 'snapshot, and revert after 5 transactions',

  async *measure(progress) {
    progress('in memory');
    const memory = await snapshotAndRevert(new MemoryStore());
    progress('in LevelDB');
    const level = await inScratchDirectory(async (directory) => snapshotAndRevert(await levelStore(directory)));
    yield { name: 'snapshot', value: memory.snapshot, unit: 'ms', aim: { of: 'value', atMost: 0.1 } };
    yield { name: 'revert after 5 transactions', value: memory.revert, unit: 'ms', aim: { of: 'value', atMost: 1 } };
    yield {
      name: 'revert after 5 transactions, LevelDB',
      value: level.revert,
      unit: 'ms',
      reference: { name: 'in memory', value: memory.revert },
      aim: { of: 'value', atMost: 1 },
    };
  },
};

/** Until the store has accepted it. */
async function snapshotAndRevert(store: Store): Promise<{ readonly snapshot: number; readonly revert: number }> {
  const keys = privateKeys(6);
  const addresses = addressesOf(keys);
  const node = await openBenchNode(store, keys);
  const snapshots: number[] = [];
  const reverts: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    let id = '';
    snapshots.push(
      await milliseconds(() => {
        id = node.snapshot();
      }),
    );
    const reference = headOf(node);
    for (let i = 0; i < 5; i++) {
      const nonce = { reference, nonce: run * 5 + i };
      node.broadcast(signedTransfer(keys[i] as Hex, addresses[i + 1] as Address, 1n, nonce));
    }
    node.mine(1);
    await node.chain.durable();
    reverts.push(
      await milliseconds(async () => {
        node.revert(id);
        await node.chain.durable();
      }),
    );
  }
  await node.close();
  return { snapshot: median(snapshots), revert: median(reverts) };
}
