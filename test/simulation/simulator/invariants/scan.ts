/** All blocks of a chain with their transactions, read one after another from their rows: what indexes are compared with. */

import { emptyRunEnd } from '../../../../src/ledger/blocks/empty-blocks.js';
import type { Ledger } from '../../../../src/ledger/ledger.js';
import type { BlockId, TxId } from '../../../../src/primitives/ids.js';
import { TransactionInfo, type TransactionInfo_Log } from '../../../../src/protocol/generated/tron.js';
import { SignedTransaction } from '../../../../src/protocol/transaction.js';
import { numberKey } from '../../../../src/state/tables.js';

export interface ScannedTransaction {
  readonly block: number;
  readonly blockId: BlockId;
  readonly index: number;
  readonly txId: TxId;
  readonly transaction: SignedTransaction;
  readonly info: TransactionInfo;
}

export interface ScannedLog extends TransactionInfo_Log {
  readonly of: ScannedTransaction;
  /** In its block, and in its transaction. */
  readonly logIndex: number;
  readonly entry: number;
}

/** Transactions of blocks `from` … `to`, in order. */
export function* transactionsIn(ledger: Ledger, from = 1, to = ledger.headNumber): Iterable<ScannedTransaction> {
  const { blocks, transactions } = ledger.state.tables;
  for (let block = Math.max(from, ledger.config.beginsAt + 1); block <= to; block++) {
    const row = blocks.get(numberKey(block));
    if (row === undefined) {
      block = emptyRunEnd(ledger, block);
      continue;
    }
    for (const [index, txId] of row.transactionIds.entries()) {
      const stored = transactions.get(txId);
      if (stored === undefined) throw new Error(`transaction ${txId} of block ${block} has no row`);
      const transaction = SignedTransaction.decode(stored.transaction);
      yield { block, blockId: row.id, index, txId, transaction, info: TransactionInfo.decode(stored.info) };
    }
  }
}

export function* logsIn(ledger: Ledger, from = 1, to = ledger.headNumber): Iterable<ScannedLog> {
  let block = -1;
  let logIndex = 0;
  for (const of of transactionsIn(ledger, from, to)) {
    if (of.block !== block) logIndex = 0;
    block = of.block;
    for (const [entry, log] of of.info.log.entries()) yield { ...log, of, entry, logIndex: logIndex++ };
  }
}
