/** Blocks, transactions and receipts (protocol/json-rpc.md#working-methods, #objects). */

import { JavaException, nullPointerException } from '../../errors/java-exception.js';
import type { TxId } from '../../primitives/ids.js';
import { findBlockOutline } from '../../wallet/blocks.js';
import type { WalletContext } from '../../wallet/context.js';
import { text, truth } from '../arguments.js';
import { blockNamed, blockWithHash } from '../block-tags.js';
import type { Voice } from '../dialect.js';
import { shownBlock, shownReceipt, shownTransactionAt, shownTransactionById } from '../objects.js';
import { type Method, method, type RpcContext } from '../table.js';
import { quantity, readHash, readIndex } from '../values.js';

function block({ wallet, voice }: RpcContext, number: number | undefined, full: boolean | null): object | null {
  if (full === null) throw nullPointerException();
  return number === undefined ? null : shownBlock(wallet, voice, number, full);
}

function transactionCount(wallet: WalletContext, number: number | undefined): string | null {
  return number === undefined ? null : quantity(transactionsIn(wallet, number));
}

function transactionsIn(wallet: WalletContext, number: number): number {
  return findBlockOutline(wallet, number)?.transactionIds.length ?? 0;
}

function transactionAt({ wallet, voice }: RpcContext, number: number | undefined, index: string | null): object | null {
  if (number === undefined) return null;
  const at = readIndex(index, voice.forms);
  if (at < 0 && voice.forms.strictValues) return null;
  if (at < 0) {
    throw new JavaException(
      'java.lang.IndexOutOfBoundsException',
      `Index ${at} out of bounds for length ${transactionsIn(wallet, number)}`,
    );
  }
  return shownTransactionAt(wallet, voice, number, at);
}

/** Of a block by its height, a tag or, where the node knows them for this, its hash. */
function receiptsOf(wallet: WalletContext, voice: Voice, block: string | null): readonly (object | null)[] | null {
  const byHash = (voice.lenient || voice.forms.receiptsByHash) && block !== null && HASH.test(block);
  const number = byHash ? blockWithHash(wallet, block, voice.forms) : blockNamed(wallet, voice, block);
  const outline = number === undefined ? undefined : findBlockOutline(wallet, number);
  if (outline === undefined) return null;
  // Its transactions have no receipts.
  if (number === 0) return voice.forms.receiptsByHash ? null : [];
  return outline.transactionIds.map((txId) => shownReceipt(wallet, voice, txId));
}

const HASH = /^(?:0x)?[\da-f]{64}$/i;

export const blockMethods: readonly Method[] = [
  method('eth_getBlockByHash', 'ethGetBlockByHash', [text, truth], (context, hash, full) =>
    block(context, blockWithHash(context.wallet, hash, context.voice.forms), full),
  ),
  method('eth_getBlockByNumber', 'ethGetBlockByNumber', [text, truth], (context, number, full) => {
    const found = blockNamed(context.wallet, context.voice, number);
    // Whether the flag is missing is found out only when there is a block to show.
    return found === undefined ? null : block(context, found, full);
  }),
  method('eth_getBlockTransactionCountByHash', 'ethGetBlockTransactionCountByHash', [text], ({ wallet, voice }, hash) =>
    transactionCount(wallet, blockWithHash(wallet, hash, voice.forms)),
  ),
  method(
    'eth_getBlockTransactionCountByNumber',
    'ethGetBlockTransactionCountByNumber',
    [text],
    ({ wallet, voice }, number) => transactionCount(wallet, blockNamed(wallet, voice, number)),
  ),
  method('eth_getTransactionByHash', 'getTransactionByHash', [text], ({ wallet, voice }, hash) =>
    shownTransactionById(wallet, voice, readHash(hash, voice.forms) as TxId),
  ),
  method(
    'eth_getTransactionByBlockHashAndIndex',
    'getTransactionByBlockHashAndIndex',
    [text, text],
    (context, hash, index) => transactionAt(context, blockWithHash(context.wallet, hash, context.voice.forms), index),
  ),
  method(
    'eth_getTransactionByBlockNumberAndIndex',
    'getTransactionByBlockNumberAndIndex',
    [text, text],
    (context, number, index) => transactionAt(context, blockNamed(context.wallet, context.voice, number), index),
  ),
  method('eth_getTransactionReceipt', 'getTransactionReceipt', [text], ({ wallet, voice }, hash) =>
    shownReceipt(wallet, voice, readHash(hash, voice.forms) as TxId),
  ),
  {
    ...method('eth_getBlockReceipts', 'getBlockReceipts', [text], ({ wallet, voice }, block) =>
      receiptsOf(wallet, voice, block),
    ),
    since: '4.8.1',
  },
];
