/**
 * Cuts JSON text into the tokens of java-tron's JsonFormat (the second parser of a request body, http-api.md 2.4), and
 * reports errors at the 1-based line and column of the token, as clients know them.
 */

import { JavaException } from '../../errors/java-exception.js';
import { parseFormatInteger } from './java-numbers.js';

/** An identifier, a number or the one two-character mark; quoted text and single characters are cut by hand. */
const TOKEN = /[a-zA-Z_][0-9a-zA-Z_+-]*|\.?[0-9+-][0-9a-zA-Z_.+-]*|<\//y;
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

interface Position {
  readonly line: number;
  readonly column: number;
}

export class Tokenizer {
  readonly #text: string;
  /** Behind the current token and the whitespace that follows it. */
  #next = 0;
  #position = 0;
  #line = 0;
  #column = 0;
  #previous: Position = { line: 0, column: 0 };
  /** The token looked at; empty at the end of the text. */
  current = '';

  constructor(text: string) {
    this.#text = text;
    this.#skipWhitespace();
    this.advance();
  }

  atEnd(): boolean {
    return this.current === '';
  }

  advance(): void {
    this.#previous = { line: this.#line, column: this.#column };
    for (; this.#position < this.#next; this.#position += 1) {
      if (this.#text.charCodeAt(this.#position) === 0x0a) {
        this.#line += 1;
        this.#column = 0;
      } else {
        this.#column += 1;
      }
    }
    if (this.#next >= this.#text.length) {
      this.current = '';
      return;
    }
    const first = this.#text[this.#next]!;
    if (first === '"' || first === "'") {
      this.current = this.#text.slice(this.#next, this.#endOfQuoted(first));
    } else {
      TOKEN.lastIndex = this.#next;
      this.current = TOKEN.exec(this.#text)?.[0] ?? first;
    }
    this.#next += this.current.length;
    this.#skipWhitespace();
  }

  /** Where the quoted text that begins at the next token ends: behind its quote, else at the end of its line. */
  #endOfQuoted(quote: string): number {
    const text = this.#text;
    const quoteCode = quote.charCodeAt(0);
    let i = this.#next + 1;
    for (; i < text.length; i += 1) {
      const code = text.charCodeAt(i);
      if (code === quoteCode) {
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
    for (; this.#next < text.length; this.#next += 1) {
      const code = text.charCodeAt(this.#next);
      if (code === 0x23) {
        while (this.#next + 1 < text.length && !LINE_END.test(text[this.#next + 1]!)) {
          this.#next += 1;
        }
      } else if (code !== 0x20 && (code < 0x09 || code > 0x0d)) {
        return;
      }
    }
  }

  tryConsume(token: string): boolean {
    if (this.current !== token) {
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

  /** A name, quoted or not; the quotes are dropped wherever they stand. */
  consumeIdentifier(): string {
    const bad = NOT_IN_IDENTIFIER.exec(this.current);
    if (bad !== null) {
      throw this.error(`Expected identifier. -${bad[0]}`);
    }
    const name = this.current.replaceAll('"', '');
    this.advance();
    return name;
  }

  lookingAtInteger(): boolean {
    return /^[0-9+-]/.test(this.current);
  }

  lookingAtBoolean(): boolean {
    return this.current === 'true' || this.current === 'false';
  }

  consumeInteger(signed: boolean, bits: 32 | 64): bigint {
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
    const value = this.current === 'true';
    this.advance();
    return value;
  }

  consumeString(): string {
    const text = this.#unescape(this.#quoted());
    this.advance();
    return text;
  }

  /** The characters between the quotes as they stand, given to `decode`, which may throw a plain text as its error. */
  consumeRawString<T>(decode: (raw: string) => T): T {
    const raw = this.#quoted();
    const value = decode(raw);
    this.advance();
    return value;
  }

  #quoted(): string {
    const quote = this.current[0];
    if (quote !== '"' && quote !== "'") {
      throw this.error('Expected string.');
    }
    if (this.current.length < 2 || !this.current.endsWith(quote)) {
      throw this.error('String missing ending quote.');
    }
    return this.current.slice(1, -1);
  }

  #unescape(text: string): string {
    if (!text.includes('\\')) {
      return text;
    }
    let result = '';
    for (let i = 0; i < text.length; i += 1) {
      if (text[i] !== '\\') {
        result += text[i];
        continue;
      }
      i += 1;
      const letter = text[i];
      if (letter === undefined) {
        throw this.error("Invalid escape sequence: '\\' at end of string.");
      }
      if (letter === 'u') {
        const digits = text.slice(i + 1, i + 5);
        if (!/^[0-9a-fA-F]{4}$/.test(digits)) {
          throw this.error("Invalid escape sequence: '\\u' at end of string.");
        }
        result += String.fromCharCode(Number.parseInt(digits, 16));
        i += 4;
      } else if (ESCAPES[letter] !== undefined) {
        result += ESCAPES[letter];
      } else {
        throw this.error(`Invalid escape sequence: '\\${letter}'`);
      }
    }
    return result;
  }

  /** An error at the token looked at. */
  error(message: string): JavaException {
    return parseException(this.#line, this.#column, message);
  }

  /** An error at the token consumed last: what a value's meaning, not its form, is refused with. */
  errorAtPrevious(message: string): JavaException {
    return parseException(this.#previous.line, this.#previous.column, message);
  }
}

function parseException(line: number, column: number, message: string): JavaException {
  return new JavaException(
    'org.tron.core.services.http.JsonFormat$ParseException',
    `${line + 1}:${column + 1}: ${message}`,
  );
}
