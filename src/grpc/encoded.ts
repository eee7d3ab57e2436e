/**
 * Replies with transactions of the chain, built from their stored bytes: they keep fields that the protocol does not
 * know, and the ids match. A decoded message would lose both.
 */

import { blockIdOfHeader, encodeBlock } from '../protocol/block.js';
import { BlockExtention, Return, TransactionExtention } from '../protocol/generated/api.js';
import { BlockHeader, BlockHeader_raw } from '../protocol/generated/tron.js';
import type { SignedTransaction } from '../protocol/transaction.js';
import { WireWriter } from '../protocol/wire-writer.js';
import type { StoredBlockList } from '../wallet/blocks.js';

/** A block with the original bytes of its transactions. */
type StoredBlock = StoredBlockList['block'][number];

/** A message in wire format. */
export class Encoded {
  constructor(readonly bytes: Uint8Array) {}
}

export const SUCCESS = Return.create({ result: true });

/** Tag of a message in field 1: the transactions or blocks of these messages. */
const TAG_FIRST = 10;

/** `parts` as the repeated field 1, followed by a message without field 1. */
function withRepeatedField(parts: readonly Uint8Array[], rest: Uint8Array): Uint8Array {
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
  return withRepeatedField(
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
  return withRepeatedField(
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
  return new Encoded(withRepeatedField(block.map(blockBytes), NOTHING));
}

/** `BlockListExtention` */
export function encodedBlockListExtention({ block }: StoredBlockList): Encoded {
  return new Encoded(withRepeatedField(block.map(blockExtentionBytes), NOTHING));
}
