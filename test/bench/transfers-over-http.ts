/**
 * Signed transfers a second as a client sees them: sent over HTTP by another process, accepted, mined into blocks four
 * times a second and committed to LevelDB. The clock stops when the last is in a block that the store has accepted.
 * The reference is a bare fastify that reads the same bodies.
 */

import { bytesToHex, type Hex } from '../../src/primitives/hex.js';
import type { Address, Sun } from '../../src/primitives/ids.js';
import { encodeEthereumTransaction, ethereumDigest } from '../../src/protocol/ethereum-transaction.js';
import { printTransaction } from '../../src/protocol/json/transaction-json.js';
import { sign } from '../../src/protocol/signature.js';
import type { SignedTransaction } from '../../src/protocol/transaction.js';
import { TRANSFER_GAS } from '../../src/wallet/ethereum.js';
import type { Bench } from './bench.js';
import { runLoadElsewhere } from './load.js';
import { plainServer } from './plain-server.js';
import { inScratchDirectory } from './scratch.js';
import { type Reference, signedTransfer, transactionHex } from './signed-transactions.js';
import { type Command, startCommand } from './sunup-command.js';

const TRANSFERS = 20_000;
const WARM_UP = 5_000;
const CONNECTIONS = 8;
const ETHEREUM = '/eth';

export const bench: Bench = {
  about: 'signed transfers per second over HTTP, mined and committed to LevelDB',

  async *measure(progress) {
    for (const path of ['/wallet/broadcasthex', '/wallet/broadcasttransaction', ETHEREUM]) {
      const { value, reference } = await inScratchDirectory((directory) => measureOne(path, directory, progress));
      const name = path === ETHEREUM ? 'eth_sendRawTransaction' : path.slice('/wallet/'.length);
      yield {
        name: `${name}, ${CONNECTIONS} connections`,
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
  const gasPriceSun = path === ETHEREUM ? await gasPrice(command) : 0n;
  const bodies = Array.from({ length: WARM_UP + TRANSFERS }, (_, nonce) => {
    const from = command.accounts[nonce % command.accounts.length]!;
    const to = command.accounts[(nonce * 7 + 13) % command.accounts.length]!.addressHex;
    if (path === ETHEREUM) {
      const ofSender = BigInt(Math.floor(nonce / command.accounts.length));
      return ethereumBody({ privateKey: from.privateKey, to, nonce: ofSender, gasPriceSun });
    }
    return bodyOf(path, signedTransfer(from.privateKey, to, 1n, { reference, nonce }));
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

async function gasPrice(command: Command): Promise<Sun> {
  const { result } = await command.post(ETHEREUM, { jsonrpc: '2.0', id: 1, method: 'eth_gasPrice', params: [] });
  return BigInt(result as string);
}

interface EthereumTransfer {
  readonly privateKey: Hex;
  readonly to: Address;
  readonly nonce: bigint;
  readonly gasPriceSun: Sun;
}

/** Valid on every chain, as legacy transactions without a chain id are. */
function ethereumBody({ privateKey, to, nonce, gasPriceSun }: EthereumTransfer): string {
  const unsigned = {
    type: 0,
    chainId: undefined,
    nonce,
    gas: TRANSFER_GAS,
    gasPriceSun,
    priorityPriceSun: gasPriceSun,
    accessList: new Uint8Array([0xc0]),
    to,
    valueSun: 1n,
    data: '',
  } as const;
  const signature = sign(ethereumDigest(unsigned), privateKey);
  const raw = encodeEthereumTransaction({
    ...unsigned,
    r: BigInt(`0x${signature.slice(0, 64)}`),
    s: BigInt(`0x${signature.slice(64, 128)}`),
    yParity: Number(signature.slice(128)),
  });
  const params = [`0x${bytesToHex(raw)}`];
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_sendRawTransaction', params });
}

/** Seconds until all are in blocks. A block every quarter of a second holds what has come by then. */
export async function sendAndMine(command: Command, path: string, bodies: readonly string[]): Promise<number> {
  const timer = setInterval(() => void command.post('/sunup/mine'), 250);
  const result = await runLoadElsewhere({ port: command.port, path, bodies, connections: CONNECTIONS });
  clearInterval(timer);
  await command.post('/sunup/mine');
  const seconds = (performance.timeOrigin + performance.now() - result.startedAtMs) / 1000;
  if (!/"result":(true|"0x)/.test(result.lastBody)) throw new Error(`not accepted: ${result.lastBody}`);
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
