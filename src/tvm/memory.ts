/**
 * The memory of a frame: bytes that grow by words, zero until written (java-tron Memory).
 *
 * Opcodes check and charge its growth (`energy-cost.ts`). Paid memory ends at 3 MiB; precompiled contracts and
 * VOTEWITNESS reach further without payment, up to the range of Java's int, which is checked here. Growth only moves
 * the end: bytes are allocated when written, in one buffer for paid memory, in pages beyond. Buffers come from a small
 * pool, because most frames exist for microseconds and need a few hundred bytes.
 */

import { copyOutOfBounds, integerOverflow, noSuchChunk } from './errors.js';
import { MAX_INT, readWord, writeWord } from './words.js';

/** Maximum memory that a frame can pay for, in bytes. */
export const MEMORY_LIMIT = 3 * 1024 * 1024;

const FIRST_CAPACITY = 2048;
const POOLED_CAPACITY = 16_384;
const POOL_SIZE = 64;
/** java-tron's memory is a list of arrays of this size, which appears in its error texts. */
const CHUNK_BYTES = 1024;
const PAGE_BYTES = 4096;

const EMPTY = new Uint8Array(0);
/** Shared by all chains: buffers in the pool contain only zeros. */
const pool: Uint8Array<ArrayBuffer>[] = [];

export class Memory {
  /** The written part of paid memory; at most {@link MEMORY_LIMIT}. */
  #bytes: Uint8Array<ArrayBuffer> = pool.pop() ?? new Uint8Array(FIRST_CAPACITY);
  #view: DataView = new DataView(this.#bytes.buffer);
  #size = 0;
  /** Pages written beyond the limit. */
  #beyond: Map<number, Uint8Array> | undefined;

  /** Bytes in use, always a multiple of 32. */
  get size(): number {
    return this.#size;
  }

  /**
   * Grows to `end` bytes.
   *
   * @throws Java's `integer overflow` above the int range
   */
  extend(end: number): void {
    if (end > this.#size) this.#grow(end);
  }

  loadWord(at: number): bigint {
    this.extend(at + 32);
    if (at + 32 <= this.#bytes.length) return readWord(this.#view, at);
    const bytes = this.read(at, 32);
    return readWord(new DataView(bytes.buffer, bytes.byteOffset, 32), 0);
  }

  storeWord(at: number, word: bigint): void {
    this.#touch(at + 32);
    writeWord(this.#view, at, word);
  }

  storeByte(at: number, byte: number): void {
    this.#touch(at + 1);
    this.#bytes[at] = byte;
  }

  /** The bytes themselves, valid until the memory grows or is written. Only for paid memory. */
  view(at: number, length: number): Uint8Array {
    if (length === 0) return EMPTY;
    this.#touch(at + length);
    return this.#bytes.subarray(at, at + length);
  }

  /** A copy. */
  read(at: number, length: number): Uint8Array {
    if (length === 0) return EMPTY;
    const end = at + length;
    this.extend(end);
    if (end <= this.#bytes.length) return this.#bytes.slice(at, end);
    const bytes = new Uint8Array(length);
    bytes.set(this.#bytes.subarray(at, end));
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
    const available = Math.min(length, Math.max(0, source.length - from));
    if (available > 0) this.#bytes.set(source.subarray(from, from + available), at);
    if (available < length) this.#bytes.fill(0, at + available, at + length);
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
    this.#bytes.copyWithin(to, from, from + length);
  }

  /** Returns the buffer to the pool. The memory must not be used afterwards. */
  release(): void {
    if (this.#bytes.length <= POOLED_CAPACITY && pool.length < POOL_SIZE) {
      this.#bytes.fill(0, 0, this.#size);
      pool.push(this.#bytes);
    }
    this.#bytes = EMPTY as Uint8Array<ArrayBuffer>;
    this.#size = 0;
    this.#beyond = undefined;
  }

  #grow(end: number): void {
    const size = Math.ceil(end / 32) * 32;
    if (size > MAX_INT) throw integerOverflow();
    this.#size = size;
  }

  /** Grows to `end` bytes, and makes them writable. */
  #touch(end: number): void {
    if (end > this.#size) this.#grow(end);
    if (end > this.#bytes.length) this.#allocate(end);
  }

  #allocate(end: number): void {
    if (end > MEMORY_LIMIT) throw new Error(`memory up to ${end} was neither paid for nor refused`);
    const wanted = Math.max(Math.ceil(end / 32) * 32, this.#bytes.length * 2);
    const grown = new Uint8Array(Math.min(wanted, MEMORY_LIMIT));
    grown.set(this.#bytes);
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
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
