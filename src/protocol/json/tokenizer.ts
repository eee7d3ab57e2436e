/**
 * Splits JSON text into the tokens of java-tron's JsonFormat (the second parser of a request body,
 * protocol/http-requests.md#jsonformat-json--protobuf). Errors have the 1-based line and column of the token, as in
 * java-tron.
 */

import { JavaException } from '../../errors/java-exception.js';
import { bigintOf, parseFormatInteger, shortNumber } from './java-numbers.js';
import type { ReadingLimits } from './reading-limits.js';
import { hexUnit, TextUnits } from './text-units.js';

const LINE_END = /[\n\r\u0085\u2028\u2029]/;
const NOT_IN_IDENTIFIER = /[^A-Za-z0-9_."]/;

const ESCAPES: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  '"': '"',
  "'": "'",
  '\\': '\\',
  '/': '/',
};

/** Classes of characters that start or continue a token; all other characters are tokens themselves. */
const NAME_START = 1;
const NUMBER_START = 2;
const IN_NAME = 4;
const IN_NUMBER = 8;
const IN_PLAIN_NAME = 16;
const CLASSES = new Uint8Array(128);
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_';
const DIGITS = '0123456789';
for (const [characters, classes] of [
  [LETTERS, NAME_START | IN_NAME | IN_NUMBER | IN_PLAIN_NAME],
  [DIGITS, NUMBER_START | IN_NAME | IN_NUMBER | IN_PLAIN_NAME],
  ['+-', NUMBER_START | IN_NAME | IN_NUMBER],
  ['.', IN_NUMBER | IN_PLAIN_NAME],
] as const)
  for (const character of characters) CLASSES[character.charCodeAt(0)] = classes;

const classOf = (code: number): number => (code < 128 ? CLASSES[code]! : 0);

const DOUBLE_QUOTE = 0x22;
const SINGLE_QUOTE = 0x27;
const DOT = 0x2e;
const SLASH = 0x2f;
const ZERO = 0x30;
const LESS_THAN = 0x3c;

export class Tokenizer {
  readonly #text: string;
  /** Start of the current token; start and end are the end of the text if there is none. */
  #from = 0;
  #to = 0;
  /** Position behind the current token and the following whitespace. */
  #next = 0;
  /** Start of the last consumed token. */
  #previous = 0;
  #valuesLeft: number;

  constructor(
    text: string,
    private readonly limits?: ReadingLimits,
  ) {
    this.#text = text;
    this.#valuesLeft = limits?.values ?? Number.POSITIVE_INFINITY;
    this.#skipWhitespace();
    this.advance();
  }

  /** The current token; empty at the end of the text. */
  get current(): string {
    return this.#text.slice(this.#from, this.#to);
  }

  /** Call it for each value. */
  countValue(): void {
    this.#valuesLeft -= 1;
    if (this.#valuesLeft < 0) throw this.limits!.refusal('values');
  }

  atEnd(): boolean {
    return this.#from === this.#to;
  }

  advance(): void {
    const text = this.#text;
    this.#previous = this.#from;
    this.#from = this.#next;
    const code = this.#from < text.length ? text.charCodeAt(this.#from) : -1;
    this.#to = code < 0 ? this.#from : this.#endOfToken(code);
    this.#next = this.#to;
    this.#skipWhitespace();
  }

  #endOfToken(first: number): number {
    if (first === DOUBLE_QUOTE || first === SINGLE_QUOTE) return this.#endOfQuoted(first);
    const text = this.#text;
    const from = this.#from;
    const kind = classOf(first);
    if (kind & NAME_START) return this.#endOf(IN_NAME);
    if (kind & NUMBER_START) return this.#endOf(IN_NUMBER);
    if (first === DOT && classOf(text.charCodeAt(from + 1)) & NUMBER_START) return this.#endOf(IN_NUMBER);
    if (first === LESS_THAN && text.charCodeAt(from + 1) === SLASH) return from + 2;
    return from + 1;
  }

  #endOf(kind: number): number {
    const text = this.#text;
    let i = this.#from + 1;
    while (i < text.length && classOf(text.charCodeAt(i)) & kind) i += 1;
    return i;
  }

  /** End of the quoted text that starts here: behind its closing quote, or the end of its line. */
  #endOfQuoted(quote: number): number {
    const text = this.#text;
    let i = this.#from + 1;
    for (; i < text.length; i += 1) {
      const code = text.charCodeAt(i);
      if (code === quote) {
        return i + 1;
      }
      if (code === 0x0a) {
        return i;
      }
      if (code === 0x5c) {
        i += 1;
        if (i >= text.length || LINE_END.test(text[i]!)) {
          return i;
        }
      }
    }
    return text.length;
  }

  #skipWhitespace(): void {
    const text = this.#text;
    let i = this.#next;
    for (; i < text.length; i += 1) {
      const code = text.charCodeAt(i);
      if (code === 0x23) {
        while (i + 1 < text.length && !LINE_END.test(text[i + 1]!)) {
          i += 1;
        }
      } else if (code !== 0x20 && (code < 0x09 || code > 0x0d)) {
        break;
      }
    }
    this.#next = i;
  }

  /** Whether the current token is `token`. */
  #isAt(token: string): boolean {
    const length = token.length;
    if (this.#to - this.#from !== length) return false;
    return length === 1
      ? this.#text.charCodeAt(this.#from) === token.charCodeAt(0)
      : this.#text.startsWith(token, this.#from);
  }

  tryConsume(token: string): boolean {
    if (!this.#isAt(token)) {
      return false;
    }
    this.advance();
    return true;
  }

  consume(token: string): void {
    if (!this.tryConsume(token)) {
      throw this.error(`Expected "${token}".`);
    }
  }

  /** A name, quoted or not. All quotes are removed, also inside of the name. */
  consumeIdentifier(): string {
    const name = this.#plainName();
    if (name !== undefined) {
      this.advance();
      return name;
    }
    const token = this.current;
    const bad = NOT_IN_IDENTIFIER.exec(token);
    if (bad !== null) {
      throw this.error(`Expected identifier. -${bad[0]}`);
    }
    this.advance();
    return token.replaceAll('"', '');
  }

  /** A name in two quotes without escapes. */
  #plainName(): string | undefined {
    const text = this.#text;
    const to = this.#to - 1;
    if (to <= this.#from || text.charCodeAt(this.#from) !== DOUBLE_QUOTE || text.charCodeAt(to) !== DOUBLE_QUOTE) {
      return undefined;
    }
    for (let i = this.#from + 1; i < to; i += 1) {
      if (!(classOf(text.charCodeAt(i)) & IN_PLAIN_NAME)) return undefined;
    }
    return text.slice(this.#from + 1, to);
  }

  lookingAtInteger(): boolean {
    return this.#from < this.#to && (classOf(this.#text.charCodeAt(this.#from)) & NUMBER_START) !== 0;
  }

  lookingAtBoolean(): boolean {
    return this.#isAt('true') || this.#isAt('false');
  }

  consumeInteger(signed: boolean, bits: 32 | 64): bigint {
    const short = bits === 64 ? this.#shortInteger() : -1;
    if (short >= 0) {
      this.advance();
      return bigintOf(short);
    }
    try {
      const value = parseFormatInteger(this.current, signed, bits);
      this.advance();
      return value;
    } catch (error) {
      if (error instanceof JavaException) {
        throw this.error(`Couldn't parse integer: ${error.javaMessage}`);
      }
      throw error;
    }
  }

  /** {@link consumeInteger} of 64 bits, without the value. */
  skipInteger(): void {
    if (this.#shortInteger() >= 0) this.advance();
    else this.consumeInteger(true, 64);
  }

  /** The number if the token has few decimal digits, otherwise -1; numbers with a leading 0 are octal. */
  #shortInteger(): number {
    const isOctal = this.#to - this.#from > 1 && this.#text.charCodeAt(this.#from) === ZERO;
    return isOctal ? -1 : shortNumber(this.#text, this.#from, this.#to);
  }

  consumeDouble(): number {
    const text = this.current;
    const value = text === 'nan' ? Number.NaN : Number(text);
    if (text === '' || (Number.isNaN(value) && text !== 'nan')) {
      throw this.error(`Couldn't parse number: For input string: "${text}"`);
    }
    this.advance();
    return value;
  }

  consumeBoolean(): boolean {
    if (!this.lookingAtBoolean()) {
      throw this.error('Expected "true" or "false".');
    }
    const value = this.#isAt('true');
    this.advance();
    return value;
  }

  consumeString(): string {
    const text = this.#unescape(this.#quoted());
    this.advance();
    return text;
  }

  /** Passes the raw characters between the quotes to `decode`, which may throw a text as its error. */
  consumeRawString<T>(decode: (raw: string) => T): T {
    const raw = this.#quoted();
    const value = decode(raw);
    this.advance();
    return value;
  }

  #quoted(): string {
    const text = this.#text;
    const quote = this.atEnd() ? -1 : text.charCodeAt(this.#from);
    if (quote !== DOUBLE_QUOTE && quote !== SINGLE_QUOTE) {
      throw this.error('Expected string.');
    }
    if (this.#to - this.#from < 2 || text.charCodeAt(this.#to - 1) !== quote) {
      throw this.error('String missing ending quote.');
    }
    return text.slice(this.#from + 1, this.#to - 1);
  }

  #unescape(text: string): string {
    let at = text.indexOf('\\');
    if (at < 0) {
      return text;
    }
    const decoded = new TextUnits(text.length);
    let from = 0;
    for (; at >= 0; at = text.indexOf('\\', from)) {
      decoded.append(text, from, at);
      const letter = text[at + 1];
      if (letter === undefined) {
        throw this.error("Invalid escape sequence: '\\' at end of string.");
      }
      if (letter === 'u') {
        const unit = hexUnit(text, at + 2, 4);
        if (unit < 0) throw this.error("Invalid escape sequence: '\\u' at end of string.");
        decoded.push(unit);
        from = at + 6;
      } else {
        const escaped = ESCAPES[letter];
        if (escaped === undefined) {
          throw this.error(`Invalid escape sequence: '\\${letter}'`);
        }
        decoded.push(escaped.charCodeAt(0));
        from = at + 2;
      }
    }
    decoded.append(text, from, text.length);
    return decoded.toString();
  }

  /** An error at the current token. */
  error(message: string): JavaException {
    return this.#errorAt(this.#from, message);
  }

  /** An error at the last consumed token, for a value of valid form but invalid content. */
  errorAtPrevious(message: string): JavaException {
    return this.#errorAt(this.#previous, message);
  }

  /** Lines and columns are only counted for an error. */
  #errorAt(at: number, message: string): JavaException {
    let line = 1;
    let lineStart = 0;
    for (let end = this.#text.indexOf('\n'); end >= 0 && end < at; end = this.#text.indexOf('\n', lineStart)) {
      line += 1;
      lineStart = end + 1;
    }
    return new JavaException(
      'org.tron.core.services.http.JsonFormat$ParseException',
      `${line}:${at - lineStart + 1}: ${message}`,
    );
  }
}
