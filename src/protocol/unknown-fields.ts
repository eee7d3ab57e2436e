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

/** What one field number was given without being known, by wire type. */
interface UnknownField {
  readonly varints: bigint[];
  readonly fixed32: Uint8Array[];
  readonly fixed64: Uint8Array[];
  readonly lengths: Hex[];
  readonly groups: UnknownFields[];
}

export class UnknownFields {
  readonly #byNumber = new Map<number, UnknownField>();

  read(tag: number, reader: WireReader): void {
    const number = tag >>> 3;
    switch (tag & 7) {
      case WIRE_VARINT:
        this.#field(number).varints.push(reader.int64());
        return;
      case WIRE_FIXED64:
        this.#field(number).fixed64.push(reader.fixed(8));
        return;
      case WIRE_LENGTH:
        this.#field(number).lengths.push(reader.hex());
        return;
      case WIRE_START_GROUP: {
        const group = new UnknownFields();
        reader.group(number, (inner) => group.read(inner, reader));
        this.#field(number).groups.push(group);
        return;
      }
      case WIRE_FIXED32:
        this.#field(number).fixed32.push(reader.fixed(4));
        return;
      default:
        // An end tag that ends nothing, or no wire type at all: the reader has java-tron's words for both.
        reader.skip(tag);
    }
  }

  #field(number: number): UnknownField {
    let field = this.#byNumber.get(number);
    if (field === undefined) {
      field = { varints: [], fixed32: [], fixed64: [], lengths: [], groups: [] };
      this.#byNumber.set(number, field);
    }
    return field;
  }

  write(writer: WireWriter): void {
    const numbers = [...this.#byNumber.keys()].sort((a, b) => b - a);
    for (const number of numbers) {
      const field = this.#byNumber.get(number)!;
      const tag = (wireType: number) => ((number << 3) | wireType) >>> 0;
      for (const group of field.groups.toReversed()) {
        writer.varint32(tag(WIRE_END_GROUP));
        group.write(writer);
        writer.varint32(tag(WIRE_START_GROUP));
      }
      for (const hex of field.lengths.toReversed()) writer.hexAlways(tag(WIRE_LENGTH), hex);
      for (const bytes of field.fixed64.toReversed()) writeFixed(writer, tag(WIRE_FIXED64), bytes);
      for (const bytes of field.fixed32.toReversed()) writeFixed(writer, tag(WIRE_FIXED32), bytes);
      for (const value of field.varints.toReversed()) writer.int64Always(tag(WIRE_VARINT), value);
    }
  }
}

function writeFixed(writer: WireWriter, tag: number, bytes: Uint8Array): void {
  writer.raw(bytes);
  writer.varint32(tag);
}
