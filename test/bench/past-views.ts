/**
 * Reading old heights of a long chain: 1,000,000 mined blocks and 100,000 transfers on LevelDB, a call, a balance and a
 * trace at heights near the head and near the beginning. The references are the same at the head, and what folding all
 * pre-images down to the height takes, which is what a view cost before rows had an index of their changes.
 */

import { traceOf } from '../../src/explanation/calls/trace.js';
import type { Node } from '../../src/node/node.js';
import type { Address } from '../../src/primitives/ids.js';
import { rememberSigner } from '../../src/protocol/signature.js';
import { type Bench, median, milliseconds } from './bench.js';
import { headOf, openBenchNode } from './bench-chain.js';
import { inScratchDirectory, levelStore } from './scratch.js';
import { addressesOf, privateKeys, signedTransfer } from './signed-transactions.js';

const BLOCKS = 1_000_000;
const TRANSFERS = 100_000;
const ACCOUNTS = 200;
const RUNS = 21;

export const bench: Bench = {
  about: 'views of old heights on a chain of 1,000,000 blocks and 100,000 transfers',

  async *measure(progress) {
    const figures = await inScratchDirectory(async (directory) => {
      const keys = privateKeys(ACCOUNTS);
      const addresses = addressesOf(keys);
      const node = await openBenchNode(await levelStore(directory), keys);
      for (let made = 0; made < TRANSFERS; made++) {
        const to = addresses[(made * 7 + 13) % ACCOUNTS] as Address;
        const from = made % ACCOUNTS;
        const transfer = signedTransfer(keys[from] as string, to, 1n, { reference: headOf(node), nonce: made });
        rememberSigner(transfer.txId, transfer.signatures[0] as string, addresses[from] as Address);
        node.chain.pool.queue(transfer);
        node.mine(BLOCKS / TRANSFERS);
        if (made % 100 === 0) await node.chain.durable();
        if (made % 10_000 === 0) progress(`${made.toLocaleString('en-US')} transfers in their blocks`);
      }
      await node.chain.durable();
      progress('looking back');
      const { headNumber } = node.chain;
      const before = process.memoryUsage.rss();
      const read = (height: number) => () => readAt(node, height, addresses);
      const near = await medianOf((run) => read(headNumber - 100 - run));
      const first = await milliseconds(read(3));
      const deep = await medianOf((run) => read(10 + 11 * run));
      const middle = await medianOf((run) => read(Math.floor(headNumber / 2) + 13 * run));
      const trace = await medianOf((run) => () => traceOf(node, transferIn(node, 3 + 10 * run)));
      const grown = (process.memoryUsage.rss() - before) / 1_048_576;
      const fold = await milliseconds(() => {
        for (const { images } of node.chain.commits.down(headNumber - 20_000)) if (images.length < 0) return;
      });
      await node.close();
      return { near, first, deep, middle, trace, grown, fold: (fold * headNumber) / 20_000 };
    });
    const reference = { name: '100 blocks below the head', value: figures.near };
    const folded = { name: 'all pre-images read, from 20,000 blocks', value: figures.fold };
    yield { name: '200 accounts at block 3, first view', value: figures.first, unit: 'ms', reference: folded };
    yield { name: '200 accounts near the beginning', value: figures.deep, unit: 'ms', reference };
    yield { name: '200 accounts in the middle', value: figures.middle, unit: 'ms', reference };
    yield { name: 'a transfer near the beginning traced', value: figures.trace, unit: 'ms' };
    yield { name: 'memory that all of this has taken', value: figures.grown, unit: 'MB' };
  },
};

function readAt({ chain }: Node, height: number, addresses: readonly Address[]): bigint {
  const { state, headNumber } = chain.ledgerAt(height);
  if (headNumber !== height) throw new Error(`the view of ${height} is of ${headNumber}`);
  return addresses.reduce((sum, address) => sum + (state.tables.accounts.get(address)?.balance ?? 0n), 0n);
}

function transferIn({ chain }: Node, number: number): string {
  const id = chain.ledger.state.tables.blocks.get(number.toString(16).padStart(12, '0'))?.transactionIds[0];
  if (id === undefined) throw new Error(`block ${number} has no transaction`);
  return id;
}

async function medianOf(work: (run: number) => () => unknown): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < RUNS; run++) times.push(await milliseconds(work(run)));
  return median(times);
}
