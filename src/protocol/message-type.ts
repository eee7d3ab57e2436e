/**
 * What a message is made of: the descriptors that `generated/` declares and everything that walks any message reads, the
 * codec (`message-codec.ts`), the JSON form, gRPC. A message's fields are made on first use, since starting up needs
 * none of them.
 */

import type { Hex } from '../primitives/hex.js';
import type { Address } from '../primitives/ids.js';
import { WIRE_FIXED64, WIRE_LENGTH, WIRE_VARINT, type WireReader } from './wire-reader.js';
import type { WireWriter } from './wire-writer.js';

export type ScalarKind = 'bytes' | 'int64' | 'int32' | 'string' | 'bool' | 'double';
export type FieldKind = ScalarKind | 'enum' | 'message';
/** Addresses are base58 and names text when they are to be visible, everything else is hex in either mode. */
export type BytesForm = 'address' | 'name' | 'hex';
export type FieldLabel = 'singular' | 'repeated' | 'map';

export interface FieldType {
  /** As in the .proto file. */
  readonly name: string;
  readonly number: number;
  /** Number and wire type, as they stand in front of a value. */
  readonly tag: number;
  readonly label: FieldLabel;
  /** Of a map: the kind of its values. */
  readonly kind: FieldKind;
  /** Of bytes: how JSON writes them when a request says `visible` (protocol/http-requests.md#bytes-fields-and-visible). */
  readonly form: BytesForm;
  /** Of a map only. */
  readonly keyKind: 'string' | 'int64' | undefined;
  readonly enumType: EnumType | undefined;
  readonly messageType: MessageType | undefined;
}

export interface EnumType {
  /** E.g. `protocol.Transaction.Contract.ContractType`. */
  readonly fullName: string;
  /** In declaration order. Enums are open: a message may hold a number that is not among them. */
  readonly values: Readonly<Record<string, number>>;
  /** `undefined` for a number without a name. */
  nameOf(value: number): string | undefined;
  /** `undefined` for an unknown name. */
  numberOf(name: string): number | undefined;
}

export interface MessageType {
  /** E.g. `protocol.Transaction.raw`. */
  readonly fullName: string;
  /** In ascending number, which is the order of the wire and of java-tron's JSON. */
  readonly fields: readonly FieldType[];
  readonly fieldByNumber: ReadonlyMap<number, FieldType>;
  readonly fieldByName: ReadonlyMap<string, FieldType>;
  readonly fieldByTag: ReadonlyMap<number, FieldType>;
  readonly codec: MessageCodec<unknown>;
}

/**
 * A message as somebody sent it: what should be an address may be any bytes. Rows of the state and contracts that have
 * passed their check are the message itself, whose addresses are addresses.
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

/** The fields of `M` that are addresses: they have no default that would be one. */
type Needed<M> = { readonly [Field in keyof M as M[Field] extends Address ? Field : never]: M[Field] };

/** Everything one can do with a kind of message; the generated constants (`Account`, `Transaction_raw`, …) are these. */
export interface MessageCodec<M> {
  readonly type: MessageType;
  /** A message with every field that is not given at its default. */
  create(given: Partial<M> & Needed<M>): M;
  create(given?: Partial<Sent<M>>): Sent<M>;
  /** Canonical bytes: fields in number order, defaults left out. Throws (our bug) on a value that its field cannot hold. */
  encode(message: M | Sent<M>): Uint8Array;
  /** The same, as hex: what an `Any.value` holds. */
  encodeHex(message: M | Sent<M>): Hex;
  /** The length that {@link encode} would give. */
  encodedSize(message: M | Sent<M>): number;
  /**
   * Unknown fields are dropped.
   * @throws JavaException InvalidProtocolBufferException with protobuf-java's text for bytes that are not this message
   */
  decode(bytes: Uint8Array): Sent<M>;
  decodeHex(hex: Hex): Sent<M>;
  /** For codecs: reads up to `reader.end`, on top of `base` (submessages merge). */
  read(reader: WireReader, base: Sent<M>): Sent<M>;
  /** For codecs: writes in front of what is written already. */
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
