/** What the history index costs where it is written: blocks of transfers applied and committed with it and without. */

import type { Hex } from '../../src/primitives/hex.js';
import { hexToBytes } from '../../src/primitives/hex.js';
import { decodeBlock } from '../../src/protocol/block.js';
import { recoverAddress } from '../../src/protocol/signature.js';
import { type Bench, median, milliseconds } from './bench.js';
import { openBenchNode } from './bench-chain.js';
import { inScratchDirectory, levelStore } from './scratch.js';
import { privateKeys } from './signed-transactions.js';
import { ACCOUNTS, transferBlocks } from './transfer-blocks.js';

const ROUNDS = 7;
const BLOCKS_PER_ROUND = 8;
const TRANSFERS_PER_BLOCK = 500;
const TRANSFERS_PER_ROUND = BLOCKS_PER_ROUND * TRANSFERS_PER_BLOCK;

export const bench: Bench = {
  about: 'the price of the history index: transfers applied and committed with it and without',

  async *measure(progress) {
    for (const of of ['coin', 'token'] as const) {
      progress(`making ${ROUNDS * TRANSFERS_PER_ROUND} transfers of ${of}s`);
      const chain = await transferBlocks({
        of,
        blocks: ROUNDS * BLOCKS_PER_ROUND,
        transactionsPerBlock: TRANSFERS_PER_BLOCK,
      });
      const { withIndex, without } = await inScratchDirectory((directory) => inTurns(directory, chain, progress));
      yield {
        name: `transfers of ${of}s with the index`,
        value: withIndex,
        unit: '/s',
        reference: { name: 'without', value: without },
        aim: { of: 'ratio', atLeast: 0.85 },
      };
    }
  },
};

/** Two chains take the same blocks, round by round in turns, so that both meet the machine in the same mood. */
async function inTurns(
  directory: string,
  { before, blocks }: { readonly before: readonly Hex[]; readonly blocks: readonly Hex[] },
  progress: (text: string) => void,
): Promise<{ readonly withIndex: number; readonly without: number }> {
  const keys = privateKeys(ACCOUNTS);
  const indexed = await openBenchNode(await levelStore(`${directory}/indexed`), keys);
  const plain = await openBenchNode(await levelStore(`${directory}/plain`), keys, { history: false });
  const take = (hex: Hex) => decodeBlock(hexToBytes(hex));
  for (const node of [indexed, plain])
    for (const { header, transactions } of before.map(take)) node.chain.import(header, transactions);
  const times = { indexed: [] as number[], plain: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    progress(`round ${round + 1} of ${ROUNDS}`);
    const part = blocks.slice(round * BLOCKS_PER_ROUND, (round + 1) * BLOCKS_PER_ROUND).map(take);
    for (const { transactions } of part)
      for (const { txId, signatures } of transactions) recoverAddress(txId, signatures[0] as string);
    const apply = (node: typeof indexed) =>
      milliseconds(async () => {
        for (const { header, transactions } of part) {
          node.chain.import(header, transactions);
          await new Promise((resolve) => setImmediate(resolve));
        }
        await node.chain.durable();
      });
    const order = round % 2 === 0 ? (['indexed', 'plain'] as const) : (['plain', 'indexed'] as const);
    for (const which of order) times[which].push(await apply(which === 'indexed' ? indexed : plain));
  }
  await indexed.close();
  await plain.close();
  const perSecond = (all: readonly number[]) => (1000 * TRANSFERS_PER_ROUND) / median(all.slice(1));
  return { withIndex: perSecond(times.indexed), without: perSecond(times.plain) };
}
