/**
 * Prints messages as java-tron's HTTP API does (protocol/http-answers.md): fields with default values are omitted,
 * bytes are hex or, if visible, base58 and text, 64-bit integers are plain numbers.
 *
 * There are two layouts. JsonFormat's: `{"key": value,"key2": value}` in field-number order. And the compact one of
 * answers that java-tron parses and prints again with fastjson: `{"key":value}`, with members in the order of a Java
 * HashMap at every level.
 */

import { JavaException } from '../../errors/java-exception.js';
import { type Hex, hexToUtf8 } from '../../primitives/hex.js';
import { toBase58 } from '../address.js';
import type { FieldType, MessageCodec, MessageType, Sent } from '../message-type.js';
import { javaMapOrder, javaMapOrderOfShape } from './java-map-order.js';
import { readObject } from './lenient-reader.js';
import { fastjsonString } from './value.js';

/** Form of 64-bit integers. Clients of later releases can request `texts`, for languages whose numbers are doubles. */
export type Longs = 'numbers' | 'texts';

/** `{"key": value,"key2": value}` in field-number order. */
export function printMessage<M>(
  codec: MessageCodec<M>,
  message: M | Sent<M>,
  visible: boolean,
  longs: Longs = 'numbers',
): string {
  return printBody(codec.type, message as Values, SPACED[longs], visible);
}

/** `{"key":value}`, members in the order of a Java HashMap. */
export function printCompact<M>(
  codec: MessageCodec<M>,
  message: M | Sent<M>,
  visible: boolean,
  longs: Longs = 'numbers',
): string {
  return printBody(codec.type, message as Values, COMPACT[longs], visible);
}

/** @example printLong(7n, 'texts') // '"7"' */
export function printLong(value: bigint, longs: Longs): string {
  return longs === 'texts' ? `"${value}"` : String(value);
}

/** A member of a compact object: its name and its value as JSON text. */
export type Member = readonly [name: string, json: string];

/** The members of {@link printCompact}, in field-number order, for answers that add to them. */
export function compactMembers<M>(
  codec: MessageCodec<M>,
  message: M | Sent<M>,
  visible: boolean,
  longs: Longs = 'numbers',
): Member[] {
  const { type } = codec;
  const members: Member[] = [];
  for (const field of type.fields) {
    const text = printField(field, (message as Values)[field.name], printsDefaults(type), COMPACT[longs], visible);
    if (text !== undefined) members.push([field.name, text]);
  }
  return members;
}

/**
 * An object printed by fastjson: the members in HashMap order. `members` are in insertion order, with unique names.
 * Names come from the protocol, never from a client.
 */
export function compactObject(members: readonly Member[]): string {
  const order = javaMapOrderOfShape(members.map((member) => member[0]));
  let text = '{';
  for (let i = 0; i < order.length; i += 1) {
    const [name, json] = members[order[i]!]!;
    text += `${i === 0 ? '' : ','}"${name}":${json}`;
  }
  return `${text}}`;
}

type Values = Readonly<Record<string, unknown>>;

interface Layout {
  readonly entry: (key: string, value: string) => string;
  readonly text: (value: string) => string;
  readonly name: (hex: Hex) => string;
  readonly long: (value: unknown) => string;
  readonly object: (type: MessageType, message: Values, layout: Layout, visible: boolean) => string;
}

const spaced: Layout = {
  entry: (key, value) => `{"key": ${key},"value": ${value}}`,
  text: formatString,
  name: (hex) => {
    const raw = escapeQuotes(hexToUtf8(hex));
    return readName(raw) === undefined ? `"${hex}"` : `"${raw}"`;
  },
  long: String,
  object: spacedObject,
};

const compact: Layout = {
  entry: (key, value) =>
    compactObject([
      ['key', key],
      ['value', value],
    ]),
  text: fastjsonString,
  name: (hex) => fastjsonString(readName(escapeQuotes(hexToUtf8(hex))) ?? hex),
  long: String,
  object: compactBody,
};

const quoted = (value: unknown) => `"${value}"`;
const SPACED: Readonly<Record<Longs, Layout>> = { numbers: spaced, texts: { ...spaced, long: quoted } };
const COMPACT: Readonly<Record<Longs, Layout>> = { numbers: compact, texts: { ...compact, long: quoted } };

/** java-tron also prints the default values of these messages (protocol/http-answers.md#rules-for-values). */
const PRINTS_DEFAULTS = new Set([
  'protocol.AccountBalanceResponse',
  'protocol.BlockBalanceTrace',
  'protocol.TransactionBalanceTrace',
  'protocol.TransactionBalanceTrace.Operation',
]);

function printsDefaults(type: MessageType): boolean {
  return PRINTS_DEFAULTS.has(type.fullName);
}

function printBody(type: MessageType, message: Values, layout: Layout, visible: boolean): string {
  return layout.object(type, message, layout, visible);
}

function spacedObject(type: MessageType, message: Values, layout: Layout, visible: boolean): string {
  const withDefaults = printsDefaults(type);
  let text = '{';
  for (const field of type.fields) {
    const value = printField(field, message[field.name], withDefaults, layout, visible);
    if (value !== undefined) text += `${text === '{' ? '' : ','}"${field.name}": ${value}`;
  }
  return `${text}}`;
}

/** The order of members depends on the set of present fields, cached by a number with one bit for each field. */
function compactBody(type: MessageType, message: Values, layout: Layout, visible: boolean): string {
  const { fields } = type;
  const withDefaults = printsDefaults(type);
  const names: string[] = [];
  const values: string[] = [];
  let present = 0;
  for (let i = 0; i < fields.length; i += 1) {
    const field = fields[i]!;
    const value = printField(field, message[field.name], withDefaults, layout, visible);
    if (value === undefined) continue;
    names.push(field.name);
    values.push(value);
    present += 2 ** i;
  }
  const order = orderOf(type, present, names);
  let text = '{';
  for (const at of order) text += `${text === '{' ? '' : ','}"${names[at]}":${values[at]}`;
  return `${text}}`;
}

const orders = new WeakMap<MessageType, Map<number, readonly number[]>>();
/** Per message type. A client can choose the fields, but ordinary clients use few sets. */
const MAXIMUM_ORDERS = 256;
/** Number of bits that a number holds exactly. */
const MAXIMUM_FIELDS = 53;

function orderOf(type: MessageType, present: number, names: readonly string[]): readonly number[] {
  let ofType = orders.get(type);
  if (ofType === undefined) {
    ofType = new Map();
    orders.set(type, ofType);
  }
  let order = ofType.get(present);
  if (order === undefined) {
    order = javaMapOrder(names);
    if (ofType.size < MAXIMUM_ORDERS && type.fields.length <= MAXIMUM_FIELDS) ofType.set(present, order);
  }
  return order;
}

/** The field's value as JSON; undefined if it is omitted. */
function printField(
  field: FieldType,
  value: unknown,
  withDefaults: boolean,
  layout: Layout,
  visible: boolean,
): string | undefined {
  if (field.label === 'singular') {
    const isLeftOut = value === undefined || (!withDefaults && isDefault(field, value));
    return isLeftOut ? undefined : printValue(field, value, layout, visible);
  }
  if (field.label === 'repeated') {
    const list = value as readonly unknown[];
    return list.length === 0 && !withDefaults ? undefined : printList(field, list, layout, visible);
  }
  const map = value as ReadonlyMap<string | bigint, unknown>;
  return map.size === 0 ? undefined : printMap(field, map, layout, visible);
}

function printList(field: FieldType, list: readonly unknown[], layout: Layout, visible: boolean): string {
  let text = '[';
  for (let i = 0; i < list.length; i += 1) {
    if (i > 0) text += ',';
    text += printValue(field, list[i], layout, visible);
  }
  return `${text}]`;
}

function printMap(
  field: FieldType,
  map: ReadonlyMap<string | bigint, unknown>,
  layout: Layout,
  visible: boolean,
): string {
  const entries: string[] = [];
  for (const [key, entry] of map) {
    const keyText = typeof key === 'string' ? layout.text(key) : String(key);
    entries.push(layout.entry(keyText, printValue(field, entry, layout, visible)));
  }
  return `[${entries.join(',')}]`;
}

function isDefault(field: FieldType, value: unknown): boolean {
  switch (field.kind) {
    case 'int64':
      return value === 0n;
    case 'bool':
      return value === false;
    case 'string':
    case 'bytes':
      return value === '';
    case 'message':
      return false;
    default:
      return value === 0;
  }
}

function printValue(field: FieldType, value: unknown, layout: Layout, visible: boolean): string {
  switch (field.kind) {
    case 'message':
      return printBody(field.messageType!, value as Values, layout, visible);
    case 'bytes':
      return printBytes(field, value as Hex, layout, visible);
    case 'string':
      return layout.text(value as string);
    case 'enum': {
      const name = field.enumType!.nameOf(value as number);
      return name === undefined ? String(value) : `"${name}"`;
    }
    case 'double':
      return javaDouble(value as number);
    case 'int64':
      return layout.long(value);
    default:
      return String(value);
  }
}

function printBytes(field: FieldType, hex: Hex, layout: Layout, visible: boolean): string {
  switch (visible ? field.form : 'hex') {
    case 'address':
      return `"${toBase58(hex)}"`;
    case 'name':
      return layout.name(hex);
    case 'hex':
      return `"${hex}"`;
  }
}

function escapeQuotes(text: string): string {
  return text.replaceAll('"', '\\"');
}

/** fastjson's value of the name `raw` between quotes; `undefined` if it is invalid: then java-tron prints hex. */
function readName(raw: string): string | undefined {
  if (!raw.includes('\\')) {
    return raw;
  }
  try {
    const value = readObject(`{"key":"${raw}"}`)?.get('key');
    return typeof value === 'string' ? value : undefined;
  } catch (error) {
    if (error instanceof JavaException) {
      return undefined;
    }
    throw error;
  }
}

const FORMAT_ESCAPES: Readonly<Record<string, string>> = {
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\\': '\\\\',
  '"': '\\"',
};
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that JsonFormat escapes
const FORMAT_ESCAPED = /["\\\u0000-\u001f]|[\ud800-\udbff][\s\S]?/g;

/** A protobuf string in JsonFormat's form: lower-case `\u` for control characters and surrogate pairs. */
function formatString(text: string): string {
  const escaped = text.replace(FORMAT_ESCAPED, (found) => {
    const short = FORMAT_ESCAPES[found];
    if (short !== undefined) {
      return short;
    }
    let codes = '';
    for (let i = 0; i < found.length; i += 1) {
      codes += `\\u${found.charCodeAt(i).toString(16).padStart(4, '0')}`;
    }
    return codes;
  });
  return `"${escaped}"`;
}

/** The text of a Java `double`: always with a fraction, with an exponent from ten million on and below a thousandth. */
export function javaDouble(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  const magnitude = Math.abs(value);
  if (magnitude !== 0 && (magnitude < 1e-3 || magnitude >= 1e7)) {
    const [digits = '', exponent] = value.toExponential().split('e');
    return `${digits.includes('.') ? digits : `${digits}.0`}E${Number(exponent)}`;
  }
  if (Object.is(value, -0)) return '-0.0';
  return Number.isInteger(value) ? `${value}.0` : String(value);
}
