/**
 * Makes blocks full of transfers and sends them to the parent. In a process of its own, because making them leaves every
 * signer in the cache of recovered signatures, and importing them is to pay for that.
 */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { blockBytesAt } from '../../src/ledger/blocks/blocks.js';
import { bytesToHex, type Hex } from '../../src/primitives/hex.js';
import type { Address } from '../../src/primitives/ids.js';
import { TransactionInfo } from '../../src/protocol/generated/tron.js';
import type { SignedTransaction } from '../../src/protocol/transaction.js';
import { MemoryStore } from '../../src/state/memory-store.js';
import { headOf, openBenchNode } from './bench-chain.js';
import { addressesOf, privateKeys, signedTransfer } from './signed-transactions.js';
import { signedDeployment, signedTokenTransfer } from './token.js';

export const ACCOUNTS = 1_000;

export interface Wanted {
  readonly of: 'coin' | 'token';
  readonly blocks: number;
  readonly transactionsPerBlock: number;
}

export interface TransferBlocks {
  /** What has to come before: for a token its deployment, and every account made a holder. From block 3 on. */
  readonly before: readonly Hex[];
  readonly blocks: readonly Hex[];
}

export async function transferBlocks(wanted: Wanted): Promise<TransferBlocks> {
  const child = fork(fileURLToPath(new URL('./transfer-blocks.js', import.meta.url)), ['make'], { execArgv: [] });
  child.send(wanted);
  const [blocks] = (await once(child, 'message')) as [TransferBlocks];
  child.kill();
  return blocks;
}

async function make({ of, blocks, transactionsPerBlock }: Wanted): Promise<TransferBlocks> {
  const keys = privateKeys(ACCOUNTS);
  const addresses = addressesOf(keys);
  const node = await openBenchNode(new MemoryStore(), keys);
  const reference = headOf(node);
  let nonce = 0;
  const next = () => ({ reference, nonce: nonce++ });
  const block = (transactions: readonly SignedTransaction[]): Hex => {
    for (const transaction of transactions) node.broadcast(transaction);
    node.mine(1);
    return bytesToHex(blockBytesAt(node.chain.ledger, node.chain.headNumber) as Uint8Array);
  };
  const before: Hex[] = [];
  let token = '' as Address;
  if (of === 'token') {
    const deployment = signedDeployment(keys[0] as Hex, next());
    before.push(block([deployment]));
    const info = node.chain.ledger.state.tables.transactions.get(deployment.txId)?.info as Uint8Array;
    token = TransactionInfo.decode(info).contract_address as Address;
    const gifts = addresses.slice(1).map((to) => signedTokenTransfer(keys[0] as Hex, token, to, 1_000_000, next()));
    before.push(block(gifts));
  }
  const made: Hex[] = [];
  for (let number = 0; number < blocks; number++) {
    const transactions: SignedTransaction[] = [];
    for (let index = 0; index < transactionsPerBlock; index++) {
      const from = keys[nonce % ACCOUNTS] as Hex;
      const to = addresses[(nonce * 7 + 13) % ACCOUNTS] as Address;
      transactions.push(
        of === 'coin' ? signedTransfer(from, to, 1n, next()) : signedTokenTransfer(from, token, to, 1, next()),
      );
    }
    made.push(block(transactions));
  }
  return { before, blocks: made };
}

if (process.argv[2] === 'make') {
  process.once('message', async (wanted: Wanted) => process.send?.(await make(wanted)));
}
