/**
 * Token transfers a second: through the ledger with their signers known, and signed, over HTTP, mined and committed.
 * What the machine alone does is the bench `tvm-transfers`.
 */

import { hexToBytes } from '../../src/primitives/hex.js';
import type { Address } from '../../src/primitives/ids.js';
import { decodeBlock } from '../../src/protocol/block.js';
import { recoverAddress } from '../../src/protocol/signature.js';
import { type Bench, median, milliseconds } from './bench.js';
import { openBenchNode } from './bench-chain.js';
import { runLoadElsewhere } from './load.js';
import { plainServer } from './plain-server.js';
import { inScratchDirectory, levelStore } from './scratch.js';
import { privateKeys, transactionHex } from './signed-transactions.js';
import { type Command, startCommand } from './sunup-command.js';
import { signedDeployment, signedTokenTransfer } from './token.js';
import { ACCOUNTS, transferBlocks } from './transfer-blocks.js';
import { expectAllMined, headOf, sendAndMine } from './transfers-over-http.js';

const ROUNDS = 5;
const BLOCKS_PER_ROUND = 8;
const TRANSFERS_PER_BLOCK = 500;
const TRANSFERS_PER_ROUND = BLOCKS_PER_ROUND * TRANSFERS_PER_BLOCK;
const OVER_HTTP = 15_000;
const HOLDERS = 200;

export const bench: Bench = {
  about: 'TRC-20 transfers per second through the ledger, and signed over HTTP, mined and committed',

  async *measure(progress) {
    yield* inTheLedger(progress);
    progress('over HTTP');
    const { value, reference } = await inScratchDirectory(overHttp);
    yield {
      name: 'broadcasthex, 8 connections',
      value,
      unit: '/s',
      reference: { name: 'bare fastify', value: reference },
      aim: { of: 'value', atLeast: 5_000 },
    };
  },
};

async function* inTheLedger(progress: (text: string) => void) {
  progress(`making ${ROUNDS * TRANSFERS_PER_ROUND} transfers`);
  const { before, blocks } = await transferBlocks({
    of: 'token',
    blocks: ROUNDS * BLOCKS_PER_ROUND,
    transactionsPerBlock: TRANSFERS_PER_BLOCK,
  });
  const applied: number[] = [];
  const recovered: number[] = [];
  await inScratchDirectory(async (directory) => {
    const node = await openBenchNode(await levelStore(directory), privateKeys(ACCOUNTS));
    const take = (hex: string) => {
      const { header, transactions } = decodeBlock(hexToBytes(hex));
      return () => node.chain.import(header, transactions);
    };
    for (const block of before) take(block)();
    for (let round = 0; round < ROUNDS; round++) {
      progress(`round ${round + 1} of ${ROUNDS}`);
      const part = blocks.slice(round * BLOCKS_PER_ROUND, (round + 1) * BLOCKS_PER_ROUND);
      const decoded = part.map((hex) => decodeBlock(hexToBytes(hex)));
      recovered.push(
        await milliseconds(() => {
          for (const { transactions } of decoded) {
            for (const { txId, signatures } of transactions) recoverAddress(txId, signatures[0] as string);
          }
        }),
      );
      applied.push(
        await milliseconds(async () => {
          for (const { header, transactions } of decoded) {
            node.chain.import(header, transactions);
            await new Promise((resolve) => setImmediate(resolve));
          }
          await node.chain.durable();
        }),
      );
    }
    await node.close();
  });
  const perSecond = (times: readonly number[]) => (1000 * TRANSFERS_PER_ROUND) / median(times.slice(1));
  yield {
    name: 'applied and committed, signers known',
    value: perSecond(applied),
    unit: '/s' as const,
    reference: { name: 'signers recovered, one core', value: perSecond(recovered) },
  };
}

async function overHttp(directory: string): Promise<{ readonly value: number; readonly reference: number }> {
  const options = ['--manual', '--db', directory, '--accounts', String(HOLDERS), '--balance', '1000000', '--quiet'];
  const command = await startCommand([...options, '--pool-size', '1000000']);
  const { accounts } = command;
  const token = await deployToken(command);
  const reference = await headOf(command);
  const gifts = accounts
    .slice(1)
    .map(({ addressHex }, nonce) =>
      signedTokenTransfer(accounts[0]!.privateKey, token, addressHex, 1_000_000, { reference, nonce }),
    );
  const transfers = Array.from({ length: OVER_HTTP }, (_, i) => {
    const to = accounts[(i * 7 + 13) % HOLDERS]!.addressHex;
    return signedTokenTransfer(accounts[i % HOLDERS]!.privateKey, token, to, 1, { reference, nonce: 1_000 + i });
  });
  const path = '/wallet/broadcasthex';
  const bodyOf = (transaction: (typeof transfers)[0]) => JSON.stringify({ transaction: transactionHex(transaction) });
  const bodies = transfers.map(bodyOf);
  await sendAndMine(command, path, [...gifts.map(bodyOf), ...bodies.slice(0, 5_000)]);
  const seconds = await sendAndMine(command, path, bodies.slice(5_000));
  await expectAllMined(command, gifts.length + bodies.length + 1);
  await command.stop();
  const plain = await plainServer();
  const load = { port: plain.port, path, connections: 8 };
  await runLoadElsewhere({ ...load, bodies: bodies.slice(0, 5_000) });
  const answered = await runLoadElsewhere({ ...load, bodies: bodies.slice(5_000) });
  plain.process.kill();
  return { value: (OVER_HTTP - 5_000) / seconds, reference: (OVER_HTTP - 5_000) / answered.seconds };
}

/** Deploys it from the first account, which then holds the supply. */
export async function deployToken(command: Command): Promise<Address> {
  const reference = await headOf(command);
  const deployment = signedDeployment(command.accounts[0]!.privateKey, { reference, nonce: 0 });
  await command.post('/wallet/broadcasthex', { transaction: transactionHex(deployment) });
  await command.post('/sunup/mine');
  const info = await command.post('/wallet/gettransactioninfobyid', { value: deployment.txId });
  return info.contract_address as Address;
}
