/**
 * Signed transfers a second, applied in blocks: decoded, signer recovered, applied, committed to LevelDB. Once with
 * threads that recover the signers of the next block meanwhile, once without. The reference is the bare recovery of as
 * many signers on one core, which no node can do without.
 */

import type { Chain } from '../../src/node/chain/chain.js';
import { hexToBytes } from '../../src/primitives/hex.js';
import { type DecodedBlock, decodeBlock } from '../../src/protocol/block.js';
import { recoverUncached } from '../../src/protocol/signature.js';
import { SignerThreads } from '../../src/signers/threads.js';
import { type Bench, median, milliseconds } from './bench.js';
import { openBenchNode } from './bench-chain.js';
import { inScratchDirectory, levelStore } from './scratch.js';
import { privateKeys } from './signed-transactions.js';
import { ACCOUNTS, transferBlocks } from './transfer-blocks.js';

const ROUNDS = 5;
/** A round has no more than the cache of recovered signers holds, so that a second pass finds them all. */
const BLOCKS_PER_ROUND = 16;
const TRANSFERS_PER_BLOCK = 500;
const TRANSFERS_PER_ROUND = BLOCKS_PER_ROUND * TRANSFERS_PER_BLOCK;

export const bench: Bench = {
  about: 'signed transfers per second, applied in blocks and committed to LevelDB',

  async *measure(progress) {
    progress(`making ${2 * ROUNDS * TRANSFERS_PER_ROUND} signed transfers`);
    const { blocks } = await transferBlocks({
      of: 'coin',
      blocks: 2 * ROUNDS * BLOCKS_PER_ROUND,
      transactionsPerBlock: TRANSFERS_PER_BLOCK,
    });
    const parts = Array.from({ length: 2 * ROUNDS }, (_, round) =>
      blocks.slice(round * BLOCKS_PER_ROUND, (round + 1) * BLOCKS_PER_ROUND).map((block) => hexToBytes(block)),
    );
    const threads = new SignerThreads();
    const ahead: number[] = [];
    const alone: number[] = [];
    const applied: number[] = [];
    const recovery: number[] = [];
    await inScratchDirectory(async (directory) => {
      const open = async (name: string) => {
        const store = await levelStore(`${directory}/${name}`);
        return (await openBenchNode(store, privateKeys(ACCOUNTS))).chain;
      };
      const first = await open('first');
      const second = await open('second');
      for (const [index, part] of parts.entries()) {
        if (index % 2 === 0) progress(`round ${index / 2 + 1} of ${ROUNDS}`);
        if (index % 2 === 0) ahead.push(await milliseconds(() => importAhead(first, part, threads)));
        else alone.push(await milliseconds(() => importAlone(first, part)));
        const decoded = part.map((block) => decodeBlock(block));
        applied.push(
          await milliseconds(async () => {
            for (const { header, transactions } of decoded) {
              second.import(header, transactions);
              await turn();
            }
            await second.durable();
          }),
        );
        recovery.push(await milliseconds(() => recoverAll(decoded)));
      }
      await first.close();
      await second.close();
    });
    await threads.close();
    // The first rounds are the compiler's.
    const perSecond = (times: readonly number[]) => (1000 * TRANSFERS_PER_ROUND) / median(times.slice(1));
    const reference = { name: 'signers recovered, one core', value: perSecond(recovery) };
    yield {
      name: 'decoded, recovered (threads), applied, committed',
      value: perSecond(ahead),
      unit: '/s',
      reference,
      aim: { of: 'value', atLeast: 10_000 },
    };
    yield { name: 'the same without threads', value: perSecond(alone), unit: '/s', reference };
    yield { name: 'applied and committed only', value: perSecond(applied), unit: '/s', reference };
  },
};

async function importAlone(chain: Chain, blocks: readonly Uint8Array[]): Promise<void> {
  for (const block of blocks) {
    const { header, transactions } = decodeBlock(block);
    chain.import(header, transactions);
    await turn();
  }
  await chain.durable();
}

/** A turn of the event loop, in which batches leave for the store, as between any two blocks of a running node. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** While a block is applied, threads recover the signers of the next. */
async function importAhead(chain: Chain, blocks: readonly Uint8Array[], threads: SignerThreads): Promise<void> {
  const prepare = (bytes: Uint8Array) => {
    const block = decodeBlock(bytes);
    return {
      block,
      recovered: block.transactions.map(({ txId, signatures }) => threads.ahead({ digest: txId, signatures })),
    };
  };
  let next = prepare(blocks[0] as Uint8Array);
  for (let index = 0; index < blocks.length; index++) {
    const { block, recovered } = next;
    await Promise.all(recovered.map((known) => known?.()));
    const following = blocks[index + 1];
    if (following !== undefined) {
      next = prepare(following);
      await turn();
    }
    chain.import(block.header, block.transactions);
  }
  await chain.durable();
}

function recoverAll(blocks: readonly DecodedBlock[]): void {
  for (const { transactions } of blocks) {
    for (const { txId, signatures } of transactions) recoverUncached(txId, signatures[0] as string);
  }
}
