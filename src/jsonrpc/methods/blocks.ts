/** Blocks, transactions and receipts (json-rpc.md A.6.1, A.7). */

import { JavaException, nullPointerException } from '../../errors/java-exception.js';
import type { BlockId, TxId } from '../../primitives/ids.js';
import { getBlockNumberById, getBlockOutline, headNumber } from '../../wallet/blocks.js';
import type { WalletContext } from '../../wallet/context.js';
import { text, truth } from '../arguments.js';
import { blockHeight } from '../block-tags.js';
import { shownBlock, shownReceipt, shownTransactionAt, shownTransactionById } from '../objects.js';
import { type Method, method } from '../table.js';
import { quantity, readHash, readIndex } from '../values.js';

/** The number of the block that a parameter names, if it is on the chain. @throws JsonRpcError */
export function blockNamed(wallet: WalletContext, tagOrNumber: string | null): number | undefined {
  const height = blockHeight(wallet, tagOrNumber);
  return height >= 0n && height <= BigInt(headNumber(wallet)) ? Number(height) : undefined;
}

/** @throws JsonRpcError */
export function blockWithHash(wallet: WalletContext, hash: string | null): number | undefined {
  return getBlockNumberById(wallet, readHash(hash) as BlockId);
}

function block(wallet: WalletContext, number: number | undefined, full: boolean | null): object | null {
  if (full === null) throw nullPointerException();
  return number === undefined ? null : shownBlock(wallet, number, full);
}

function transactionCount(wallet: WalletContext, number: number | undefined): string | null {
  return number === undefined ? null : quantity(transactionsIn(wallet, number));
}

function transactionsIn(wallet: WalletContext, number: number): number {
  return getBlockOutline(wallet, number)?.transactionIds.length ?? 0;
}

function transactionAt(wallet: WalletContext, number: number | undefined, index: string | null): object | null {
  if (number === undefined) return null;
  const at = readIndex(index);
  if (at < 0) {
    throw new JavaException(
      'java.lang.IndexOutOfBoundsException',
      `Index ${at} out of bounds for length ${transactionsIn(wallet, number)}`,
    );
  }
  return shownTransactionAt(wallet, number, at);
}

export const blockMethods: readonly Method[] = [
  method('eth_getBlockByHash', 'ethGetBlockByHash', [text, truth], ({ wallet }, hash, full) =>
    block(wallet, blockWithHash(wallet, hash), full),
  ),
  method('eth_getBlockByNumber', 'ethGetBlockByNumber', [text, truth], ({ wallet }, number, full) => {
    const found = blockNamed(wallet, number);
    // Whether the flag is missing is found out only when there is a block to show.
    return found === undefined ? null : block(wallet, found, full);
  }),
  method('eth_getBlockTransactionCountByHash', 'ethGetBlockTransactionCountByHash', [text], ({ wallet }, hash) =>
    transactionCount(wallet, blockWithHash(wallet, hash)),
  ),
  method('eth_getBlockTransactionCountByNumber', 'ethGetBlockTransactionCountByNumber', [text], ({ wallet }, number) =>
    transactionCount(wallet, blockNamed(wallet, number)),
  ),
  method('eth_getTransactionByHash', 'getTransactionByHash', [text], ({ wallet }, hash) =>
    shownTransactionById(wallet, readHash(hash) as TxId),
  ),
  method(
    'eth_getTransactionByBlockHashAndIndex',
    'getTransactionByBlockHashAndIndex',
    [text, text],
    ({ wallet }, hash, index) => transactionAt(wallet, blockWithHash(wallet, hash), index),
  ),
  method(
    'eth_getTransactionByBlockNumberAndIndex',
    'getTransactionByBlockNumberAndIndex',
    [text, text],
    ({ wallet }, number, index) => transactionAt(wallet, blockNamed(wallet, number), index),
  ),
  method('eth_getTransactionReceipt', 'getTransactionReceipt', [text], ({ wallet }, hash) =>
    shownReceipt(wallet, readHash(hash) as TxId),
  ),
];
