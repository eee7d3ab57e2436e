import { afterEach, expect, it } from 'vitest';
import type { Node } from '../../../src/node/node.js';
import type { Address } from '../../../src/primitives/ids.js';
import { TransferContract } from '../../../src/protocol/generated/balance-contract.js';
import { Transaction_Contract_ContractType as Type } from '../../../src/protocol/generated/tron.js';
import type { SignedTransaction } from '../../../src/protocol/transaction.js';
import { RecentStore } from '../../../src/scenario/recent-store.js';
import { headOf, openBenchNode } from '../../bench/bench-chain.js';
import { addressesOf, privateKeys, signed } from '../../bench/signed-transactions.js';

let node: Node | undefined;
afterEach(() => node?.close());

async function countOf(store: RecentStore, prefix: string): Promise<number> {
  let count = 0;
  for await (const _ of store.rows(prefix)) count++;
  return count;
}

it('holds no more after a long run than after a short one, and what may be sent again', async () => {
  const store = new RecentStore();
  const keys = privateKeys(2);
  const [from, to] = addressesOf(keys) as [Address, Address];
  node = await openBenchNode(store, keys, { history: false });
  const chain = node.chain;
  /** @param lifetimeMs how long it may be sent */
  const transfer = (amount: bigint, lifetimeMs = 60_000): SignedTransaction => {
    const contract = TransferContract.create({ owner_address: from, to_address: to, amount });
    const reference = headOf(node as Node);
    return signed(keys[0] as string, Type.TransferContract, contract, { reference, nonce: 0, lifetimeMs });
  };
  const lasting = transfer(1_000_000n, 600_000);
  chain.broadcast(lasting);
  const counts: { transactions: number; images: number }[] = [];
  for (let block = 1; block <= 120; block++) {
    for (const amount of [1n, 2n]) chain.broadcast(transfer(BigInt(block) * 10n + amount));
    node.mine(1);
    if (block % 30 === 0) {
      await chain.durable();
      counts.push({ transactions: await countOf(store, 'x1:'), images: await countOf(store, 'pre:') });
    }
  }
  expect(counts[0]?.transactions).toBeGreaterThan(30);
  expect(counts.at(-1)?.transactions).toBeLessThan(120);
  expect(counts.at(-1)?.transactions).toBe(counts.at(-2)?.transactions);
  expect(counts.map(({ images }) => images)).toEqual([0, 0, 0, 0]);
  // Ten minutes are not over: the first one is still known, and not taken twice.
  expect(() => chain.broadcast(lasting)).toThrow('dup trans');
});
