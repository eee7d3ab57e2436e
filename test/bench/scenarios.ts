/**
 * Fee scenarios: ten thousand token transfers run from a file, beside as many applied in blocks that were made before; a
 * year with a payment a day; what a run of four times the length holds.
 */

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { hexToBytes } from '../../src/primitives/hex.js';
import { decodeBlock } from '../../src/protocol/block.js';
import { recoverAddress } from '../../src/protocol/signature.js';
import { readScenario } from '../../src/scenario/reader/read-scenario.js';
import { artifactsOf } from '../../src/scenario/run/artifact-files.js';
import { runScenario } from '../../src/scenario/run/run.js';
import { MemoryStore } from '../../src/state/memory-store.js';
import { type Bench, milliseconds } from './bench.js';
import { openBenchNode } from './bench-chain.js';
import { privateKeys } from './signed-transactions.js';
import { ACCOUNTS, transferBlocks } from './transfer-blocks.js';

const CALLS = 10_000;
const CALLS_PER_BLOCK = 250;

const HEAD = `
network: { preset: mainnet@2025-09, stake: mainnet@2025-12 }
accounts:
  issuer: 1 TRX
  senders: { count: 200, balance: 100_000 TRX, tokens: { token: 1_000_000_000 } }
contracts:
  token: { fixture: Token, deployer: issuer, args: [1_000_000_000_000] }
steps:
`;

const calls = (count: number) => `${HEAD}
  - repeat:
      times: ${count / CALLS_PER_BLOCK}
      counter: block
      steps:
        - block:
            - repeat:
                times: ${CALLS_PER_BLOCK}
                steps:
                  - call:
                      from: 'senders.\${i % 200}'
                      contract: token
                      method: transfer
                      args: [{ oneOf: senders }, '\${block + 1}']
`;

const YEAR = `${HEAD}
  - traffic:
      for: 365d
      rate: 1 per day
      senders: [senders.0]
      steps: [{ call: { from: '\${sender}', contract: token, method: transfer, args: [{ oneOf: senders }, 1] } }]
`;

export const bench: Bench = {
  about: 'fee scenarios: 10,000 token transfers from a file, a year, and what a long run holds',

  async *measure(progress) {
    progress('warming up');
    await run(calls(1_000));
    progress('making blocks for the reference');
    const applied = await milliseconds(await blocksToApply());
    progress(`${CALLS} calls`);
    yield {
      name: '10,000 calls: read, built, signed, run, told',
      value: await milliseconds(() => run(calls(CALLS))),
      unit: 'ms',
      reference: { name: 'applied in blocks, signers known', value: applied },
      aim: { of: 'value', atMost: 3_000 },
    };
    progress('a year');
    yield {
      name: 'a year with a payment a day',
      value: await milliseconds(() => run(YEAR)),
      unit: 'ms',
      aim: { of: 'value', atMost: 1_000 },
    };
    progress('memory');
    const [short, long] = [await held(calls(CALLS)), await held(calls(4 * CALLS))];
    yield {
      name: 'held at the end of 40,000 calls',
      value: long,
      unit: 'MB',
      reference: { name: '10,000 calls', value: short },
    };
  },
};

async function run(text: string, atEnd: () => void = () => {}): Promise<void> {
  const scenario = readScenario(text, 'bench');
  const artifacts = await artifactsOf(scenario, () => '');
  const running = runScenario(scenario, {
    artifacts,
    progress: (done, total) => (done === total ? atEnd() : undefined),
  });
  for (let next = await running.next(); !next.done; next = await running.next());
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Megabytes that cannot be collected while the chain is still there. */
async function held(text: string): Promise<number> {
  let bytes = 0;
  await run(text, () => {
    collect();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    bytes = heapUsed + arrayBuffers;
  });
  return bytes / 2 ** 20;
}

async function blocksToApply(): Promise<() => Promise<void>> {
  const { before, blocks } = await transferBlocks({
    of: 'token',
    blocks: CALLS / CALLS_PER_BLOCK,
    transactionsPerBlock: CALLS_PER_BLOCK,
  });
  const node = await openBenchNode(new MemoryStore(), privateKeys(ACCOUNTS), { history: false });
  for (const hex of before) {
    const { header, transactions } = decodeBlock(hexToBytes(hex));
    node.chain.import(header, transactions);
  }
  const decoded = blocks.map((hex) => decodeBlock(hexToBytes(hex)));
  for (const { transactions } of decoded)
    for (const { txId, signatures } of transactions) recoverAddress(txId, signatures[0] as string);
  return async () => {
    for (const { header, transactions } of decoded) node.chain.import(header, transactions);
    await node.chain.durable();
    await node.close();
  };
}
