/**
 * System transactions of every kind a second: the recorded mixes (stakes, votes, proposals, tokens, exchanges, orders,
 * permissions), imported block by block. The reference is the recovery of their signers alone.
 */

import { readRecording } from '../../scripts/verify/recording.js';
import { openRecordedNode } from '../../scripts/verify/replay.js';
import { hexToBytes } from '../../src/primitives/hex.js';
import { decodeBlock } from '../../src/protocol/block.js';
import { recoverUncached } from '../../src/protocol/signature.js';
import { type Bench, median, milliseconds } from './bench.js';

const RECORDINGS = ['system-mix-1', 'system-mix-2'];
const RUNS = 15;

export const bench: Bench = {
  about: 'mixed system transactions per second, applied (from the recorded mixes)',

  async *measure(progress) {
    for (const name of RECORDINGS) {
      progress(name);
      const recording = readRecording(`fixtures/recorded/${name}`);
      const blocks = recording.lines.flatMap((line) => (line.kind === 'block' ? [hexToBytes(line.block)] : []));
      const transactions = blocks.flatMap((block) => decodeBlock(block).transactions);
      const applied: number[] = [];
      const recovered: number[] = [];
      for (let run = 0; run < RUNS; run++) {
        const node = await openRecordedNode(recording);
        applied.push(
          await milliseconds(() => {
            for (const block of blocks) {
              const decoded = decodeBlock(block);
              node.chain.import(decoded.header, decoded.transactions);
            }
          }),
        );
        recovered.push(
          await milliseconds(() => {
            for (const { txId, signatures } of transactions) {
              for (const signature of signatures) recoverUncached(txId, signature);
            }
          }),
        );
        await node.close();
      }
      const perSecond = (times: readonly number[]) => (1000 * transactions.length) / median(times.slice(5));
      yield {
        name: `${name}: decoded and applied, signers known (${transactions.length} transactions, ${blocks.length} blocks)`,
        value: perSecond(applied),
        unit: '/s',
        reference: { name: 'signers recovered', value: perSecond(recovered) },
      };
    }
  },
};
