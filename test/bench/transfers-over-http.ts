/**
 * Signed transfers a second as a client sees them: sent over HTTP by another process, accepted, mined into blocks four
 * times a second and committed to LevelDB. The clock stops when the last is in a block that the store has accepted.
 * The reference is a bare fastify that reads the same bodies.
 */

import { printTransaction } from '../../src/protocol/json/transaction-json.js';
import type { SignedTransaction } from '../../src/protocol/transaction.js';
import type { Bench } from './bench.js';
import { runLoadElsewhere } from './load.js';
import { plainServer } from './plain-server.js';
import { inScratchDirectory } from './scratch.js';
import { type Reference, signedTransfer, transactionHex } from './signed-transactions.js';
import { type Command, startCommand } from './sunup-command.js';

const TRANSFERS = 20_000;
const WARM_UP = 5_000;
const CONNECTIONS = 8;

export const bench: Bench = {
  about: 'signed transfers per second over HTTP, mined and committed to LevelDB',

  async *measure(progress) {
    for (const path of ['/wallet/broadcasthex', '/wallet/broadcasttransaction']) {
      const { value, reference } = await inScratchDirectory((directory) => measureOne(path, directory, progress));
      yield {
        name: `${path.slice(8)}, ${CONNECTIONS} connections`,
        value,
        unit: '/s',
        reference: { name: 'bare fastify', value: reference },
        aim: { of: 'value', atLeast: 5_000 },
      };
    }
  },
};

async function measureOne(path: string, directory: string, progress: (text: string) => void) {
  const command = await startCommand([
    '--manual',
    '--db',
    directory,
    '--accounts',
    '200',
    '--pool-size',
    '1000000',
    '--quiet',
  ]);
  progress(`${path}: signing ${WARM_UP + TRANSFERS} transfers`);
  const reference = await headOf(command);
  const bodies = Array.from({ length: WARM_UP + TRANSFERS }, (_, nonce) => {
    const from = command.accounts[nonce % command.accounts.length]!;
    const to = command.accounts[(nonce * 7 + 13) % command.accounts.length]!;
    return bodyOf(path, signedTransfer(from.privateKey, to.addressHex, 1n, { reference, nonce }));
  });
  const warmUp = bodies.slice(0, WARM_UP);
  const measured = bodies.slice(WARM_UP);

  progress(`${path}: sending ${bodies.length} transfers`);
  await sendAndMine(command, path, warmUp);
  const seconds = await sendAndMine(command, path, measured);
  await expectAllMined(command, bodies.length);
  await command.stop();

  progress(`${path}: the same to a bare fastify`);
  const plain = await plainServer();
  await runLoadElsewhere({ port: plain.port, path, bodies: warmUp, connections: CONNECTIONS });
  const answered = await runLoadElsewhere({ port: plain.port, path, bodies: measured, connections: CONNECTIONS });
  plain.process.kill();
  return { value: TRANSFERS / seconds, reference: TRANSFERS / answered.seconds };
}

export async function headOf(command: Command): Promise<Reference> {
  const block = (await command.post('/wallet/getnowblock')) as {
    blockID: Reference['blockId'];
    block_header: { raw_data: { timestamp: number } };
  };
  return { blockId: block.blockID, timestampMs: block.block_header.raw_data.timestamp };
}

function bodyOf(path: string, transaction: SignedTransaction): string {
  return path.endsWith('hex')
    ? JSON.stringify({ transaction: transactionHex(transaction) })
    : printTransaction(transaction, false);
}

/** Seconds until all are in blocks. A block every quarter of a second holds what has come by then. */
export async function sendAndMine(command: Command, path: string, bodies: readonly string[]): Promise<number> {
  const timer = setInterval(() => void command.post('/sunup/mine'), 250);
  const result = await runLoadElsewhere({ port: command.port, path, bodies, connections: CONNECTIONS });
  clearInterval(timer);
  await command.post('/sunup/mine');
  const seconds = (performance.timeOrigin + performance.now() - result.startedAtMs) / 1000;
  if (!result.lastBody.includes('true')) throw new Error(`not accepted: ${result.lastBody}`);
  return seconds;
}

export async function expectAllMined(command: Command, expected: number): Promise<void> {
  const { block_header } = (await command.post('/wallet/getnowblock')) as {
    block_header: { raw_data: { number: number } };
  };
  let mined = 0;
  for (let num = 3; num <= block_header.raw_data.number; num++) {
    const { count } = await command.post('/wallet/gettransactioncountbyblocknum', { num });
    mined += Number(count);
  }
  if (mined !== expected) throw new Error(`${mined} of ${expected} transactions are in blocks`);
}
