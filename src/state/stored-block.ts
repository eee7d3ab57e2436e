/** The row of a block: its transactions are stored by id. */

import { hexToBytes } from '../primitives/hex.js';
import type { BlockId, TxId } from '../primitives/ids.js';
import { BlockHeader } from '../protocol/generated/tron.js';

export interface StoredBlock {
  readonly id: BlockId;
  readonly header: BlockHeader;
  readonly transactionIds: readonly TxId[];
  /** Of its logs: `ledger/history/log-index.ts`. Empty without logs. */
  readonly logIndex: Uint8Array;
}

export const storedBlock = {
  encode({ id, header, transactionIds, logIndex }: StoredBlock): Uint8Array {
    const headerBytes = BlockHeader.encode(header);
    const lengths = [headerBytes.length >> 8, headerBytes.length & 255, logIndex.length >> 8, logIndex.length & 255];
    return Buffer.concat([
      hexToBytes(id),
      Buffer.from(lengths),
      headerBytes,
      logIndex,
      hexToBytes(transactionIds.join('')),
    ]);
  },
  decode: (bytes: Uint8Array): StoredBlock => new ReadBlock(bytes),
};

const ID_BYTES = 32;

/**
 * Its header and ids are decoded lazily: contracts read the id up to 256 blocks back, and a search for logs reads the
 * indexes of thousands of blocks.
 */
class ReadBlock implements StoredBlock {
  readonly id: BlockId;
  readonly logIndex: Uint8Array;
  readonly #headerBytes: Uint8Array;
  readonly #idBytes: Buffer;
  #header: BlockHeader | undefined;
  #transactionIds: readonly TxId[] | undefined;

  constructor(bytes: Uint8Array) {
    const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const filterAt = 36 + view.readUInt16BE(32);
    const idsAt = filterAt + view.readUInt16BE(34);
    this.id = view.toString('hex', 0, ID_BYTES) as BlockId;
    this.#headerBytes = view.subarray(36, filterAt);
    this.logIndex = view.subarray(filterAt, idsAt);
    this.#idBytes = view.subarray(idsAt);
  }

  get transactionCount(): number {
    return this.#idBytes.length / ID_BYTES;
  }

  get transactionIds(): readonly TxId[] {
    this.#transactionIds ??= idsIn(this.#idBytes);
    return this.#transactionIds;
  }

  get header(): BlockHeader {
    this.#header ??= BlockHeader.decode(this.#headerBytes);
    return this.#header;
  }
}

/** Each is a text of its own: a part of one text for all ids would keep it in memory, wherever an id is kept. */
function idsIn(bytes: Buffer): readonly TxId[] {
  return Array.from(
    { length: bytes.length / ID_BYTES },
    (_, i) => bytes.toString('hex', i * ID_BYTES, (i + 1) * ID_BYTES) as TxId,
  );
}

/** As how many rows it counts in memory. Each id is a text of 64 characters: 20,000 blocks of 500 would take 1 GB. */
export function blockWeight(block: StoredBlock): number {
  const count = block instanceof ReadBlock ? block.transactionCount : block.transactionIds.length;
  return 1 + count / 16;
}
