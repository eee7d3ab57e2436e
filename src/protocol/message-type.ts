/**
 * Message descriptors: declared by `generated/`, used by all generic code: the codec (`message-codec.ts`), JSON, gRPC.
 * A message's fields are created on first use, because a start needs none.
 */

import type { Hex } from '../primitives/hex.js';
import type { Address } from '../primitives/ids.js';
import { WIRE_FIXED64, WIRE_LENGTH, WIRE_VARINT, type WireReader } from './wire-reader.js';
import type { WireWriter } from './wire-writer.js';

export type ScalarKind = 'bytes' | 'int64' | 'int32' | 'string' | 'bool' | 'double';
export type FieldKind = ScalarKind | 'enum' | 'message';
/** If visible, addresses are base58 and names are text; all others are always hex. */
export type BytesForm = 'address' | 'name' | 'hex';
export type FieldLabel = 'singular' | 'repeated' | 'map';

export interface FieldType {
  /** As in the .proto file. */
  readonly name: string;
  readonly number: number;
  /** Number and wire type, which precede a value. */
  readonly tag: number;
  readonly label: FieldLabel;
  /** For a map: the kind of its values. */
  readonly kind: FieldKind;
  /** For bytes: their JSON form if a request has `visible` (protocol/http-requests.md#bytes-fields-and-visible). */
  readonly form: BytesForm;
  /** For a map only. */
  readonly keyKind: 'string' | 'int64' | undefined;
  readonly enumType: EnumType | undefined;
  readonly messageType: MessageType | undefined;
}

export interface EnumType {
  /** Example: `protocol.Transaction.Contract.ContractType`. */
  readonly fullName: string;
  /** In declaration order. Enums are open: a message may contain other numbers. */
  readonly values: Readonly<Record<string, number>>;
  /** `undefined` for a number without a name. */
  nameOf(value: number): string | undefined;
  /** `undefined` for an unknown name. */
  numberOf(name: string): number | undefined;
}

export interface MessageType {
  /** Example: `protocol.Transaction.raw`. */
  readonly fullName: string;
  /** By ascending number, the order of the wire format and of java-tron's JSON. */
  readonly fields: readonly FieldType[];
  readonly fieldByNumber: ReadonlyMap<number, FieldType>;
  readonly fieldByName: ReadonlyMap<string, FieldType>;
  readonly fieldByTag: ReadonlyMap<number, FieldType>;
  readonly codec: MessageCodec<unknown>;
}

/**
 * A message as received: its addresses may be any bytes. Rows of the state, and contracts that have passed their check,
 * have the message type itself, whose addresses are valid.
 */
export type Sent<M> = unknown extends M
  ? M
  : M extends Address
    ? Hex
    : M extends string | number | bigint | boolean | undefined
      ? M
      : M extends readonly (infer Element)[]
        ? readonly Sent<Element>[]
        : M extends ReadonlyMap<infer Key, infer Value>
          ? ReadonlyMap<Key, Sent<Value>>
          : M extends Iterable<infer Element>
            ? Iterable<Sent<Element>>
            : { readonly [Field in keyof M]: Sent<M[Field]> };

/** The address fields of `M`: they have no default value. */
type Needed<M> = { readonly [Field in keyof M as M[Field] extends Address ? Field : never]: M[Field] };

/** The operations of a message type; the generated constants (`Account`, `Transaction_raw`, …) are of this type. */
export interface MessageCodec<M> {
  readonly type: MessageType;
  /** A message with default values for missing fields. */
  create(given: Partial<M> & Needed<M>): M;
  create(given?: Partial<Sent<M>>): Sent<M>;
  /**
   * Canonical bytes: fields in number order, without default values. Throws for a value that its field cannot hold (a
   * bug).
   */
  encode(message: M | Sent<M>): Uint8Array;
  /** The same as hex, for `Any.value`. */
  encodeHex(message: M | Sent<M>): Hex;
  /** The length of the result of {@link encode}. */
  encodedSize(message: M | Sent<M>): number;
  /**
   * Unknown fields are dropped.
   * @throws JavaException InvalidProtocolBufferException with protobuf-java's text for bytes that are not this message
   */
  decode(bytes: Uint8Array): Sent<M>;
  decodeHex(hex: Hex): Sent<M>;
  /** For codecs: reads up to `reader.end`, merging into `base`. */
  read(reader: WireReader, base: Sent<M>): Sent<M>;
  /** For codecs: writes before the bytes written so far. */
  write(writer: WireWriter, message: Sent<M>): void;
  /** The shared default; immutable, like every message. */
  readonly empty: Sent<M>;
}

/** For generated code. */
export function enumType(fullName: string, values: Readonly<Record<string, number>>): EnumType {
  let names: Map<number, string> | undefined;
  return {
    fullName,
    values,
    nameOf(value) {
      names ??= new Map(Object.entries(values).map(([name, number]) => [number, name]));
      return names.get(value);
    },
    numberOf(name) {
      return Object.hasOwn(values, name) ? values[name] : undefined;
    },
  };
}

type Described = ScalarKind | 'address' | 'name' | EnumType | { readonly type: MessageType };

function describe(
  name: string,
  number: number,
  label: FieldLabel,
  of: Described,
  keyKind: 'string' | 'int64' | undefined,
): FieldType {
  const form: BytesForm = of === 'address' || of === 'name' ? of : 'hex';
  const kind = kindOf(of);
  return {
    name,
    number,
    tag: ((number << 3) | (label === 'map' ? WIRE_LENGTH : WIRE_TYPES[kind])) >>> 0,
    label,
    kind,
    form,
    keyKind,
    enumType: typeof of === 'object' && !('type' in of) ? of : undefined,
    messageType: typeof of === 'object' && 'type' in of ? of.type : undefined,
  };
}

function kindOf(of: Described): FieldKind {
  if (of === 'address' || of === 'name') return 'bytes';
  return typeof of === 'string' ? of : 'type' in of ? 'message' : 'enum';
}

const WIRE_TYPES: Readonly<Record<FieldKind, number>> = {
  int32: WIRE_VARINT,
  int64: WIRE_VARINT,
  bool: WIRE_VARINT,
  enum: WIRE_VARINT,
  double: WIRE_FIXED64,
  bytes: WIRE_LENGTH,
  string: WIRE_LENGTH,
  message: WIRE_LENGTH,
};

/** For generated code: a field with at most one value. */
export function singular(name: string, number: number, of: Described): FieldType {
  return describe(name, number, 'singular', of, undefined);
}

/** For generated code: a list. */
export function repeated(name: string, number: number, of: Described): FieldType {
  return describe(name, number, 'repeated', of, undefined);
}

/** For generated code: a map. */
export function map(name: string, number: number, keyKind: 'string' | 'int64', of: Described): FieldType {
  return describe(name, number, 'map', of, keyKind);
}
