/**
 * Many transactions at once, whose signers are recovered on threads: each is accepted or refused as if sent alone. Uses
 * the built library, because the threads run a file of the bundle.
 */

import { availableParallelism } from 'node:os';
import { beforeAll, expect, test } from 'vitest';
import { buildIfStale } from '../../scripts/build.mjs';
import type { createDevnet as CreateDevnet } from '../../src/index.js';
import { bytesToHex } from '../../src/primitives/hex.js';
import type { BlockId } from '../../src/primitives/ids.js';
import { Return } from '../../src/protocol/generated/api.js';
import type { SignedTransaction } from '../../src/protocol/transaction.js';
import { signedTransfer } from '../bench/signed-transactions.js';
import { callBytes, ServiceClient } from '../wire/grpc-client.js';

const ACCEPTED = 1_200;
/** Enough to start the threads. */
const AT_ONCE = 40;

beforeAll(async () => {
  await buildIfStale();
});

test.each([
  ['HTTP', 1n],
  ['gRPC', 2n],
] as const)('every signature counts for what it is, over %s', async (surface, amount) => {
  const { createDevnet } = (await import('../../dist/index.js' as string)) as { createDevnet: typeof CreateDevnet };
  let threads = 0;
  const counted = () => threads++;
  process.on('worker', counted);
  await using devnet = await createDevnet({ mining: 'manual', poolSize: 10_000, grpcPort: 0 });
  const post = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const response = await fetch(`${devnet.http.url}${path}`, { method: 'POST', body: JSON.stringify(body) });
    return (await response.json()) as Record<string, unknown>;
  };
  const wallet = new ServiceClient('Wallet', devnet.grpc!.url);
  /** Whether it was accepted. Only signatures can be refused here. */
  const broadcast = async ({ bytes }: SignedTransaction): Promise<boolean> => {
    const { result, code } =
      surface === 'HTTP'
        ? await post('/wallet/broadcasthex', { transaction: bytesToHex(bytes) })
        : Return.decode(await callBytes(wallet.client, '/protocol.Wallet/BroadcastTransaction', bytes));
    expect(code).toBeOneOf(result ? ['SUCCESS', 0] : ['SIGERROR', 1]);
    return result === true;
  };
  const { id, timestampMs } = await devnet.mine(1);
  const reference = { blockId: id as BlockId, timestampMs };
  const [from, to] = devnet.accounts as [(typeof devnet.accounts)[0], (typeof devnet.accounts)[0]];
  // With other amounts, because the process caches recovered signers.
  const transfers = Array.from({ length: ACCEPTED }, (_, nonce) =>
    signedTransfer(from.privateKey, to.addressHex, amount, { reference, nonce }),
  );
  const broadcasts = transfers.map((transfer) => ({ transfer, ok: true }));
  // For each hundredth also one with a foreign signature, and one with an unrecoverable signature.
  for (let at = 0; at < ACCEPTED; at += 100) {
    const transfer = transfers[at] as SignedTransaction;
    const others = (transfers[at + 1] as SignedTransaction).signatures;
    broadcasts.splice(at * 2, 0, { transfer: transfer.withSignatures(others), ok: false });
    const garbage = [`${'00'.repeat(64)}1b`];
    broadcasts.splice(at * 2, 0, { transfer: transfer.withSignatures(garbage), ok: false });
  }

  for (let at = 0; at < broadcasts.length; at += AT_ONCE) {
    const together = broadcasts.slice(at, at + AT_ONCE);
    const accepted = await Promise.all(together.map(({ transfer }) => broadcast(transfer)));
    expect(accepted).toEqual(together.map(({ ok }) => ok));
  }
  wallet.close();

  process.off('worker', counted);
  expect(threads).toBe(Math.min(availableParallelism() - 1, 3));

  const { number } = await devnet.mine(1);
  const block = (await post('/wallet/getblockbynum', { num: number })) as { transactions: { txID: string }[] };
  expect(new Set(block.transactions.map(({ txID }) => txID))).toEqual(new Set(transfers.map(({ txId }) => txId)));
  expect(block.transactions).toHaveLength(ACCEPTED);
});
