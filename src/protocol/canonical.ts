/**
 * The network's form of a message: what java-tron writes after it has parsed what it was given.
 *
 * An id is the hash of that form, not of the client's bytes (ledger.md 1.2): known fields in number order, minimal
 * varints, defaults left out, the last of repeated singular scalars, merged singular messages, and at the end of each
 * message the fields it does not know. `Any.value` is bytes and stays as it is. Mirrors protobuf-java's generated
 * parsers and UnknownFieldSet: unknown fields are sorted by number, and those of one number by wire type.
 */

import type { Hex } from '../primitives/hex.js';
import type { FieldType, MessageCodec, MessageType } from './message-type.js';
import {
  WIRE_END_GROUP,
  WIRE_FIXED32,
  WIRE_FIXED64,
  WIRE_LENGTH,
  WIRE_START_GROUP,
  WIRE_VARINT,
  WireReader,
} from './wire-reader.js';
import { WireWriter } from './wire-writer.js';

/**
 * The canonical form of `bytes`, in memory of its own.
 *
 * @throws JavaException InvalidProtocolBufferException when they are not such a message
 */
export function canonicalBytes<M>(codec: MessageCodec<M>, bytes: Uint8Array): Uint8Array {
  return canonicalForm(codec, codec.decode(bytes), bytes);
}

/** {@link canonicalBytes} for bytes that are decoded already. */
export function canonicalForm<M>(codec: MessageCodec<M>, message: M, bytes: Uint8Array): Uint8Array {
  // An encoder writes the canonical form of what a decoder keeps, and that is everything unless there are unknown fields.
  const encoded = codec.encode(message);
  if (Buffer.compare(encoded, bytes) === 0) return encoded;
  const tree = new Tree();
  tree.read(codec.type, new WireReader(bytes));
  const writer = new WireWriter();
  tree.write(codec.type, writer);
  return writer.toBytes();
}

type Value = bigint | number | boolean | string | Hex | Tree;

/** A parsed message with all that it holds, known and unknown. */
class Tree {
  readonly #singular = new Map<FieldType, Value>();
  readonly #lists = new Map<FieldType, Value[]>();
  readonly #maps = new Map<FieldType, Map<never, never>>();
  readonly #unknown = new UnknownFields();

  read(type: MessageType, reader: WireReader): void {
    while (reader.pos < reader.end) {
      const tag = reader.tag();
      const field = type.fieldByNumber.get(tag >>> 3);
      const wireType = tag & 7;
      if (field !== undefined && wireType === wireTypeOf(field)) this.#readField(field, reader);
      else if (field?.packed && wireType === WIRE_LENGTH) reader.packedBools(this.#list(field) as boolean[]);
      else this.#unknown.read(tag, reader);
    }
  }

  #readField(field: FieldType, reader: WireReader): void {
    if (field.label === 'map') {
      readMapEntry(field, reader, this.#map(field));
      return;
    }
    let value: Value;
    if (field.messageType !== undefined) {
      const known = field.label === 'singular' ? this.#singular.get(field) : undefined;
      value = known instanceof Tree ? known : new Tree();
      const outer = reader.enter();
      value.read(field.messageType, reader);
      reader.leave(outer);
    } else {
      value = readScalar(field, reader);
    }
    if (field.label === 'repeated') this.#list(field).push(value);
    else this.#singular.set(field, value);
  }

  #list(field: FieldType): Value[] {
    let list = this.#lists.get(field);
    if (list === undefined) {
      list = [];
      this.#lists.set(field, list);
    }
    return list;
  }

  #map(field: FieldType): Map<never, never> {
    let map = this.#maps.get(field);
    if (map === undefined) {
      map = new Map<never, never>();
      this.#maps.set(field, map);
    }
    return map;
  }

  /** From the end to the beginning, as the writer works. */
  write(type: MessageType, writer: WireWriter): void {
    this.#unknown.write(writer);
    for (const field of type.fields.toReversed()) {
      const tag = (field.number << 3) | wireTypeOf(field);
      if (field.label === 'singular') {
        const value = this.#singular.get(field);
        if (value !== undefined) writeValue(field, tag, value, writer, false);
      } else if (field.label === 'map') {
        const map = this.#maps.get(field);
        if (map !== undefined) writeMap(field, tag, map, writer);
      } else {
        const list = this.#lists.get(field) ?? [];
        if (field.packed) writer.packedBools((field.number << 3) | WIRE_LENGTH, list as boolean[]);
        else for (const value of list.toReversed()) writeValue(field, tag, value, writer, true);
      }
    }
  }
}

function wireTypeOf(field: FieldType): number {
  if (field.label === 'map' || field.kind === 'message' || field.kind === 'bytes' || field.kind === 'string') {
    return WIRE_LENGTH;
  }
  return field.kind === 'double' ? WIRE_FIXED64 : WIRE_VARINT;
}

function readScalar(field: FieldType, reader: WireReader): Value {
  switch (field.kind) {
    case 'bytes':
      return reader.hex();
    case 'string':
      return reader.string();
    case 'int64':
      return reader.int64();
    case 'bool':
      return reader.bool();
    case 'double':
      return reader.double();
    default:
      return reader.int32();
  }
}

function writeValue(field: FieldType, tag: number, value: Value, writer: WireWriter, always: boolean): void {
  if (value instanceof Tree) {
    const before = writer.size;
    value.write(field.messageType!, writer);
    writer.frame(tag, before);
  } else if (field.kind === 'bytes') {
    if (always) writer.hexAlways(tag, value as Hex);
    else writer.hex(tag, value as Hex);
  } else if (field.kind === 'string') {
    if (always) writer.stringAlways(tag, value as string);
    else writer.string(tag, value as string);
  } else if (typeof value === 'bigint') writer.int64(tag, value);
  else if (typeof value === 'boolean') writer.bool(tag, value);
  else if (field.kind === 'double') writer.double(tag, value as number);
  else writer.int32(tag, value as number);
}

function readMapEntry(field: FieldType, reader: WireReader, map: Map<never, never>): void {
  if (field.keyKind === 'int64') reader.mapInt64Int64(map);
  else if (field.kind === 'string') reader.mapStringString(map);
  else reader.mapStringInt64(map);
}

function writeMap(field: FieldType, tag: number, map: ReadonlyMap<never, never>, writer: WireWriter): void {
  if (field.keyKind === 'int64') writer.mapInt64Int64(tag, map);
  else if (field.kind === 'string') writer.mapStringString(tag, map);
  else writer.mapStringInt64(tag, map);
}

/** What one field number was given without being known, by wire type. */
interface UnknownField {
  readonly varints: bigint[];
  readonly fixed32: Uint8Array[];
  readonly fixed64: Uint8Array[];
  readonly lengths: Hex[];
  readonly groups: UnknownFields[];
}

class UnknownFields {
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
