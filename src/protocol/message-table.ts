/**
 * Reads and writes messages by their table of fields: for messages without generated code, and for the canonical form,
 * which keeps unknown fields.
 */

import type { FieldType, MessageType } from './message-type.js';
import { UnknownFields } from './unknown-fields.js';
import type { WireReader } from './wire-reader.js';
import type { WireWriter } from './wire-writer.js';

/** A message's values by field name. */
export type Values = Readonly<Record<string, unknown>>;
type Draft = Record<string, unknown> & { [UNKNOWN]?: UnknownFields };

/** Key of a message's unknown fields. */
const UNKNOWN = Symbol('unknown fields');

/** Whether unknown fields are skipped, or kept in the message and written again. */
export type UnknownPolicy = 'skip' | 'keep';

/** The default of every repeated field. */
export const NO_ELEMENTS: readonly never[] = [];
/** The default of every map field. */
export const NO_ENTRIES: ReadonlyMap<never, never> = new Map<never, never>();

export function emptyMessage(type: MessageType): Values {
  return Object.fromEntries(type.fields.map((field) => [field.name, defaultOf(field)]));
}

function defaultOf({ label, kind }: FieldType): unknown {
  if (label === 'repeated') return NO_ELEMENTS;
  if (label === 'map') return NO_ENTRIES;
  switch (kind) {
    case 'message':
      return undefined;
    case 'bytes':
    case 'string':
      return '';
    case 'int64':
      return 0n;
    case 'bool':
      return false;
    default:
      return 0;
  }
}

/** Reads up to `reader.end`, merging into `base`. */
export function readFields(
  type: MessageType,
  reader: WireReader,
  base: Values,
  unknown: UnknownPolicy = 'skip',
): Values {
  if (reader.pos === reader.end) return base;
  const draft: Draft = { ...base };
  const { fieldByTag } = type;
  while (reader.pos < reader.end) {
    const tag = reader.tag();
    const field = fieldByTag.get(tag);
    if (field !== undefined) readField(field, reader, base, draft, unknown);
    else if (unknown === 'skip') reader.skip(tag);
    else {
      draft[UNKNOWN] ??= new UnknownFields();
      draft[UNKNOWN].read(tag, reader);
    }
  }
  return draft;
}

function readField(field: FieldType, reader: WireReader, base: Values, draft: Draft, unknown: UnknownPolicy): void {
  const { name, messageType } = field;
  if (field.label === 'map') {
    if (draft[name] === base[name]) draft[name] = new Map(base[name] as Map<never, never>);
    readMapEntry(field, reader, draft[name] as Map<never, never>);
    return;
  }
  if (field.label === 'repeated') {
    if (draft[name] === base[name]) draft[name] = [...(base[name] as readonly unknown[])];
    const list = draft[name] as unknown[];
    list.push(
      messageType === undefined ? readScalar(field, reader) : readMessage(messageType, reader, undefined, unknown),
    );
    return;
  }
  draft[name] =
    messageType === undefined
      ? readScalar(field, reader)
      : readMessage(messageType, reader, draft[name] as Values | undefined, unknown);
}

function readMessage(type: MessageType, reader: WireReader, base: Values | undefined, unknown: UnknownPolicy): Values {
  const outer = reader.enter();
  const start = base ?? (type.codec.empty as Values);
  const value =
    unknown === 'skip' ? (type.codec.read(reader, start) as Values) : readFields(type, reader, start, unknown);
  reader.leave(outer);
  return value;
}

function readScalar(field: FieldType, reader: WireReader): unknown {
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

function readMapEntry(field: FieldType, reader: WireReader, map: Map<never, never>): void {
  if (field.keyKind === 'int64') reader.mapInt64Int64(map);
  else if (field.kind === 'string') reader.mapStringString(map);
  else reader.mapStringInt64(map);
}

/** Writes before the bytes written so far: from the last field to the first, with unknown fields at the end. */
export function writeFields(
  type: MessageType,
  writer: WireWriter,
  message: Values,
  unknown: UnknownPolicy = 'skip',
): void {
  if (unknown === 'keep') (message as Draft)[UNKNOWN]?.write(writer);
  const { fields } = type;
  for (let i = fields.length - 1; i >= 0; i--) {
    const field = fields[i]!;
    const value = message[field.name];
    if (field.label === 'singular') {
      if (field.messageType === undefined) writeScalar(field, value, writer);
      else if (value !== undefined) writeMessage(field, field.messageType, value as Values, writer, unknown);
    } else if (field.label === 'map') writeMap(field, writer, value as ReadonlyMap<never, never>);
    else writeList(field, value as readonly unknown[], writer, unknown);
  }
}

function writeList(field: FieldType, list: readonly unknown[], writer: WireWriter, unknown: UnknownPolicy): void {
  for (let i = list.length - 1; i >= 0; i--) {
    if (field.messageType === undefined) writeElement(field, list[i], writer);
    else writeMessage(field, field.messageType, list[i] as Values, writer, unknown);
  }
}

function writeMessage(
  { tag }: FieldType,
  type: MessageType,
  value: Values,
  writer: WireWriter,
  unknown: UnknownPolicy,
): void {
  const before = writer.size;
  if (unknown === 'skip') type.codec.write(writer, value);
  else writeFields(type, writer, value, unknown);
  writer.frame(tag, before);
}

function writeScalar({ kind, tag }: FieldType, value: unknown, writer: WireWriter): void {
  switch (kind) {
    case 'bytes':
      writer.hex(tag, value as string);
      break;
    case 'string':
      writer.string(tag, value as string);
      break;
    case 'int64':
      writer.int64(tag, value as bigint);
      break;
    case 'bool':
      writer.bool(tag, value as boolean);
      break;
    case 'double':
      writer.double(tag, value as number);
      break;
    default:
      writer.int32(tag, value as number);
  }
}

/** Elements of a list are always written, also default values. The protocol's lists of scalars are bytes and text. */
function writeElement({ kind, tag }: FieldType, value: unknown, writer: WireWriter): void {
  if (kind === 'bytes') writer.hexAlways(tag, value as string);
  else writer.stringAlways(tag, value as string);
}

function writeMap(field: FieldType, writer: WireWriter, map: ReadonlyMap<never, never>): void {
  if (field.keyKind === 'int64') writer.mapInt64Int64(field.tag, map);
  else if (field.kind === 'string') writer.mapStringString(field.tag, map);
  else writer.mapStringInt64(field.tag, map);
}
