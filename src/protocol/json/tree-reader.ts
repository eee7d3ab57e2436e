/**
 * Merges a parsed JSON tree into a protobuf message, with the result of `readMessage` for the tree's compact text, but
 * without printing and parsing that text. Used where java-tron parses a body with fastjson and passes the printed
 * result to JsonFormat.
 *
 * Owns no rule and no error text: unclear values are printed after all and left to `message-reader.ts`, whose errors
 * contain positions in that text.
 */

import { JavaException } from '../../errors/java-exception.js';
import type { Hex } from '../../primitives/hex.js';
import type { FieldType, MessageCodec, MessageType, Sent } from '../message-type.js';
import { type Draft, decodeBytesText, draftOf, enumNumberOf, MAXIMUM_DEPTH, ownList, ownMap } from './draft.js';
import { jsonException } from './lenient-reader.js';
import { readMessage } from './message-reader.js';
import { fastjsonEscaped, isJsonObject, type JsonObject, type JsonValue, writeCompact } from './value.js';

/**
 * @param visible whether addresses are base58 and names text, instead of hex
 * @throws JavaException as `readMessage(codec, writeCompact(tree), visible)`
 * @example readTree(TransferContract, readObject('{"amount":5}'), false).amount // 5n
 */
export function readTree<M>(codec: MessageCodec<M>, tree: JsonValue, visible: boolean): Sent<M> {
  const read = isJsonObject(tree) ? readMembers(codec.type, tree, visible, 0) : UNCLEAR;
  return read === UNCLEAR ? readMessage(codec, writeCompact(tree), visible) : (read as Sent<M>);
}

/**
 * The same with fields that are read already, in place of the tree's members of their names.
 *
 * @param depth of the tree in the text that java-tron reads
 * @returns undefined if only the text decides the value, or the error
 */
export function readTreeWith<M>(
  codec: MessageCodec<M>,
  tree: JsonObject,
  visible: boolean,
  depth: number,
  known: Partial<Sent<M>>,
): Sent<M> | undefined {
  const read = readMembers(codec.type, tree, visible, depth, known);
  return read === UNCLEAR ? undefined : (read as Sent<M>);
}

/** Not clearly readable: the text decides the value, or the error. */
const UNCLEAR = Symbol('unclear');
type Unclear = typeof UNCLEAR;

const NOT_IN_IDENTIFIER = /[^A-Za-z0-9_.]/;

function readMembers(
  type: MessageType,
  object: JsonObject,
  visible: boolean,
  depth: number,
  known?: Draft,
): Draft | Unclear {
  if (depth > MAXIMUM_DEPTH) return UNCLEAR;
  if (object.size === 0) return type.codec.empty as Draft;
  const draft = draftOf(type);
  for (const name in known) draft[name] = known[name];
  // Names are unique, and numbers as names are not accepted here: so the order does not matter.
  for (const [name, value] of object) {
    if (value === null || (known !== undefined && Object.hasOwn(known, name))) continue;
    const field = type.fieldByName.get(name);
    if (
      field === undefined ? !isSkippable(name, value, depth) : !readMember(type, field, value, draft, visible, depth)
    ) {
      return UNCLEAR;
    }
  }
  return draft;
}

/** Whether an unknown member may have this value. A name that is a number stands for a field. */
function isSkippable(name: string, value: JsonValue, depth: number): boolean {
  return !NOT_IN_IDENTIFIER.test(name) && !/^[0-9]+$/.test(name) && isSkippableValue(value, depth);
}

function isSkippableValue(value: JsonValue, depth: number): boolean {
  if (depth > MAXIMUM_DEPTH) return false;
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return true;
  if (typeof value === 'bigint') return BigInt.asIntN(64, value) === value;
  if (Array.isArray(value)) return value.length > 0 && value.every((item) => isSkippableValue(item, depth + 1));
  if (!isJsonObject(value)) return false;
  let members = 0;
  for (const [name, member] of value) {
    if (member === null) continue;
    if (NOT_IN_IDENTIFIER.test(name) || !isSkippableValue(member, depth + 1)) return false;
    members += 1;
  }
  return members > 0;
}

/** Whether the member was read. */
function readMember(
  type: MessageType,
  field: FieldType,
  value: JsonValue,
  draft: Draft,
  visible: boolean,
  depth: number,
): boolean {
  if (!Array.isArray(value)) return readElement(type, field, value, draft, visible, depth);
  for (const item of value as readonly JsonValue[]) {
    if (!readElement(type, field, item, draft, visible, depth)) return false;
  }
  return true;
}

function readElement(
  type: MessageType,
  field: FieldType,
  value: JsonValue,
  draft: Draft,
  visible: boolean,
  depth: number,
): boolean {
  if (field.label === 'map') return readEntry(type, field, value, draft);
  if (value === null && field.kind !== 'message') return true;
  const read = readValue(field, value, visible, depth);
  if (read === UNCLEAR) return false;
  if (field.label === 'repeated') ownList(type, field, draft).push(read);
  else draft[field.name] = read;
  return true;
}

function readValue(field: FieldType, value: JsonValue, visible: boolean, depth: number): unknown {
  switch (field.kind) {
    case 'message':
      return isJsonObject(value) ? readMembers(field.messageType!, value, visible, depth + 1) : UNCLEAR;
    case 'int32':
      return typeof value === 'bigint' && BigInt.asIntN(32, value) === value ? Number(value) : UNCLEAR;
    case 'int64':
      return typeof value === 'bigint' && BigInt.asIntN(64, value) === value ? value : UNCLEAR;
    case 'bool':
      return typeof value === 'boolean' ? value : UNCLEAR;
    case 'string':
      return typeof value === 'string' ? value : UNCLEAR;
    case 'enum':
      return readEnum(field, value);
    case 'bytes':
      return typeof value === 'string' ? readBytes(field, value, visible) : UNCLEAR;
    case 'double':
      return UNCLEAR;
  }
}

function readEnum(field: FieldType, value: JsonValue): number | Unclear {
  const { enumType } = field;
  if (typeof value === 'string') {
    return (NOT_IN_IDENTIFIER.test(value) ? undefined : enumNumberOf(enumType!, value)) ?? UNCLEAR;
  }
  if (typeof value !== 'bigint' || enumType!.nameOf(Number(value)) === undefined) return UNCLEAR;
  return Number(value);
}

/** Uses the raw text between the quotes, including escapes. */
function readBytes(field: FieldType, text: string, visible: boolean): Hex | Unclear {
  try {
    return decodeBytesText(visible ? field.form : 'hex', fastjsonEscaped(text), jsonException);
  } catch (error) {
    if (error instanceof JavaException) return UNCLEAR;
    throw error;
  }
}

/** An entry with exactly a key and a value. */
function readEntry(type: MessageType, field: FieldType, value: JsonValue, draft: Draft): boolean {
  if (!isJsonObject(value) || value.size !== 2) return false;
  const key = value.get('key');
  const entry = value.get('value');
  if (key === undefined || entry === undefined) return false;
  if (field.keyKind === 'string' ? typeof key !== 'string' : !isLong(key)) return false;
  if (field.kind === 'string' ? typeof entry !== 'string' : field.kind !== 'int64' || !isLong(entry)) return false;
  ownMap(type, field, draft).set(key, entry);
  return true;
}

function isLong(value: JsonValue): boolean {
  return typeof value === 'bigint' && BigInt.asIntN(64, value) === value;
}
