/**
 * The tree that the lenient reader builds from JSON text, with Java's view of it: integers of any size are exact, and
 * the accessors convert between text and numbers as fastjson's TypeUtils does, because servlets read their options that
 * way (`visible`, `Permission_id`, `fee_limit`, …).
 */

import { JavaException, nullPointerException } from '../../errors/java-exception.js';
import { javaMapOrder } from './java-map-order.js';
import { parseJavaLong, parseJavaLowLong } from './java-numbers.js';

/** A number with a fraction or an exponent, or a very long integer, as its original text. */
export class DecimalText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type JsonValue = null | boolean | string | bigint | DecimalText | JsonObject | readonly JsonValue[];

/** Members in the order of their first occurrence; a repeated key keeps its position and gets the last value. */
export type JsonObject = ReadonlyMap<string, JsonValue>;

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return value instanceof Map;
}

/**
 * The member as Java text, `undefined` if it is missing or null: `getString`. Numbers and booleans become text, objects
 * and arrays their compact JSON.
 */
export function textMember(object: JsonObject, key: string): string | undefined {
  const value = object.get(key);
  if (value === undefined || value === null) {
    return undefined;
  }
  return javaText(value);
}

/**
 * A flag such as `visible`: `true` or `"true"` in any case (protocol/http-requests.md#bytes-fields-and-visible); all
 * other values are false.
 */
export function booleanMember(object: JsonObject, key: string): boolean {
  const value = object.get(key);
  return value === true || (typeof value === 'string' && value.toLowerCase() === 'true');
}

/** Whether {@link textMember} returns a nonempty text. */
export function isSetMember(object: JsonObject, key: string): boolean {
  const value = object.get(key);
  return value !== undefined && value !== null && value !== '';
}

/**
 * The member as a Java `long`; 0 if it is missing, null, empty or the text `null`. A fraction is an
 * ArithmeticException, invalid text a NumberFormatException.
 */
export function longMember(object: JsonObject, key: string): bigint {
  const value = object.get(key);
  if (value === undefined || value === null) {
    return 0n;
  }
  if (typeof value === 'bigint') {
    return BigInt.asIntN(64, value);
  }
  if (value instanceof DecimalText) {
    // For an integer of any length the low 64 bits count.
    return /^-?\d+$/.test(value.text) ? parseJavaLowLong(value.text) : integralDecimal(value.text);
  }
  if (typeof value === 'boolean') {
    return value ? 1n : 0n;
  }
  if (typeof value === 'string') {
    const text = value.replaceAll(',', '');
    if (text === '' || text.toLowerCase() === 'null') {
      return 0n;
    }
    return parseJavaLong(text);
  }
  throw new JavaException('com.alibaba.fastjson.JSONException', `can not cast to long, value : ${javaText(value)}`);
}

/** Like {@link longMember} for a Java `int`: the low 32 bits of a larger number. */
export function intMember(object: JsonObject, key: string): number {
  const value = object.get(key);
  if (typeof value === 'string') {
    const text = value.replaceAll(',', '');
    if (text === '' || text.toLowerCase() === 'null') {
      return 0;
    }
    return Number(BigInt.asIntN(32, parseJavaLong(text, 32)));
  }
  return Number(BigInt.asIntN(32, longMember(object, key)));
}

/**
 * The number that java-tron's Util.getJsonLongValue reads: `getBigDecimal(key).longValueExact()`, so numeric text in
 * any notation is valid if it is integral.
 *
 * @throws JavaException NumberFormatException for text, ArithmeticException for a fraction or beyond 64 bits,
 *   InvalidParameterException for a missing member that is `required`
 */
export function exactLongMember(object: JsonObject, key: string, required = false): bigint {
  const value = object.get(key);
  if (value === undefined || value === null || value === '') {
    if (required && value === undefined) {
      throw new JavaException('java.security.InvalidParameterException', `key [${key}] does not exist`);
    }
    return 0n;
  }
  if (typeof value === 'bigint') {
    return inLong(value);
  }
  return integralDecimal(javaText(value));
}

function inLong(value: bigint): bigint {
  if (BigInt.asIntN(64, value) !== value) {
    throw new JavaException('java.lang.ArithmeticException', 'Overflow');
  }
  return value;
}

interface DecimalParts {
  readonly isNegative: boolean;
  readonly whole: string;
  readonly fraction: string;
  readonly exponent: number;
}

/** Part by part: an expression that repeats may exceed V8's stack with millions of digits (`primitives/hex.ts`). */
function decimalParts(text: string): DecimalParts | undefined {
  const mark = text.search(/[eE]/);
  const number = mark < 0 ? text : text.slice(0, mark);
  const exponent = mark < 0 ? '0' : text.slice(mark + 1);
  const sign = /^[+-]/.exec(number)?.[0] ?? '';
  const [whole = '', fraction = '', ...others] = number.slice(sign.length).split('.', 3);
  const isDecimal = others.length === 0 && !/\D/.test(whole) && !/\D/.test(fraction) && whole + fraction !== '';
  if (!isDecimal || !/^[+-]?\d+$/.test(exponent)) return undefined;
  return { isNegative: sign === '-', whole, fraction, exponent: Number(exponent) };
}

/** `new BigDecimal(text).longValueExact()`, which checks the number of digits first. */
function integralDecimal(text: string): bigint {
  const parts = decimalParts(text);
  if (parts === undefined) throw new JavaException('java.lang.NumberFormatException', decimalComplaint(text));
  const { whole, fraction } = parts;
  const all = whole + fraction;
  const from = all.search(/[1-9]/);
  const digits = from < 0 ? '' : all.slice(from);
  if (digits === '') return 0n;
  const exponent = parts.exponent - fraction.length;
  if (digits.length + exponent > 19) {
    throw new JavaException('java.lang.ArithmeticException', 'Overflow');
  }
  const integral = digits.length + exponent;
  if (integral <= 0 || (exponent < 0 && /[1-9]/.test(digits.slice(integral)))) {
    throw new JavaException('java.lang.ArithmeticException', 'Rounding necessary');
  }
  const value = BigInt(digits.slice(0, integral).padEnd(integral, '0'));
  return inLong(parts.isNegative ? -value : value);
}

/** JDK 17's BigDecimal reports the first character that cannot be part of a number. */
function decimalComplaint(text: string): string | null {
  const bad = /[^0-9.eE+-]/.exec(text)?.[0];
  return bad === undefined
    ? null
    : `Character ${bad} is neither a decimal digit number, decimal point, nor "e" notation exponential mark.`;
}

function javaText(value: JsonValue): string {
  if (typeof value === 'string') {
    return value;
  }
  if (value === null) {
    throw nullPointerException();
  }
  return value instanceof DecimalText ? value.text : writeCompact(value);
}

/**
 * Compact JSON of a tree as fastjson prints it: members in the order of the Java HashMap that contains them, without
 * null members.
 */
export function writeCompact(value: JsonValue): string {
  if (value === null) {
    return 'null';
  }
  if (typeof value === 'string') {
    return fastjsonString(value);
  }
  if (typeof value === 'boolean' || typeof value === 'bigint') {
    return String(value);
  }
  if (value instanceof DecimalText) {
    return value.text;
  }
  if (isJsonObject(value)) {
    return writeObject(value);
  }
  let text = '[';
  for (let i = 0; i < value.length; i += 1) {
    text += i === 0 ? writeCompact(value[i]!) : `,${writeCompact(value[i]!)}`;
  }
  return `${text}]`;
}

function writeObject(object: JsonObject): string {
  if (object.size === 0) return '{}';
  const names: string[] = [];
  const members: JsonValue[] = [];
  for (const [name, member] of object) {
    names.push(name);
    members.push(member);
  }
  let text = '{';
  for (const at of javaMapOrder(names)) {
    const name = names[at]!;
    const member = members[at]!;
    if (member !== null) {
      text += `${text === '{' ? '' : ','}${fastjsonString(name)}:${writeCompact(member)}`;
    }
  }
  return `${text}}`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that fastjson escapes
const FASTJSON_ESCAPED = /["\\\u0000-\u001f\u007f-\u00a0\u2028\u2029]/g;
const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\f': '\\f',
  '\r': '\\r',
};

/** `text` as a JSON string in fastjson's form: upper-case `\u00XX` for control characters. */
export function fastjsonString(text: string): string {
  return `"${fastjsonEscaped(text)}"`;
}

/** {@link fastjsonString} without its quotes. */
export function fastjsonEscaped(text: string): string {
  if (!FASTJSON_ESCAPED.test(text)) return text;
  FASTJSON_ESCAPED.lastIndex = 0;
  return text.replace(
    FASTJSON_ESCAPED,
    (c) => SHORT_ESCAPES[c] ?? `\\u${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`,
  );
}
