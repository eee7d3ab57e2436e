/**
 * Java's parsers of numbers, with the texts of their NumberFormatException (JDK 17): clients see them after `Couldn't
 * parse integer: ` and as `class java.lang.NumberFormatException : …`. Values are bigint.
 */

import { JavaException } from '../../errors/java-exception.js';

export function numberFormatException(message: string): JavaException {
  return new JavaException('java.lang.NumberFormatException', message);
}

function forInputString(text: string, radix: number): JavaException {
  return numberFormatException(`For input string: "${text}"${radix === 10 ? '' : ` under radix ${radix}`}`);
}

const DIGITS: Readonly<Record<number, RegExp>> = {
  8: /^[+-]?[0-7]+$/,
  10: /^[+-]?[0-9]+$/,
  16: /^[+-]?[0-9a-fA-F]+$/,
};

/** A long has no more digits in any used radix; longer texts are never converted. */
const DIGITS_OF_A_LONG = 22;

/** Whether a text of digits, with or without a sign, is longer than any 64-bit number. */
function isBeyondLong(text: string): boolean {
  return text.length > DIGITS_OF_A_LONG && text.length - text.search(/[^0+-]|$/) > DIGITS_OF_A_LONG;
}

/** A double holds this number of digits exactly: no bigint arithmetic is needed. */
const SHORT_DIGITS = 15;

/** The number of the digits from `from` to `to`, if there are few; otherwise -1. */
export function shortNumber(text: string, from: number, to: number): number {
  if (from === to || to - from > SHORT_DIGITS) return -1;
  let value = 0;
  for (let i = from; i < to; i += 1) {
    const digit = text.charCodeAt(i) - 0x30;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}

/** Shared by all chains: constants. */
const small: bigint[] = [];

/** Like `BigInt(value)`; small numbers, of which a list may hold millions, are shared objects. */
export function bigintOf(value: number): bigint {
  if (value >= 256) return BigInt(value);
  small[value] ??= BigInt(value);
  return small[value];
}

function readDigits(text: string, radix: number): bigint {
  const negative = text.startsWith('-');
  const digits = negative || text.startsWith('+') ? text.slice(1) : text;
  const value = BigInt(radix === 10 ? digits : `${radix === 8 ? '0o' : '0x'}${digits}`);
  return negative ? -value : value;
}

/** `Long.parseLong` (or, with `bits` 32, `Integer.parseInt`). */
export function parseJavaLong(text: string, bits: 32 | 64 = 64, radix = 10): bigint {
  if (!DIGITS[radix]!.test(text) || isBeyondLong(text)) {
    throw forInputString(text, radix);
  }
  const value = readDigits(text, radix);
  if (BigInt.asIntN(bits, value) !== value) {
    throw forInputString(text, radix);
  }
  return value;
}

/** Number of digits that `new BigInteger(text, radix)` reads at a time; its error text quotes one such group. */
const DIGITS_PER_GROUP: Readonly<Record<number, number>> = { 8: 10, 10: 9, 16: 7 };

/** `new BigInteger(text, radix)`. */
function parseJavaBigInteger(text: string, radix: number): bigint {
  if (DIGITS[radix]!.test(text)) {
    return readDigits(text, radix);
  }
  const minus = text.lastIndexOf('-');
  const plus = text.lastIndexOf('+');
  if (text === '') {
    throw numberFormatException('Zero length BigInteger');
  }
  if (minus > 0 || plus > 0 || (minus === 0 && plus >= 0)) {
    throw numberFormatException('Illegal embedded sign character');
  }
  let cursor = minus === 0 || plus === 0 ? 1 : 0;
  if (cursor === text.length) {
    throw numberFormatException('Zero length BigInteger');
  }
  while (text[cursor] === '0') {
    cursor += 1;
  }
  const perGroup = DIGITS_PER_GROUP[radix]!;
  let groupLength = (text.length - cursor) % perGroup || perGroup;
  for (;;) {
    const group = text.slice(cursor, cursor + groupLength);
    parseJavaLong(group, 32, radix);
    cursor += groupLength;
    groupLength = perGroup;
    if (cursor >= text.length) {
      throw forInputString(text, radix);
    }
  }
}

/**
 * `new BigInteger(text, radix).longValue()`: the low 64 bits, in linear time. The number itself would take quadratic
 * time.
 */
export function parseJavaLowLong(text: string, radix: 10 | 16 = 10): bigint {
  if (text.length <= DIGITS_OF_A_LONG || !DIGITS[radix]!.test(text)) {
    return BigInt.asIntN(64, parseJavaBigInteger(text, radix));
  }
  const digits = text.replace(/^[+-]/, '');
  const scale = BigInt(radix) ** 12n;
  let low = 0n;
  for (let to = digits.length % 12 || 12, from = 0; from < digits.length; from = to, to += 12) {
    low = BigInt.asUintN(64, low * scale + BigInt(Number.parseInt(digits.slice(from, to), radix)));
  }
  return BigInt.asIntN(64, text.startsWith('-') ? -low : low);
}

/**
 * The integer token of JsonFormat's tokenizer: decimal, octal after a leading 0, hexadecimal after 0x; range-checked.
 *
 * @throws JavaException NumberFormatException with the text after `Couldn't parse integer: `
 */
export function parseFormatInteger(text: string, signed: boolean, bits: 32 | 64): bigint {
  const negative = text.startsWith('-');
  if (negative && !signed) {
    throw numberFormatException(`Number must be positive: ${text}`);
  }
  let digits = negative ? text.slice(1) : text;
  let radix = 10;
  if (digits.startsWith('0x')) {
    digits = digits.slice(2);
    radix = 16;
  } else if (digits.startsWith('0')) {
    radix = 8;
  }
  const outOfRange = () =>
    numberFormatException(`Number out of range for ${bits}-bit ${signed ? 'signed' : 'unsigned'} integer: ${text}`);
  if (digits.length >= 16 && isBeyondLong(digits) && DIGITS[radix]!.test(digits)) {
    throw outOfRange();
  }
  // Fifteen digits fit into a long in any radix: Java uses parseLong for them, and BigInteger for longer ones.
  const magnitude = digits.length < 16 ? parseJavaLong(digits, 64, radix) : parseJavaBigInteger(digits, radix);
  const value = negative ? -magnitude : magnitude;
  if (signed ? BigInt.asIntN(bits, value) !== value : BigInt.asUintN(bits, value) !== value) {
    throw outOfRange();
  }
  return value;
}
