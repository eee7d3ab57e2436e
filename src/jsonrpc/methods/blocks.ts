/** Blocks, transactions and receipts (protocol/json-rpc.md#working-methods, #objects). */

import { JavaException, nullPointerException } from '../../errors/java-exception.js';
import type { Hex } from '../../primitives/hex.js';
import type { TxId } from '../../primitives/ids.js';
import { findBlockOutline } from '../../wallet/blocks.js';
import type { WalletContext } from '../../wallet/context.js';
import { txIdNamed } from '../../wallet/ethereum.js';
import { anything, text, truth } from '../arguments.js';
import { blockNamed, blockWithHash, stateHeight } from '../block-tags.js';
import type { Dialect } from '../dialect.js';
import { shownQueued } from '../ethereum/shown.js';
import { isMembers, type Json } from '../json-text.js';
import {
  shownBlock,
  shownPendingBlock,
  shownReceipt,
  shownReceipts,
  shownTransactionAt,
  shownTransactionById,
} from '../objects.js';
import { type Method, method, type RpcContext } from '../table.js';
import { quantity, readHash, readIndex, shownAddress } from '../values.js';

function block({ wallet, dialect }: RpcContext, number: number | undefined, full: boolean | null): object | null {
  if (full === null) throw nullPointerException();
  return number === undefined ? null : shownBlock(wallet, dialect, number, full);
}

/** An Ethereum node shows pending transactions as the next block. The solidified view has none. */
function meansPending({ wallet, dialect }: RpcContext, tag: string | null): boolean {
  return dialect.ethereum && !wallet.solid && tag?.toLowerCase() === 'pending';
}

function blockByNumber(context: RpcContext, number: string | null, full: boolean | null): object | null {
  const { wallet, dialect } = context;
  if (meansPending(context, number)) return shownPendingBlock(wallet, dialect, full === true);
  const found = blockNamed(wallet, dialect, number);
  // The flag is only required if there is a block.
  return found === undefined ? null : block(context, found, full);
}

function transactionCount(wallet: WalletContext, number: number | undefined): string | null {
  return number === undefined ? null : quantity(transactionsIn(wallet, number));
}

function transactionsIn(wallet: WalletContext, number: number): number {
  return findBlockOutline(wallet, number)?.transactionIds.length ?? 0;
}

function transactionAt(
  { wallet, dialect }: RpcContext,
  number: number | undefined,
  index: string | null,
): object | null {
  if (number === undefined) return null;
  const at = readIndex(index, dialect.forms);
  if (at < 0 && dialect.forms.strictValues) return null;
  if (at < 0) {
    throw new JavaException(
      'java.lang.IndexOutOfBoundsException',
      `Index ${at} out of bounds for length ${transactionsIn(wallet, number)}`,
    );
  }
  return shownTransactionAt(wallet, dialect, number, at);
}

/** Accepts a transaction's id, and the hash of Ethereum's tools. */
function txIdOf(wallet: WalletContext, { ethereum }: Dialect, hash: Hex): TxId {
  return ethereum ? txIdNamed(wallet, hash) : (hash as TxId);
}

function transactionNamed(wallet: WalletContext, dialect: Dialect, hash: Hex): object | null {
  const waiting = dialect.ethereum ? wallet.node.chain.pool.queued.get(hash) : undefined;
  if (waiting === undefined) return shownTransactionById(wallet, dialect, txIdOf(wallet, dialect, hash));
  return shownQueued(wallet, shownAddress(waiting.sender), hash, waiting.ethereum);
}

/** Receipts of a block by height, tag, or, in dialects that support it, by hash. */
function receiptsOf(wallet: WalletContext, dialect: Dialect, block: string | null): readonly (object | null)[] | null {
  const byHash = (dialect.lenient || dialect.forms.receiptsByHash) && block !== null && HASH.test(block);
  return receiptsIn(
    wallet,
    dialect,
    byHash ? blockWithHash(wallet, block, dialect.forms) : blockNamed(wallet, dialect, block),
  );
}

/** The same, but the block can also be an object (EIP-1898). */
function receiptsNamed(context: RpcContext, block: Json): readonly (object | null)[] | null {
  const { wallet, dialect } = context;
  if (!isMembers(block)) return receiptsOf(wallet, dialect, text(block));
  return receiptsIn(wallet, dialect, stateHeight(wallet, dialect.tags, block));
}

function receiptsIn(
  wallet: WalletContext,
  dialect: Dialect,
  number: number | undefined,
): readonly (object | null)[] | null {
  const outline = number === undefined ? undefined : findBlockOutline(wallet, number);
  if (outline === undefined) return null;
  // Transactions of the genesis block have no receipts.
  if (number === 0) return dialect.forms.receiptsByHash ? null : [];
  return shownReceipts(wallet, dialect, outline);
}

const HASH = /^(?:0x)?[\da-f]{64}$/i;

export const blockMethods: readonly Method[] = [
  method('eth_getBlockByHash', 'ethGetBlockByHash', [text, truth], (context, hash, full) =>
    block(context, blockWithHash(context.wallet, hash, context.dialect.forms), full),
  ),
  method('eth_getBlockByNumber', 'ethGetBlockByNumber', [text, truth], blockByNumber),
  method(
    'eth_getBlockTransactionCountByHash',
    'ethGetBlockTransactionCountByHash',
    [text],
    ({ wallet, dialect }, hash) => transactionCount(wallet, blockWithHash(wallet, hash, dialect.forms)),
  ),
  method('eth_getBlockTransactionCountByNumber', 'ethGetBlockTransactionCountByNumber', [text], (context, number) =>
    meansPending(context, number)
      ? quantity(context.wallet.node.chain.pool.size)
      : transactionCount(context.wallet, blockNamed(context.wallet, context.dialect, number)),
  ),
  method('eth_getTransactionByHash', 'getTransactionByHash', [text], ({ wallet, dialect }, hash) =>
    transactionNamed(wallet, dialect, readHash(hash, dialect.forms)),
  ),
  method(
    'eth_getTransactionByBlockHashAndIndex',
    'getTransactionByBlockHashAndIndex',
    [text, text],
    (context, hash, index) => transactionAt(context, blockWithHash(context.wallet, hash, context.dialect.forms), index),
  ),
  method(
    'eth_getTransactionByBlockNumberAndIndex',
    'getTransactionByBlockNumberAndIndex',
    [text, text],
    (context, number, index) => transactionAt(context, blockNamed(context.wallet, context.dialect, number), index),
  ),
  method('eth_getTransactionReceipt', 'getTransactionReceipt', [text], ({ wallet, dialect }, hash) =>
    shownReceipt(wallet, dialect, txIdOf(wallet, dialect, readHash(hash, dialect.forms))),
  ),
  {
    ...method('eth_getBlockReceipts', 'getBlockReceipts', [text], ({ wallet, dialect }, block) =>
      receiptsOf(wallet, dialect, block),
    ),
    ethereum: { parameters: [anything], answer: receiptsNamed },
    since: '4.8.1',
  },
];
