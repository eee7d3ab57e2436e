/** Rebuilds blocks and transactions from their rows. */

import type { Address, TxId } from '../../primitives/ids.js';
import { encodeBlock } from '../../protocol/block.js';
import { type Block, BlockHeader } from '../../protocol/generated/tron.js';
import { SignedTransaction } from '../../protocol/transaction.js';
import { numberKey, type StoredTransaction } from '../../state/tables.js';
import type { Ledger } from '../ledger.js';
import { emptyBlockHeader, emptyBlockProducer, emptyBlockTimeMs } from './empty-blocks.js';

/** Header and transaction ids of a block of the chain. */
export function blockOutline(
  ledger: Ledger,
  number: number,
): { readonly header: BlockHeader; readonly transactionIds: readonly TxId[] } | undefined {
  if (number < 0 || number > ledger.headNumber) return undefined;
  const stored = ledger.state.tables.blocks.get(numberKey(number));
  if (stored !== undefined) {
    return { header: stored.header, transactionIds: stored.transactionIds };
  }
  const header = emptyBlockHeader(ledger, number);
  return header === undefined ? undefined : { header, transactionIds: [] };
}

/** Milliseconds since 1970; undefined if there is no such block. */
export function blockTimeMs(ledger: Ledger, number: number): number | undefined {
  if (number < 0 || number > ledger.headNumber) return undefined;
  const stored = ledger.state.tables.blocks.get(numberKey(number));
  const timestamp = stored === undefined ? emptyBlockTimeMs(ledger, number) : stored.header.raw_data?.timestamp;
  return timestamp === undefined ? undefined : Number(timestamp);
}

/**
 * The witness of a block; undefined if there is no such block. Header and signature of an empty block are not made: a chain
 * that is only read cannot sign.
 */
export function blockProducer(ledger: Ledger, number: number): Address | undefined {
  if (number < 0 || number > ledger.headNumber) return undefined;
  const stored = ledger.state.tables.blocks.get(numberKey(number));
  if (stored === undefined) return emptyBlockProducer(ledger, number);
  return stored.header.raw_data?.witness_address as Address | undefined;
}

/** `protocol.Block` with the original bytes of its transactions, including unknown fields, and so with their ids. */
export interface StoredBlock extends Block {
  readonly transactions: readonly SignedTransaction[];
}

export function blockAt(ledger: Ledger, number: number): StoredBlock | undefined {
  const outline = blockOutline(ledger, number);
  if (outline === undefined) return undefined;
  const transactions = outline.transactionIds.map((txId) =>
    SignedTransaction.decode(storedTransaction(ledger, txId).transaction),
  );
  return { block_header: outline.header, transactions };
}

/** The bytes of a block, including unknown fields of its transactions. */
export function blockBytesAt(ledger: Ledger, number: number): Uint8Array | undefined {
  const outline = blockOutline(ledger, number);
  if (outline === undefined) return undefined;
  const transactions = outline.transactionIds.map((txId) => storedTransaction(ledger, txId).transaction);
  return encodeBlock(transactions, BlockHeader.encode(outline.header));
}

function storedTransaction(ledger: Ledger, txId: TxId): StoredTransaction {
  const stored = ledger.state.tables.transactions.get(txId);
  if (stored === undefined) throw new Error(`transaction ${txId} of a block is not in the store`);
  return stored;
}
