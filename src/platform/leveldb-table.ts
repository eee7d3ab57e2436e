/**
 * Verifies tables of LevelDB: every block has a CRC-32C, which LevelDB's Node binding cannot check. A whole table, or only
 * the blocks that a read of some rows depends on.
 */

import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { crc32c } from '../primitives/crc32c.js';
import { Cursor, Damage, unmasked } from './leveldb-format.js';

/** 1 MB, which takes a millisecond. */
const BLOCKS_A_PART = 250;

/**
 * The damage of a table's bytes; undefined: none.
 *
 * @param size what it should be, where that is known
 */
export function damageOfTable(bytes: Buffer, size = bytes.length): string | undefined {
  const parts = damageInParts(bytes, size);
  for (;;) {
    const { done, value } = parts.next();
    if (done) return value;
  }
}

/** The same, for a caller that does other work between two parts. */
export function* damageInParts(bytes: Buffer, size: number): Generator<void, string | undefined> {
  try {
    requireSize(bytes.length, size);
    const section: Section = (at, length) => bytes.subarray(at, at + length);
    const table = Table.open(section, size);
    for (let entry = 0; entry < table.blocks; entry++) {
      table.verifyBlock(section, entry);
      if ((entry + 1) % BLOCKS_A_PART === 0) yield;
    }
    return undefined;
  } catch (error) {
    return damageIn(error);
  }
}

/** A table in a file, of which parts are verified. */
export class TableInFile {
  #table: Table | undefined;

  constructor(
    private readonly file: string,
    private readonly size: number,
  ) {}

  /**
   * The damage that a read of the rows between two keys could meet. Keys are text with one character for each byte.
   *
   * @param to undefined: to the last row
   */
  damageBetween(from: string, to: string | undefined): string | undefined {
    const descriptor = openSync(this.file, 'r');
    try {
      const section: Section = (at, length) => {
        const bytes = Buffer.allocUnsafe(length);
        return bytes.subarray(0, readSync(descriptor, bytes, 0, length, at));
      };
      requireSize(fstatSync(descriptor).size, this.size);
      this.#table ??= Table.open(section, this.size);
      this.#table.verifyBetween(section, from, to);
      return undefined;
    } catch (error) {
      return damageIn(error);
    } finally {
      closeSync(descriptor);
    }
  }
}

function damageIn(error: unknown): string {
  if (error instanceof Damage) return error.message;
  throw error;
}

function requireSize(length: number, size: number): void {
  if (length !== size) throw new Damage(`has ${length} bytes, not ${size}`);
}

/** Reads a part of a table. */
type Section = (at: number, length: number) => Buffer;

interface BlockHandle {
  readonly at: number;
  readonly length: number;
}

const FOOTER_BYTES = 48;
const BLOCK_TRAILER_BYTES = 5;
const MAGIC = Buffer.from('57fb808b247547db', 'hex');

class Table {
  /** The block that was verified last: neighbours in order are mostly in the same one. */
  #lastAt = -1;

  private constructor(
    private readonly size: number,
    private readonly index: IndexBlock,
  ) {}

  /** Verifies everything but the blocks of rows. @throws Damage */
  static open(section: Section, size: number): Table {
    const footerBytes = size < FOOTER_BYTES ? Buffer.alloc(0) : section(size - FOOTER_BYTES, FOOTER_BYTES);
    if (!footerBytes.subarray(-MAGIC.length).equals(MAGIC)) throw new Damage('does not end with the footer of a table');
    const footer = new Cursor(footerBytes);
    const [meta, index] = [handleIn(footer), handleIn(footer)];
    for (const handle of handlesIn(verifiedBlock(section, size, meta))) verifiedBlock(section, size, handle);
    return new Table(size, new IndexBlock(contentOf(verifiedBlock(section, size, index))));
  }

  get blocks(): number {
    return this.index.length;
  }

  verifyBlock(section: Section, entry: number): void {
    const handle = this.index.handle(entry);
    if (handle.at !== this.#lastAt) verifiedBlock(section, this.size, handle);
    this.#lastAt = handle.at;
  }

  verifyBetween(section: Section, from: string, to: string | undefined): void {
    for (let entry = this.index.firstEndingAtOrAfter(from); entry < this.index.length; entry++) {
      this.verifyBlock(section, entry);
      // A key may have entries in two blocks: with the same last key, the next block counts, too.
      if (to !== undefined && this.index.lastKey(entry) > to) return;
    }
  }
}

/** Sequence number and kind of an entry, after the key in LevelDB's internal keys. */
export const KEY_TRAILER_BYTES = 8;

/**
 * The blocks of rows in order, each with a key that is not below its own keys, and below those of the next. Every entry is
 * a restart point, so it is found by its number.
 */
class IndexBlock {
  readonly length: number;
  readonly #restartsAt: number;

  constructor(private readonly content: Buffer) {
    this.length = content.readUInt32LE(content.length - 4);
    this.#restartsAt = content.length - 4 - 4 * this.length;
  }

  handle(entry: number): BlockHandle {
    return handleIn(this.#entry(entry).value);
  }

  lastKey(entry: number): string {
    const { key } = this.#entry(entry);
    return key.toString('latin1', 0, key.length - KEY_TRAILER_BYTES);
  }

  firstEndingAtOrAfter(key: string): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.lastKey(middle) < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #entry(entry: number): { readonly key: Buffer; readonly value: Cursor } {
    const cursor = new Cursor(this.content, this.content.readUInt32LE(this.#restartsAt + 4 * entry));
    if (cursor.number() !== 0) throw new Damage('has an index without restart points');
    const [keyBytes, valueBytes] = [cursor.number(), cursor.number()];
    return { key: cursor.slice(keyBytes), value: new Cursor(cursor.slice(valueBytes)) };
  }
}

function handleIn(cursor: Cursor): BlockHandle {
  return { at: cursor.number(), length: cursor.number() };
}

/** A block with its trailer: compression type and checksum. @throws Damage */
function verifiedBlock(section: Section, size: number, { at, length }: BlockHandle): Buffer {
  const end = at + length + BLOCK_TRAILER_BYTES;
  if (end > size) throw new Damage(`has no block at ${at}`);
  const bytes = section(at, end - at);
  if (bytes.length !== end - at || crc32c(bytes, 0, 0, length + 1) !== unmasked(bytes.readUInt32LE(length + 1)))
    throw new Damage(`has a damaged block at ${at}`);
  return bytes;
}

function contentOf(block: Buffer): Buffer {
  const packed = block.subarray(0, -BLOCK_TRAILER_BYTES);
  return block[packed.length] === 0 ? packed : unpacked(packed);
}

/** The blocks that the entries of a block name. */
function* handlesIn(block: Buffer): Iterable<BlockHandle> {
  const plain = contentOf(block);
  const entries = plain.subarray(0, plain.length - 4 * (1 + plain.readUInt32LE(plain.length - 4)));
  const cursor = new Cursor(entries);
  while (!cursor.atEnd) {
    cursor.number();
    const [ownKeyBytes, valueBytes] = [cursor.number(), cursor.number()];
    cursor.skip(ownKeyBytes);
    yield handleIn(new Cursor(cursor.slice(valueBytes)));
  }
}

/** Snappy decompression. Only index blocks need their content. */
function unpacked(packed: Buffer): Buffer {
  const cursor = new Cursor(packed);
  const plain = Buffer.alloc(cursor.number());
  let at = 0;
  while (!cursor.atEnd) {
    const tag = cursor.slice(1)[0] as number;
    const high = tag >> 2;
    if ((tag & 3) === 0) {
      const length = 1 + (high < 60 ? high : cursor.slice(high - 59).readUIntLE(0, high - 59));
      at += cursor.slice(length).copy(plain, at);
      continue;
    }
    const copyOfOneByte = (tag & 3) === 1;
    const length = copyOfOneByte ? 4 + (high & 7) : 1 + high;
    const extra = copyOfOneByte ? 1 : (tag & 3) === 2 ? 2 : 4;
    const distance = cursor.slice(extra).readUIntLE(0, extra) + (copyOfOneByte ? (tag >> 5) << 8 : 0);
    // A copy may overlap its own output.
    for (let i = 0; i < length; i++, at++) plain[at] = plain[at - distance] as number;
  }
  return plain;
}
