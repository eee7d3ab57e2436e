/** What benches share: signed transfers in numbers, and a client that keeps connections busy from another process. */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { bytesToHex, type Hex } from '../../src/primitives/hex.js';
import type { Address, BlockId } from '../../src/primitives/ids.js';
import { addressFromPrivateKey } from '../../src/protocol/address.js';
import { refBlockBytesOf, refBlockHashOf } from '../../src/protocol/block.js';
import { packAny } from '../../src/protocol/contract-types.js';
import { TransferContract } from '../../src/protocol/messages/balance-contract.js';
import {
  Transaction_Contract,
  Transaction_Contract_ContractType,
  Transaction_raw,
} from '../../src/protocol/messages/tron.js';
import { sign } from '../../src/protocol/signature.js';
import { SignedTransaction } from '../../src/protocol/transaction.js';

export interface Reference {
  readonly blockId: BlockId;
  readonly timestampMs: number;
}

/** A transfer that no other equals: `nonce` goes into its timestamp. */
export function signedTransfer(privateKey: Hex, to: Address, reference: Reference, nonce: number): SignedTransaction {
  const contract = TransferContract.create({
    owner_address: addressFromPrivateKey(privateKey),
    to_address: to,
    amount: 1n,
  });
  const raw = Transaction_raw.create({
    ref_block_bytes: refBlockBytesOf(reference.blockId),
    ref_block_hash: refBlockHashOf(reference.blockId),
    expiration: BigInt(reference.timestampMs) + 80_000_000n,
    timestamp: BigInt(reference.timestampMs) + BigInt(nonce),
    contract: [
      Transaction_Contract.create({
        type: Transaction_Contract_ContractType.TransferContract,
        parameter: packAny(TransferContract, contract),
      }),
    ],
  });
  const unsigned = SignedTransaction.fromRaw(raw);
  return unsigned.withSignatures([sign(unsigned.txId, privateKey)]);
}

export function transactionHex(transaction: SignedTransaction): Hex {
  return bytesToHex(transaction.bytes);
}

export interface Load {
  readonly port: number;
  readonly path: string;
  readonly bodies: readonly string[];
  readonly connections: number;
}

export interface LoadResult {
  readonly seconds: number;
  readonly requests: number;
  /** Milliseconds. */
  readonly medianLatency: number;
  readonly p99Latency: number;
  readonly lastBody: string;
}

/** Sends each body once, over so many connections, one request at a time on each. */
export async function runLoad({ port, path, bodies, connections }: Load): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const latencies: number[] = [];
  let next = 0;
  let lastBody = '';
  const one = (body: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const from = performance.now();
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
      const sent = request({ host: '127.0.0.1', port, path, method: 'POST', agent, headers }, (received) => {
        received.setEncoding('utf8');
        let text = '';
        received.on('data', (part: string) => {
          text += part;
        });
        received.on('end', () => {
          latencies.push(performance.now() - from);
          lastBody = text;
          resolve();
        });
      });
      sent.on('error', reject);
      sent.end(body);
    });
  const started = performance.now();
  await Promise.all(
    Array.from({ length: connections }, async () => {
      for (let at = next++; at < bodies.length; at = next++) await one(bodies[at] as string);
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  agent.destroy();
  latencies.sort((a, b) => a - b);
  return {
    seconds,
    requests: bodies.length,
    medianLatency: latencies[Math.floor(latencies.length / 2)] ?? 0,
    p99Latency: latencies[Math.floor(latencies.length * 0.99)] ?? 0,
    lastBody,
  };
}

/** The same from a process of its own, so that the client does not take the server's core. */
export async function runLoadElsewhere(load: Load): Promise<LoadResult> {
  const child = fork(new URL('./load-process.ts', import.meta.url), { execArgv: ['--import', 'tsx'] });
  child.send(load);
  const [result] = (await once(child, 'message')) as [LoadResult];
  child.kill();
  return result;
}
