/**
 * The codec of all generated messages. Most messages use their table (`message-table.ts`). The messages of blocks and
 * transactions have generated code, which is several times faster (`scripts/generate-messages.ts` lists them,
 * docs/decisions/2026-11-22-message-tables.md has the measurements).
 */

import type { Hex } from '../primitives/hex.js';
import { emptyMessage, readFields, type Values, writeFields } from './message-table.js';
import type { FieldType, MessageCodec, MessageType, Sent } from './message-type.js';
import { WireReader } from './wire-reader.js';
import { WireWriter } from './wire-writer.js';

/** One writer for all: encoding is synchronous and not reentrant. */
const writer = new WireWriter();

/** Generated code of one message, used instead of its table. */
export interface Unrolled<M> {
  readonly empty: Sent<M>;
  readonly read: (reader: WireReader, base: Sent<M>) => Sent<M>;
  readonly write: (writer: WireWriter, message: Sent<M>) => void;
}

class Codec<M extends object> implements MessageCodec<M>, MessageType {
  readonly fullName: string;
  readonly #describe: () => readonly FieldType[];
  readonly #unrolled: Unrolled<M> | undefined;
  #empty: Sent<M> | undefined;
  #fields: readonly FieldType[] | undefined;
  #byNumber: ReadonlyMap<number, FieldType> | undefined;
  #byName: ReadonlyMap<string, FieldType> | undefined;
  #byTag: ReadonlyMap<number, FieldType> | undefined;

  constructor(fullName: string, describe: () => readonly FieldType[], unrolled: Unrolled<M> | undefined) {
    this.fullName = fullName;
    this.#describe = describe;
    this.#unrolled = unrolled;
    this.#empty = unrolled?.empty;
  }

  get type(): MessageType {
    return this;
  }

  get codec(): MessageCodec<unknown> {
    return this as MessageCodec<unknown>;
  }

  get empty(): Sent<M> {
    this.#empty ??= emptyMessage(this) as Sent<M>;
    return this.#empty;
  }

  get fields(): readonly FieldType[] {
    this.#fields ??= this.#describe();
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

  get fieldByTag(): ReadonlyMap<number, FieldType> {
    this.#byTag ??= new Map(this.fields.map((field) => [field.tag, field]));
    return this.#byTag;
  }

  // The overload with addresses in its result also requires them as input.
  create(given?: object): M & Sent<M> {
    return { ...(this.empty as object), ...given } as M & Sent<M>;
  }

  read(reader: WireReader, base: Sent<M>): Sent<M> {
    if (this.#unrolled !== undefined) return this.#unrolled.read(reader, base);
    return readFields(this, reader, base as Values) as Sent<M>;
  }

  write(into: WireWriter, message: M | Sent<M>): void {
    if (this.#unrolled !== undefined) this.#unrolled.write(into, message as Sent<M>);
    else writeFields(this, into, message as Values);
  }

  encode(message: M | Sent<M>): Uint8Array {
    writer.reset();
    this.write(writer, message);
    return writer.toBytes();
  }

  encodeHex(message: M | Sent<M>): Hex {
    writer.reset();
    this.write(writer, message);
    return writer.toHex();
  }

  encodedSize(message: M | Sent<M>): number {
    writer.reset();
    this.write(writer, message);
    return writer.size;
  }

  decode(bytes: Uint8Array): Sent<M> {
    return this.read(new WireReader(bytes), this.empty);
  }

  decodeHex(hex: Hex): Sent<M> {
    return this.read(new WireReader(Buffer.from(hex, 'hex')), this.empty);
  }
}

/** For generated code. `describe` returns the fields by ascending number. */
export function message<M extends object>(
  fullName: string,
  describe: () => readonly FieldType[],
  unrolled?: Unrolled<M>,
): MessageCodec<M> {
  return new Codec(fullName, describe, unrolled);
}
