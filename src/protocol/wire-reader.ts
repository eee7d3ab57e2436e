/**
 * Reads protobuf's wire format: `bigint` for 64-bit integers, lowercase hex for bytes.
 *
 * Accepts and refuses exactly what protobuf-java's CodedInputStream does, with the same texts, because answers to
 * undecodable requests contain them (protocol/http.md, broadcasthex). Lengths are checked against the remaining bytes
 * before any allocation, groups have Java's depth limit, and empty submessages are a shared default, so malicious input
 * costs no more than its own size.
 */

import { JavaException } from '../errors/java-exception.js';
import { EMPTY, type Hex } from '../primitives/hex.js';

/** java-tron's error for bytes that are not the expected message. */
function invalidProtocolBuffer(message: string): JavaException {
  return new JavaException('com.google.protobuf.InvalidProtocolBufferException', message);
}

const TRUNCATED =
  'While parsing a protocol message, the input ended unexpectedly in the middle of a field.  This could mean either ' +
  'that the input has been truncated or that an embedded message misreported its own length.';
const NEGATIVE_SIZE = 'CodedInputStream encountered an embedded string or message which claimed to have negative size.';
const MALFORMED_VARINT = 'CodedInputStream encountered a malformed varint.';
const INVALID_TAG = 'Protocol message contained an invalid tag (zero).';
const INVALID_END_TAG = 'Protocol message end-group tag did not match expected tag.';
const INVALID_WIRE_TYPE = 'Protocol message tag had invalid wire type.';
const INVALID_UTF8 = 'Protocol message had invalid UTF-8.';
const TOO_DEEP =
  'Protocol message had too many levels of nesting.  May be malicious.  Use setRecursionLimit() to increase the ' +
  'recursion depth limit.';

export const WIRE_VARINT = 0;
export const WIRE_FIXED64 = 1;
export const WIRE_LENGTH = 2;
export const WIRE_START_GROUP = 3;
export const WIRE_END_GROUP = 4;
export const WIRE_FIXED32 = 5;

/** CodedInputStream's default limit, for submessages and groups together. */
const MAX_DEPTH = 100;
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export class WireReader {
  #buffer: Buffer;
  /** Next byte to read. */
  pos = 0;
  /** End of the innermost message; never exceeded. */
  end: number;
  #depth = 0;

  constructor(bytes: Uint8Array) {
    this.#buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.end = bytes.length;
  }

  /** The next field's tag: number and wire type, as one unsigned number. */
  tag(): number {
    const first = this.pos < this.end ? this.#buffer[this.pos]! : 0x80;
    if (first < 0x80) {
      this.pos++;
      if (first < 8) throw invalidProtocolBuffer(INVALID_TAG);
      return first;
    }
    const tag = this.#varint32() >>> 0;
    if (tag < 8) throw invalidProtocolBuffer(INVALID_TAG);
    return tag;
  }

  int32(): number {
    return this.#varint32();
  }

  bool(): boolean {
    const value = this.int64();
    return value !== 0n;
  }

  int64(): bigint {
    const buffer = this.#buffer;
    const end = this.end;
    let pos = this.pos;
    // Seven bytes are 49 bits, which a double holds exactly: times and most amounts need no bigint arithmetic.
    let value = 0;
    let scale = 1;
    for (let i = 0; i < 7; i++) {
      if (pos >= end) throw invalidProtocolBuffer(TRUNCATED);
      const byte = buffer[pos++]!;
      if (byte < 0x80) {
        this.pos = pos;
        return BigInt(value + byte * scale);
      }
      value += (byte & 0x7f) * scale;
      scale *= 128;
    }
    let high = 0;
    for (let i = 0; i < 2; i++) {
      if (pos >= end) throw invalidProtocolBuffer(TRUNCATED);
      const byte = buffer[pos++]!;
      high |= (byte & 0x7f) << (7 * i);
      if (byte < 0x80) {
        this.pos = pos;
        return (BigInt(high) << 49n) + BigInt(value);
      }
    }
    if (pos >= end) throw invalidProtocolBuffer(TRUNCATED);
    if (buffer[pos++]! >= 0x80) throw invalidProtocolBuffer(MALFORMED_VARINT);
    this.pos = pos;
    // Java only checks whether the tenth byte is the last one: its presence sets the sign, even if it is 0.
    return BigInt.asIntN(64, (BigInt(high | 0x4000) << 49n) + BigInt(value));
  }

  double(): number {
    if (this.end - this.pos < 8) throw invalidProtocolBuffer(TRUNCATED);
    const value = this.#buffer.readDoubleLE(this.pos);
    this.pos += 8;
    return value;
  }

  /** A `bytes` value. */
  hex(): Hex {
    const length = this.length();
    if (length === 0) return EMPTY;
    const from = this.pos;
    this.pos = from + length;
    return this.#buffer.toString('hex', from, from + length);
  }

  /** A `bytes` value as a view of the input. */
  bytes(): Uint8Array {
    const length = this.length();
    const from = this.pos;
    this.pos = from + length;
    return this.#buffer.subarray(from, from + length);
  }

  /** A `string` value. proto3 refuses invalid UTF-8. */
  string(): string {
    const length = this.length();
    const buffer = this.#buffer;
    const from = this.pos;
    const to = from + length;
    this.pos = to;
    if (length <= 128) {
      let high = 0;
      for (let i = from; i < to; i++) high |= buffer[i]!;
      if (high < 0x80) return buffer.toString('latin1', from, to);
    }
    try {
      return strictUtf8.decode(buffer.subarray(from, to));
    } catch {
      throw invalidProtocolBuffer(INVALID_UTF8);
    }
  }

  /** Reads the length of a length-delimited value, and checks that its bytes exist. */
  length(): number {
    const length = this.#varint32();
    if (length < 0) throw invalidProtocolBuffer(NEGATIVE_SIZE);
    if (length > this.end - this.pos) throw invalidProtocolBuffer(TRUNCATED);
    return length;
  }

  /** Enters a submessage: `end` becomes its end. Pass the result to {@link leave}. */
  enter(): number {
    const length = this.length();
    const outer = this.end;
    this.#descend();
    this.end = this.pos + length;
    return outer;
  }

  leave(outer: number): void {
    this.#depth--;
    this.end = outer;
  }

  /** Skips a field that the message does not know, or knows with another wire type. */
  skip(tag: number): void {
    switch (tag & 7) {
      case WIRE_VARINT:
        this.#skipVarint();
        return;
      case WIRE_FIXED64:
        this.#advance(8);
        return;
      case WIRE_LENGTH:
        this.#advance(this.length());
        return;
      case WIRE_START_GROUP:
        this.#skipGroup(tag >>> 3);
        return;
      case WIRE_FIXED32:
        this.#advance(4);
        return;
      case WIRE_END_GROUP:
        throw invalidProtocolBuffer(INVALID_END_TAG);
      default:
        throw invalidProtocolBuffer(INVALID_WIRE_TYPE);
    }
  }

  /** Reads a group to its end tag; `onField` gets each tag and must consume its value. */
  group(number: number, onField: (tag: number) => void): void {
    this.#descend();
    for (;;) {
      if (this.pos >= this.end) throw invalidProtocolBuffer(INVALID_END_TAG);
      const tag = this.tag();
      if ((tag & 7) === WIRE_END_GROUP) {
        if (tag >>> 3 !== number) throw invalidProtocolBuffer(INVALID_END_TAG);
        break;
      }
      onField(tag);
    }
    this.#depth--;
  }

  #skipGroup(number: number): void {
    this.group(number, (tag) => this.skip(tag));
  }

  #descend(): void {
    if (this.#depth >= MAX_DEPTH) throw invalidProtocolBuffer(TOO_DEEP);
    this.#depth++;
  }

  #advance(length: number): void {
    if (length > this.end - this.pos) throw invalidProtocolBuffer(TRUNCATED);
    this.pos += length;
  }

  /** The low 32 bits, signed; like Java it reads up to ten bytes and drops the rest. */
  #varint32(): number {
    const buffer = this.#buffer;
    const end = this.end;
    let pos = this.pos;
    let value = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      if (pos >= end) throw invalidProtocolBuffer(TRUNCATED);
      const byte = buffer[pos++]!;
      if (shift < 32) value |= (byte & 0x7f) << shift;
      if (byte < 0x80) {
        this.pos = pos;
        return value;
      }
    }
    throw invalidProtocolBuffer(MALFORMED_VARINT);
  }

  #skipVarint(): void {
    for (let i = 0; i < 10; i++) {
      if (this.pos >= this.end) throw invalidProtocolBuffer(TRUNCATED);
      if (this.#buffer[this.pos++]! < 0x80) return;
    }
    throw invalidProtocolBuffer(MALFORMED_VARINT);
  }

  /** The next eight (four) bytes, unsigned, for the canonical form. */
  fixed(byteCount: 4 | 8): Uint8Array {
    if (byteCount > this.end - this.pos) throw invalidProtocolBuffer(TRUNCATED);
    const from = this.pos;
    this.pos = from + byteCount;
    return this.#buffer.subarray(from, this.pos);
  }

  /**
   * Entry of a `map<string, int64>`; a missing key or value is its default; for equal keys the first position and the
   * last value count.
   */
  mapStringInt64(map: Map<string, bigint>): void {
    const outer = this.enter();
    let key = '';
    let value = 0n;
    while (this.pos < this.end) {
      const tag = this.tag();
      if (tag === 10) key = this.string();
      else if (tag === 16) value = this.int64();
      else this.skip(tag);
    }
    this.leave(outer);
    map.set(key, value);
  }

  /** Entry of a `map<int64, int64>`. */
  mapInt64Int64(map: Map<bigint, bigint>): void {
    const outer = this.enter();
    let key = 0n;
    let value = 0n;
    while (this.pos < this.end) {
      const tag = this.tag();
      if (tag === 8) key = this.int64();
      else if (tag === 16) value = this.int64();
      else this.skip(tag);
    }
    this.leave(outer);
    map.set(key, value);
  }

  /** Entry of a `map<string, string>`. */
  mapStringString(map: Map<string, string>): void {
    const outer = this.enter();
    let key = '';
    let value = '';
    while (this.pos < this.end) {
      const tag = this.tag();
      if (tag === 10) key = this.string();
      else if (tag === 18) value = this.string();
      else this.skip(tag);
    }
    this.leave(outer);
    map.set(key, value);
  }
}
