/**
 * The memory of a frame: bytes that grow by words, zero until written (java-tron Memory).
 *
 * Opcodes check and charge its growth (`energy-cost.ts`). Paid memory ends at 3 MiB; precompiled contracts and
 * VOTEWITNESS reach further without payment, up to the range of Java's int, which is checked here. Growth only moves
 * the end: bytes are zeroed when the first one behind them is written, in the linear memory for paid memory, in pages
 * beyond.
 */

import { copyOutOfBounds, integerOverflow, noSuchChunk } from './errors.js';
import { FIRST_MEMORY, linearMemory, linearMemoryUpTo } from './linear-memory.js';
import { MAX_INT, readWord, writeWord } from './words.js';

/** Maximum memory that a frame can pay for, in bytes. */
export const MEMORY_LIMIT = 3 * 1024 * 1024;

/** java-tron's memory is a list of arrays of this size, which appears in its error texts. */
const CHUNK_BYTES = 1024;
const PAGE_BYTES = 4096;
/** A word at the last byte of paid memory is read beyond it. */
const SLACK = 64;

const SHORT = 64;

const EMPTY = new Uint8Array(0);

export class Memory {
  #size = 0;
  /** The bytes below are as written, those above are zero; at most {@link MEMORY_LIMIT}. */
  #filled = 0;
  /** Pages written beyond the limit. */
  #beyond: Map<number, Uint8Array> | undefined;

  /** @param start position in the linear memory, which is this memory's up to `start` plus the limit */
  constructor(readonly start: number = FIRST_MEMORY) {
    linearMemoryUpTo(start + MEMORY_LIMIT + SLACK);
  }

  /** Bytes in use, always a multiple of 32. */
  get size(): number {
    return this.#size;
  }

  /** End of the written bytes in the linear memory: a callee's frame stands behind it. */
  get end(): number {
    return this.start + this.#filled;
  }

  /**
   * Grows to `end` bytes.
   *
   * @throws Java's `integer overflow` above the int range
   */
  extend(end: number): void {
    if (end > this.#size) this.#grow(end);
  }

  /** Zeroes all bytes in use, if these are at most `most` more. */
  fill(most: number): boolean {
    const end = Math.min(this.#size, MEMORY_LIMIT);
    if (end - this.#filled > most) return false;
    if (end > this.#filled) this.#fillTo(end);
    return true;
  }

  /** After the engine has grown it to `size` bytes, and has zeroed them. */
  setFilled(size: number): void {
    this.#size = size;
    this.#filled = size;
  }

  loadWord(at: number): bigint {
    this.extend(at + 32);
    if (at + 32 <= this.#filled) return readWord(linearMemory().view, this.start + at);
    const bytes = this.read(at, 32);
    return readWord(new DataView(bytes.buffer, bytes.byteOffset, 32), 0);
  }

  storeWord(at: number, word: bigint): void {
    this.#touch(at + 32);
    writeWord(linearMemory().view, this.start + at, word);
  }

  storeByte(at: number, byte: number): void {
    this.#touch(at + 1);
    linearMemory().bytes[this.start + at] = byte;
  }

  /** The bytes themselves, valid until the memory grows or is written. Only for paid memory. */
  view(at: number, length: number): Uint8Array {
    if (length === 0) return EMPTY;
    this.#touch(at + length);
    return linearMemory().bytes.subarray(this.start + at, this.start + at + length);
  }

  /** A copy. */
  read(at: number, length: number): Uint8Array {
    if (length === 0) return EMPTY;
    const end = at + length;
    this.extend(end);
    const { bytes: all } = linearMemory();
    const filled = this.start + Math.min(end, this.#filled);
    if (end <= this.#filled) return all.slice(this.start + at, filled);
    const bytes = new Uint8Array(length);
    if (at < this.#filled) bytes.set(all.subarray(this.start + at, filled));
    if (this.#beyond !== undefined && end > MEMORY_LIMIT) {
      for (const { page, inPage, inRange, count } of pagesOf(at, length)) {
        const written = this.#beyond.get(page);
        if (written !== undefined) bytes.set(written.subarray(inPage, inPage + count), inRange);
      }
    }
    return bytes;
  }

  /** Writes `length` bytes of `source` from `from`; bytes beyond the source's end are zero. */
  write(at: number, source: Uint8Array, from: number, length: number): void {
    if (length === 0) return;
    this.#touch(at + length);
    const { bytes } = linearMemory();
    const to = this.start + at;
    const available = Math.min(length, Math.max(0, source.length - from));
    // Most are words: a loop takes a fifth of the time of a view and its copy.
    if (available <= SHORT) for (let i = 0; i < available; i++) bytes[to + i] = source[from + i] as number;
    else bytes.set(source.subarray(from, from + available), to);
    if (available < length) bytes.fill(0, to + available, to + length);
  }

  /**
   * Writes without payment: `at` is any Java int.
   *
   * @throws Java's exceptions for ranges below 0 or beyond the int range
   */
  writeAnywhere(at: number, source: Uint8Array): void {
    const { length } = source;
    if (length === 0) return;
    const end = at + length;
    this.extend(end);
    if (at < 0) {
      const chunk = Math.trunc(at / CHUNK_BYTES);
      const chunks = Math.ceil(this.#size / CHUNK_BYTES);
      throw chunk < 0 || chunks === 0 ? noSuchChunk(chunk, chunks) : copyOutOfBounds(at % CHUNK_BYTES, CHUNK_BYTES);
    }
    const near = Math.min(length, Math.max(0, MEMORY_LIMIT - at));
    if (near > 0) this.write(at, source, 0, near);
    if (near === length) return;
    this.#beyond ??= new Map();
    for (const { page, inPage, inRange, count } of pagesOf(at, length)) {
      let bytes = this.#beyond.get(page);
      if (bytes === undefined) {
        bytes = new Uint8Array(PAGE_BYTES);
        this.#beyond.set(page, bytes);
      }
      bytes.set(source.subarray(inRange, inRange + count), inPage);
    }
  }

  /** Moves bytes; the ranges may overlap. */
  copy(to: number, from: number, length: number): void {
    if (length === 0) return;
    this.#touch(Math.max(to, from) + length);
    linearMemory().bytes.copyWithin(this.start + to, this.start + from, this.start + from + length);
  }

  #grow(end: number): void {
    const size = Math.ceil(end / 32) * 32;
    if (size > MAX_INT) throw integerOverflow();
    this.#size = size;
  }

  /** Grows to `end` bytes, and makes them writable. */
  #touch(end: number): void {
    if (end > this.#size) this.#grow(end);
    if (end > this.#filled) this.#fillTo(end);
  }

  #fillTo(end: number): void {
    if (end > MEMORY_LIMIT) throw new Error(`memory up to ${end} was neither paid for nor refused`);
    const filled = Math.ceil(end / 32) * 32;
    linearMemory().bytes.fill(0, this.start + this.#filled, this.start + filled);
    this.#filled = filled;
  }
}

/** The parts of a range beyond the limit, page by page. */
function* pagesOf(at: number, length: number) {
  for (let place = Math.max(at, MEMORY_LIMIT); place < at + length; ) {
    const page = Math.floor(place / PAGE_BYTES);
    const count = Math.min(at + length, (page + 1) * PAGE_BYTES) - place;
    yield { page, inPage: place % PAGE_BYTES, inRange: place - at, count };
    place += count;
  }
}
