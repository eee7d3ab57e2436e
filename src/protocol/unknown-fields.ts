/**
 * The fields that a message does not know, kept as protobuf-java's UnknownFieldSet keeps them: sorted by number, those of
 * one number by wire type, in the order of their coming otherwise.
 */

import type { Hex } from '../primitives/hex.js';
import {
  WIRE_END_GROUP,
  WIRE_FIXED32,
  WIRE_FIXED64,
  WIRE_LENGTH,
  WIRE_START_GROUP,
  WIRE_VARINT,
  type WireReader,
} from './wire-reader.js';
import type { WireWriter } from './wire-writer.js';

/** Wire types in the order in which those of one number are written. */
const ORDER: readonly number[] = [WIRE_VARINT, WIRE_FIXED32, WIRE_FIXED64, WIRE_LENGTH, WIRE_START_GROUP];
/** Place in {@link ORDER} by wire type; there are six. */
const PLACES: readonly number[] = Array.from({ length: 6 }, (_, wireType) => ORDER.indexOf(wireType));

/** 32 bits of key and 21 of place are what a double holds exactly. */
const MAX_SORTED_AS_NUMBERS = 2 ** 21;

type Value = bigint | Hex | Uint8Array | UnknownFields;

export class UnknownFields {
  /** Number and place of the wire type, as one number to sort by; a hostile message has two million. */
  readonly #keys: number[] = [];
  readonly #values: Value[] = [];

  read(tag: number, reader: WireReader): void {
    const number = tag >>> 3;
    const wireType = tag & 7;
    switch (wireType) {
      case WIRE_VARINT:
        this.#keep(number, wireType, reader.int64());
        return;
      case WIRE_FIXED64:
        this.#keep(number, wireType, reader.fixed(8));
        return;
      case WIRE_LENGTH:
        this.#keep(number, wireType, reader.hex());
        return;
      case WIRE_START_GROUP: {
        let group = NO_FIELDS;
        reader.group(number, (inner) => {
          if (group === NO_FIELDS) group = new UnknownFields();
          group.read(inner, reader);
        });
        this.#keep(number, wireType, group);
        return;
      }
      case WIRE_FIXED32:
        this.#keep(number, wireType, reader.fixed(4));
        return;
      default:
        // An end tag that ends nothing, or no wire type at all: the reader has java-tron's words for both.
        reader.skip(tag);
    }
  }

  #keep(number: number, wireType: number, value: Value): void {
    this.#keys.push(number * 8 + PLACES[wireType]!);
    this.#values.push(value);
  }

  /** From the end to the beginning, as the writer works. */
  write(writer: WireWriter): void {
    const order = stableOrder(this.#keys);
    for (let i = this.#keys.length - 1; i >= 0; i--) {
      const at = order === undefined ? i : order(i);
      const key = this.#keys[at]!;
      writeField(writer, Math.floor(key / 8), ORDER[key % 8]!, this.#values[at]!);
    }
  }
}

/** Of an empty group: never added to. */
const NO_FIELDS = new UnknownFields();

/** Which of the keys comes at a place when they are sorted; undefined when they are. */
function stableOrder(keys: readonly number[]): ((place: number) => number) | undefined {
  if (keys.every((key, i) => i === 0 || keys[i - 1]! <= key)) return undefined;
  if (keys.length > MAX_SORTED_AS_NUMBERS) {
    const order = keys.map((_, i) => i).sort((a, b) => keys[a]! - keys[b]! || a - b);
    return (place) => order[place]!;
  }
  const sorted = Float64Array.from(keys, (key, i) => key * MAX_SORTED_AS_NUMBERS + i).sort();
  return (place) => sorted[place]! % MAX_SORTED_AS_NUMBERS;
}

function writeField(writer: WireWriter, number: number, wireType: number, value: Value): void {
  const tag = ((number << 3) | wireType) >>> 0;
  if (value instanceof UnknownFields) {
    writer.varint32(((number << 3) | WIRE_END_GROUP) >>> 0);
    value.write(writer);
    writer.varint32(tag);
  } else if (typeof value === 'bigint') writer.int64Always(tag, value);
  else if (typeof value === 'string') writer.hexAlways(tag, value);
  else {
    writer.raw(value);
    writer.varint32(tag);
  }
}
