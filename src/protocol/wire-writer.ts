/**
 * Writes protobuf's wire format, from the end of a message to its beginning.
 *
 * Backwards, the length of a submessage is known before its prefix is written. So there is no sizing pass and no list
 * of pending pieces (twice as fast as protobufjs' Writer for a transfer). The generated encoders call the methods in
 * descending field order; the output is in ascending order and proto3's canonical form: minimal varints, no default
 * values, all elements of repeated fields, and both parts of map entries.
 */

import type { Hex } from '../primitives/hex.js';

const INITIAL_CAPACITY = 1 << 14;
/** A larger buffer, from one large block, is released. */
const RETAINED_CAPACITY = 1 << 20;
const MAX_EXACT = BigInt(Number.MAX_SAFE_INTEGER);
const TWO_28 = 0x10000000;
/** From this size Buffer's native conversions are faster than a loop (measured, Node 20). */
const NATIVE_FROM_BYTES = 16;

const NIBBLE = new Int16Array(128).fill(0x100);
for (let i = 0; i < 16; i++) NIBBLE[i.toString(16).charCodeAt(0)] = i;

/** Writes a map entry: the value, then the key, because the buffer is filled backwards. */
type EntryWriter<Key, Value> = (writer: WireWriter, key: Key, value: Value) => void;

const stringInt64: EntryWriter<string, bigint> = (writer, key, value) => {
  writer.int64Always(16, value);
  writer.stringAlways(10, key);
};

const int64Int64: EntryWriter<bigint, bigint> = (writer, key, value) => {
  writer.int64Always(16, value);
  writer.int64Always(8, key);
};

const stringString: EntryWriter<string, string> = (writer, key, value) => {
  writer.stringAlways(18, value);
  writer.stringAlways(10, key);
};

export class WireWriter {
  #buffer = Buffer.allocUnsafeSlow(INITIAL_CAPACITY);
  /** Index of the first written byte; the next bytes go before it. Changes when the buffer grows. */
  #pos = INITIAL_CAPACITY;

  /** Discards all written bytes. */
  reset(): void {
    if (this.#buffer.length > RETAINED_CAPACITY) this.#buffer = Buffer.allocUnsafeSlow(INITIAL_CAPACITY);
    this.#pos = this.#buffer.length;
  }

  /** Bytes written so far. */
  get size(): number {
    return this.#buffer.length - this.#pos;
  }

  /** A copy of the written bytes. */
  toBytes(): Uint8Array {
    const bytes = Buffer.allocUnsafe(this.#buffer.length - this.#pos);
    this.#buffer.copy(bytes, 0, this.#pos);
    return bytes;
  }

  toHex(): Hex {
    return this.#buffer.toString('hex', this.#pos);
  }

  /** Writes tag and length before the submessage that started at this {@link size}. */
  frame(tag: number, before: number): void {
    const length = this.size - before;
    this.#reserve(10);
    this.#varint32(length);
    this.#varint32(tag);
  }

  int32(tag: number, value: number): void {
    if (value === 0) return;
    if (value !== (value | 0)) throw new RangeError(`${value} does not fit into 32 bits`);
    this.#reserve(15);
    if (value > 0) this.#varint32(value);
    else this.#varint64(BigInt(value));
    this.#varint32(tag);
  }

  int64(tag: number, value: bigint): void {
    if (value === 0n) return;
    this.int64Always(tag, value);
  }

  int64Always(tag: number, value: bigint): void {
    this.#reserve(15);
    if (value >= 0n && value <= MAX_EXACT) this.#varint53(Number(value));
    else this.#varint64(value);
    this.#varint32(tag);
  }

  bool(tag: number, value: boolean): void {
    if (!value) return;
    this.#reserve(6);
    this.#buffer[--this.#pos] = 1;
    this.#varint32(tag);
  }

  double(tag: number, value: number): void {
    if (Object.is(value, 0)) return;
    this.#reserve(13);
    this.#pos -= 8;
    this.#buffer.writeDoubleLE(value, this.#pos);
    this.#varint32(tag);
  }

  /** A `bytes` field. */
  hex(tag: number, value: Hex): void {
    if (value === '') return;
    this.hexAlways(tag, value);
  }

  hexAlways(tag: number, value: Hex): void {
    const length = value.length >>> 1;
    this.#reserve(length + 10);
    this.#pos -= length;
    if (length < NATIVE_FROM_BYTES) this.#shortHex(value);
    else if ((value.length & 1) !== 0 || this.#buffer.write(value, this.#pos, length, 'hex') !== length) notHex(value);
    this.#varint32(length);
    this.#varint32(tag);
  }

  string(tag: number, value: string): void {
    if (value === '') return;
    this.stringAlways(tag, value);
  }

  stringAlways(tag: number, value: string): void {
    const length = Buffer.byteLength(value, 'utf8');
    this.#reserve(length + 10);
    this.#pos -= length;
    if (length === value.length) this.#buffer.write(value, this.#pos, length, 'latin1');
    else this.#buffer.write(value, this.#pos, length, 'utf8');
    this.#varint32(length);
    this.#varint32(tag);
  }

  mapStringInt64(tag: number, map: ReadonlyMap<string, bigint>): void {
    this.#entries(tag, map, stringInt64);
  }

  mapInt64Int64(tag: number, map: ReadonlyMap<bigint, bigint>): void {
    this.#entries(tag, map, int64Int64);
  }

  mapStringString(tag: number, map: ReadonlyMap<string, string>): void {
    this.#entries(tag, map, stringString);
  }

  #entries<Key, Value>(tag: number, map: ReadonlyMap<Key, Value>, write: EntryWriter<Key, Value>): void {
    if (map.size === 0) return;
    for (const [key, value] of [...map].reverse()) {
      const before = this.size;
      write(this, key, value);
      this.frame(tag, before);
    }
  }

  /** Plain bytes, without tag or length. */
  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#pos -= bytes.length;
    this.#buffer.set(bytes, this.#pos);
  }

  /** A plain varint of 32 bits, without tag. */
  varint32(value: number): void {
    this.#reserve(5);
    this.#varint32(value);
  }

  #reserve(byteCount: number): void {
    if (this.#pos >= byteCount) return;
    const used = this.#buffer.length - this.#pos;
    const grown = Buffer.allocUnsafeSlow(Math.max(this.#buffer.length * 2, used + byteCount));
    const pos = grown.length - used;
    this.#buffer.copy(grown, pos, this.#pos);
    this.#buffer = grown;
    this.#pos = pos;
  }

  #varint32(value: number): void {
    const buffer = this.#buffer;
    if (value < 0x80) {
      buffer[--this.#pos] = value;
      return;
    }
    let pos = this.#pos;
    if (value < 0x4000) {
      buffer[--pos] = value >>> 7;
    } else {
      const bytes = value < 0x200000 ? 3 : value < TWO_28 ? 4 : 5;
      for (let i = bytes - 1; i > 0; i--) {
        buffer[--pos] = ((value >>> (7 * i)) & 0x7f) | (i === bytes - 1 ? 0 : 0x80);
      }
    }
    buffer[--pos] = (value & 0x7f) | 0x80;
    this.#pos = pos;
  }

  /** Nonnegative, and exact as a double. */
  #varint53(value: number): void {
    if (value < TWO_28) {
      this.#varint32(value);
      return;
    }
    const high = Math.floor(value / TWO_28);
    const low = value - high * TWO_28;
    this.#varint32(high);
    const buffer = this.#buffer;
    let pos = this.#pos;
    buffer[--pos] = (low >>> 21) | 0x80;
    buffer[--pos] = ((low >>> 14) & 0x7f) | 0x80;
    buffer[--pos] = ((low >>> 7) & 0x7f) | 0x80;
    buffer[--pos] = (low & 0x7f) | 0x80;
    this.#pos = pos;
  }

  #varint64(value: bigint): void {
    if (BigInt.asIntN(64, value) !== value) throw new RangeError(`${value} does not fit into 64 bits`);
    const unsigned = BigInt.asUintN(64, value);
    const low = Number(unsigned & 0xfffffffn);
    // 36 bits remain; together with the lowest four bytes varint53 can write them.
    const rest = Number(unsigned >> 28n);
    this.#varint53(rest);
    const buffer = this.#buffer;
    let pos = this.#pos;
    buffer[--pos] = (low >>> 21) | 0x80;
    buffer[--pos] = ((low >>> 14) & 0x7f) | 0x80;
    buffer[--pos] = ((low >>> 7) & 0x7f) | 0x80;
    buffer[--pos] = (low & 0x7f) | 0x80;
    this.#pos = pos;
  }

  /** Fills the reserved bytes at `pos`. */
  #shortHex(value: Hex): void {
    const buffer = this.#buffer;
    let pos = this.#pos;
    let seen = value.length & 1 ? 0x100 : 0;
    for (let i = 0; i + 1 < value.length; i += 2) {
      const high = NIBBLE[value.charCodeAt(i)] ?? 0x100;
      const low = NIBBLE[value.charCodeAt(i + 1)] ?? 0x100;
      seen |= high | low;
      buffer[pos++] = (high << 4) | low;
    }
    if (seen > 0xff) notHex(value);
  }
}

/** A bug of Sunup: a message may contain canonical hex only. */
function notHex(value: string): never {
  throw new TypeError(`not bytes in hex: ${value.slice(0, 80)}`);
}

/** Tag and length of a bytes field, which follows. */
export function framed(tag: number, length: number): Uint8Array {
  const prefix = [tag];
  let rest = length;
  while (rest > 0x7f) {
    prefix.push((rest & 0x7f) | 0x80);
    rest >>>= 7;
  }
  prefix.push(rest);
  return Uint8Array.from(prefix);
}
