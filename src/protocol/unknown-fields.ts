/**
 * Unknown fields of a message, in the order of protobuf-java's UnknownFieldSet: sorted by number, for one number by
 * wire type, and otherwise in order of occurrence.
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

/** Order of the wire types of one number. */
const ORDER: readonly number[] = [WIRE_VARINT, WIRE_FIXED32, WIRE_FIXED64, WIRE_LENGTH, WIRE_START_GROUP];
/** Position in {@link ORDER} by wire type; there are six. */
const PLACES: readonly number[] = Array.from({ length: 6 }, (_, wireType) => ORDER.indexOf(wireType));

/** A double holds exactly 32 bits of key and 21 bits of position. */
const MAX_SORTED_AS_NUMBERS = 2 ** 21;

type Value = bigint | Hex | Uint8Array | UnknownFields;

export class UnknownFields {
  /** Number and position of the wire type, combined to one sort key; a malicious message may have two million. */
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
        // An unmatched end tag, or an invalid wire type: the reader throws java-tron's errors for both.
        reader.skip(tag);
    }
  }

  #keep(number: number, wireType: number, value: Value): void {
    this.#keys.push(number * 8 + PLACES[wireType]!);
    this.#values.push(value);
  }

  /** Backwards, like the writer. */
  write(writer: WireWriter): void {
    const order = stableOrder(this.#keys);
    for (let i = this.#keys.length - 1; i >= 0; i--) {
      const at = order === undefined ? i : order(i);
      const key = this.#keys[at]!;
      writeField(writer, Math.floor(key / 8), ORDER[key % 8]!, this.#values[at]!);
    }
  }
}

/** For an empty group: never changed. */
const NO_FIELDS = new UnknownFields();

/** Maps positions in the sorted order to keys; undefined if the keys are sorted. */
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
