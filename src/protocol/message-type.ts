/**
 * What a message is made of, and the codec every generated message carries.
 *
 * Encoding and decoding are generated code (`generated/`, by `scripts/generate-messages.ts`); the descriptors here are for
 * those that walk any message: the JSON form, the canonicaliser, gRPC. A descriptor's fields are made on first use, since
 * starting up needs none of them.
 */

import type { Hex } from '../primitives/hex.js';
import { WireReader } from './wire-reader.js';
import { WireWriter } from './wire-writer.js';

export type ScalarKind = 'bytes' | 'int64' | 'int32' | 'string' | 'bool' | 'double';
export type FieldKind = ScalarKind | 'enum' | 'message';
export type FieldLabel = 'singular' | 'repeated' | 'map';

export interface FieldType {
  /** As in the .proto file. */
  readonly name: string;
  readonly number: number;
  readonly label: FieldLabel;
  /** Of a map: the kind of its values. */
  readonly kind: FieldKind;
  /** Of a map only. */
  readonly keyKind: 'string' | 'int64' | undefined;
  /** Whether a repeated field is written as one length-delimited run. */
  readonly packed: boolean;
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
  readonly codec: MessageCodec<unknown>;
}

/** Everything one can do with a kind of message; the generated constants (`Account`, `Transaction_raw`, …) are these. */
export interface MessageCodec<M> {
  readonly type: MessageType;
  /** A message with every field at its default. */
  create(partial?: Partial<M>): M;
  /** Canonical bytes: fields in number order, defaults left out. Throws (our bug) on a value that its field cannot hold. */
  encode(message: M): Uint8Array;
  /** The same, as hex: what an `Any.value` holds. */
  encodeHex(message: M): Hex;
  /** The length that {@link encode} would give. */
  encodedSize(message: M): number;
  /**
   * Unknown fields are dropped.
   * @throws JavaException InvalidProtocolBufferException with protobuf-java's text for bytes that are not this message
   */
  decode(bytes: Uint8Array): M;
  decodeHex(hex: Hex): M;
  /** For generated code: reads up to `reader.end`, on top of `base` (submessages merge). */
  read(reader: WireReader, base: M): M;
  /** For generated code: writes in front of what is written already. */
  write(writer: WireWriter, message: M): void;
  /** The shared default; immutable, like every message. */
  readonly empty: M;
}

/** One writer serves all: encoding is synchronous and calls nothing but itself. */
const writer = new WireWriter();

class GeneratedCodec<M extends object> implements MessageCodec<M>, MessageType {
  readonly fullName: string;
  readonly empty: M;
  readonly read: (reader: WireReader, base: M) => M;
  readonly write: (writer: WireWriter, message: M) => void;
  readonly #describe: () => FieldType[];
  #fields: readonly FieldType[] | undefined;
  #byNumber: ReadonlyMap<number, FieldType> | undefined;
  #byName: ReadonlyMap<string, FieldType> | undefined;

  constructor(
    fullName: string,
    empty: M,
    read: (reader: WireReader, base: M) => M,
    write: (writer: WireWriter, message: M) => void,
    describe: () => FieldType[],
  ) {
    this.fullName = fullName;
    this.empty = empty;
    this.read = read;
    this.write = write;
    this.#describe = describe;
  }

  get type(): MessageType {
    return this;
  }

  get codec(): MessageCodec<unknown> {
    return this as MessageCodec<unknown>;
  }

  get fields(): readonly FieldType[] {
    this.#fields ??= this.#describe().sort((a, b) => a.number - b.number);
    return this.#fields;
  }

  get fieldByNumber(): ReadonlyMap<number, FieldType> {
    this.#byNumber ??= new Map(this.fields.map((field) => [field.number, field]));
    return this.#byNumber;
  }

  get fieldByName(): ReadonlyMap<string, FieldType> {
    this.#byName ??= new Map(this.fields.map((field) => [field.name, field]));
    return this.#byName;
  }

  create(partial?: Partial<M>): M {
    return { ...this.empty, ...partial };
  }

  encode(message: M): Uint8Array {
    writer.reset();
    this.write(writer, message);
    return writer.toBytes();
  }

  encodeHex(message: M): Hex {
    writer.reset();
    this.write(writer, message);
    return writer.toHex();
  }

  encodedSize(message: M): number {
    writer.reset();
    this.write(writer, message);
    return writer.size;
  }

  decode(bytes: Uint8Array): M {
    return this.read(new WireReader(bytes), this.empty);
  }

  decodeHex(hex: Hex): M {
    return this.read(new WireReader(Buffer.from(hex, 'hex')), this.empty);
  }
}

/** For generated code. */
export function messageCodec<M extends object>(
  fullName: string,
  empty: M,
  read: (reader: WireReader, base: M) => M,
  write: (writer: WireWriter, message: M) => void,
  describe: () => FieldType[],
): MessageCodec<M> {
  return new GeneratedCodec(fullName, empty, read, write, describe);
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

type Described = ScalarKind | EnumType | { readonly type: MessageType };

function describe(
  name: string,
  number: number,
  label: FieldLabel,
  of: Described,
  packed: boolean,
  keyKind: 'string' | 'int64' | undefined,
): FieldType {
  if (typeof of === 'string') {
    return { name, number, label, kind: of, keyKind, packed, enumType: undefined, messageType: undefined };
  }
  if ('type' in of) {
    return { name, number, label, kind: 'message', keyKind, packed, enumType: undefined, messageType: of.type };
  }
  return { name, number, label, kind: 'enum', keyKind, packed, enumType: of, messageType: undefined };
}

/** For generated code: a field with at most one value. */
export function singular(name: string, number: number, of: Described): FieldType {
  return describe(name, number, 'singular', of, false, undefined);
}

/** For generated code: a list. */
export function repeated(name: string, number: number, of: Described, packed = false): FieldType {
  return describe(name, number, 'repeated', of, packed, undefined);
}

/** For generated code: a map. */
export function map(name: string, number: number, keyKind: 'string' | 'int64', of: Described): FieldType {
  return describe(name, number, 'map', of, false, keyKind);
}

/** The default of every repeated field. */
export const NO_ELEMENTS: readonly never[] = [];
/** The default of every map field. */
export const NO_ENTRIES: ReadonlyMap<never, never> = new Map<never, never>();
