/**
 * The memory of a frame: bytes that grow by words and read as zero until written (java-tron Memory).
 *
 * Who may grow it and what that costs is the opcodes' business (`energy.ts`); nothing here checks a limit. Buffers are
 * taken from and given back to a small pool, because most frames live for microseconds and need a few hundred bytes.
 */

import { readWord, writeWord } from './words.js';

const FIRST_CAPACITY = 2048;
const POOLED_CAPACITY = 16_384;
const POOL_SIZE = 64;

const EMPTY = new Uint8Array(0);
const pool: Uint8Array<ArrayBuffer>[] = [];

export class Memory {
  #bytes: Uint8Array<ArrayBuffer> = pool.pop() ?? new Uint8Array(FIRST_CAPACITY);
  #view: DataView = new DataView(this.#bytes.buffer);
  #size = 0;

  /** Bytes in use, always a multiple of 32. */
  get size(): number {
    return this.#size;
  }

  /** Grows to hold `end` bytes. */
  extend(end: number): void {
    if (end <= this.#size) return;
    this.#size = Math.ceil(end / 32) * 32;
    if (this.#size <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(this.#size, this.#bytes.length * 2));
    grown.set(this.#bytes);
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }

  loadWord(at: number): bigint {
    this.extend(at + 32);
    return readWord(this.#view, at);
  }

  storeWord(at: number, word: bigint): void {
    this.extend(at + 32);
    writeWord(this.#view, at, word);
  }

  storeByte(at: number, byte: number): void {
    this.extend(at + 1);
    this.#bytes[at] = byte;
  }

  /** The bytes themselves, valid until the memory grows or is written. */
  view(at: number, length: number): Uint8Array {
    if (length === 0) return EMPTY;
    this.extend(at + length);
    return this.#bytes.subarray(at, at + length);
  }

  /** A copy. */
  read(at: number, length: number): Uint8Array {
    if (length === 0) return EMPTY;
    this.extend(at + length);
    return this.#bytes.slice(at, at + length);
  }

  /** Writes `length` bytes of `source` from `from`; what lies beyond the source's end is written as zero. */
  write(at: number, source: Uint8Array, from: number, length: number): void {
    if (length === 0) return;
    this.extend(at + length);
    const available = Math.min(length, Math.max(0, source.length - from));
    if (available > 0) this.#bytes.set(source.subarray(from, from + available), at);
    if (available < length) this.#bytes.fill(0, at + available, at + length);
  }

  /** Moves bytes; the ranges may overlap. */
  copy(to: number, from: number, length: number): void {
    if (length === 0) return;
    this.extend(Math.max(to, from) + length);
    this.#bytes.copyWithin(to, from, from + length);
  }

  /** Gives the buffer back. The memory must not be used afterwards. */
  release(): void {
    if (this.#bytes.length <= POOLED_CAPACITY && pool.length < POOL_SIZE) {
      this.#bytes.fill(0, 0, this.#size);
      pool.push(this.#bytes);
    }
    this.#bytes = EMPTY as Uint8Array<ArrayBuffer>;
    this.#size = 0;
  }
}
