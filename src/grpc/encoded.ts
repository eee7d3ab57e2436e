/**
 * Replies that hold transactions of the chain, made of the stored bytes: what a client put into a transaction and the
 * protocol does not know comes back to it, and the ids are of what is there. A message would have neither.
 */

import { blockIdOfHeader, encodeBlock } from '../protocol/block.js';
import { BlockExtention, Return, TransactionExtention } from '../protocol/generated/api.js';
import { BlockHeader, BlockHeader_raw } from '../protocol/generated/tron.js';
import type { SignedTransaction } from '../protocol/transaction.js';
import { WireWriter } from '../protocol/wire-writer.js';
import type { StoredBlockList } from '../wallet/blocks.js';

/** A block whose transactions have their bytes. */
type StoredBlock = StoredBlockList['block'][number];

/** A message as it goes over the wire. */
export class Encoded {
  constructor(readonly bytes: Uint8Array) {}
}

export const SUCCESS = Return.create({ result: true });

/** Tag of a message in field 1, which is where these messages have their transactions, or blocks. */
const TAG_FIRST = 10;

/** `parts` as the repeated field 1, and behind them a message that has no field 1 itself. */
function withFirstField(parts: readonly Uint8Array[], rest: Uint8Array): Uint8Array {
  const writer = new WireWriter();
  writer.raw(rest);
  for (const part of [...parts].reverse()) {
    const before = writer.size;
    writer.raw(part);
    writer.frame(TAG_FIRST, before);
  }
  return writer.toBytes();
}

function extentionBytes({ bytes, txId }: SignedTransaction): Uint8Array {
  return withFirstField(
    [bytes],
    TransactionExtention.encode(TransactionExtention.create({ txid: txId, result: SUCCESS })),
  );
}

function blockBytes({ transactions, block_header }: StoredBlock): Uint8Array {
  const header = BlockHeader.encode(block_header ?? BlockHeader.empty);
  return encodeBlock(
    transactions.map(({ bytes }) => bytes),
    header,
  );
}

function blockExtentionBytes({ transactions, block_header }: StoredBlock): Uint8Array {
  const blockid = blockIdOfHeader(block_header?.raw_data ?? BlockHeader_raw.empty);
  return withFirstField(
    transactions.map(extentionBytes),
    BlockExtention.encode(BlockExtention.create({ block_header, blockid })),
  );
}

const NOTHING = new Uint8Array(0);

/** `Transaction` */
export function encodedTransaction({ bytes }: SignedTransaction): Encoded {
  return new Encoded(bytes);
}

/** `Block` */
export function encodedBlock(block: StoredBlock): Encoded {
  return new Encoded(blockBytes(block));
}

/** `BlockExtention` */
export function encodedBlockExtention(block: StoredBlock): Encoded {
  return new Encoded(blockExtentionBytes(block));
}

/** `BlockList` */
export function encodedBlockList({ block }: StoredBlockList): Encoded {
  return new Encoded(withFirstField(block.map(blockBytes), NOTHING));
}

/** `BlockListExtention` */
export function encodedBlockListExtention({ block }: StoredBlockList): Encoded {
  return new Encoded(withFirstField(block.map(blockExtentionBytes), NOTHING));
}
