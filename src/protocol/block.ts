/**
 * Blocks on the wire, their ids and their signatures (protocol/blocks.md#structure). Mirrors the data half of
 * BlockCapsule.
 */

import type { Hex } from '../primitives/hex.js';
import type { BlockId } from '../primitives/ids.js';
import { BlockHeader, BlockHeader_raw } from './generated/tron.js';
import { sha256 } from './hashes.js';
import { SignedTransaction } from './transaction.js';
import { WireReader } from './wire-reader.js';
import { framed } from './wire-writer.js';

const TAG_TRANSACTIONS = 10;
const TAG_BLOCK_HEADER = 18;

export interface DecodedBlock {
  readonly header: BlockHeader;
  readonly transactions: readonly SignedTransaction[];
}

/** sha256 of the encoded header: signed by the witness, and, except for the number, the id. */
export function blockHash(raw: BlockHeader_raw): Hex {
  return sha256(BlockHeader_raw.encode(raw));
}

/** Eight bytes of number, then bytes 8..31 of the header's hash. */
export function blockIdOf(number: number | bigint, hash: Hex): BlockId {
  return (number.toString(16).padStart(16, '0') + hash.slice(16)) as BlockId;
}

/** The id of the block with this header. */
export function blockIdOfHeader(raw: BlockHeader_raw): BlockId {
  return blockIdOf(raw.number, blockHash(raw));
}

/** The number in a block id; exact up to 2⁵³. */
export function blockNumberOf(id: BlockId): number {
  return Number.parseInt(id.slice(0, 16), 16);
}

/** The value of `ref_block_bytes` for a block: bytes 6 and 7 of its number. */
export function refBlockBytesOf(id: BlockId): Hex {
  return id.slice(12, 16);
}

/** The value of `ref_block_hash` for a block: bytes 8..15 of its id. */
export function refBlockHashOf(id: BlockId): Hex {
  return id.slice(16, 32);
}

/**
 * Decodes a block.
 *
 * @throws JavaException InvalidProtocolBufferException if it is not a block
 */
export function decodeBlock(bytes: Uint8Array): DecodedBlock {
  const reader = new WireReader(bytes);
  const transactions: SignedTransaction[] = [];
  let header: BlockHeader = BlockHeader.empty;
  while (reader.pos < reader.end) {
    const tag = reader.tag();
    if (tag === TAG_TRANSACTIONS) transactions.push(SignedTransaction.decode(reader.bytes()));
    else if (tag === TAG_BLOCK_HEADER) {
      const outer = reader.enter();
      header = BlockHeader.read(reader, header);
      reader.leave(outer);
    } else reader.skip(tag);
  }
  return { header, transactions };
}

/** Bytes of a block, from its encoded transactions and its encoded header. */
export function encodeBlock(transactions: readonly Uint8Array[], header: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  for (const transaction of transactions) parts.push(framed(TAG_TRANSACTIONS, transaction.length), transaction);
  parts.push(framed(TAG_BLOCK_HEADER, header.length), header);
  return Buffer.concat(parts);
}
