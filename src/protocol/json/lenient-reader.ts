/**
 * Reads JSON with the tolerance and the error texts of fastjson 1.2: it accepts unquoted and single-quoted names,
 * comments and stray commas. Errors have the text after `class com.alibaba.fastjson.JSONException : ` in java-tron's
 * answers (protocol/http-requests.md#the-two-json-parsers). This is the first of the two parsers of every POST body;
 * `message-reader.ts` reads contract fields from the same text.
 *
 * The structure follows fastjson's DefaultJSONParser and JSONLexer closely, because an error may name the position or
 * the character of that lexer. Not supported: dates (`new Date`), hex literals (`x'…'`), `@type` and `$ref`, which no
 * request of this API has; here they are ordinary members or syntax errors.
 */

import { JavaException } from '../../errors/java-exception.js';
import { bigintOf, numberFormatException, shortNumber } from './java-numbers.js';
import type { ReadingLimits } from './reading-limits.js';
import { hexUnit, TextUnits } from './text-units.js';
import { DecimalText, type JsonObject, type JsonValue } from './value.js';

export function jsonException(message: string): JavaException {
  return new JavaException('com.alibaba.fastjson.JSONException', message);
}

/**
 * The object in `text`: `JSONObject.parseObject(text)`. `null` for an empty text and for the word `null`.
 *
 * @throws JavaException JSONException with fastjson's text
 * @example readObject('{visible: true,}').get('visible') // true
 */
export function readObject(text: string): JsonObject | null {
  return asObject(readValue(text));
}

/**
 * Requires an object.
 *
 * @throws JavaException for other values
 */
export function asObject(value: JsonValue): JsonObject | null {
  if (value === null || value instanceof Map) {
    return value;
  }
  throw jsonException('can not cast to JSONObject.');
}

/**
 * The JSON value in `text`.
 *
 * @throws also the error of `limits`
 */
export function readValue(text: string, limits?: ReadingLimits): JsonValue {
  return new LenientReader(text, limits).readDocument();
}

/** java-tron's stack overflows for deeper nesting. */
const MAXIMUM_DEPTH = 2000;

/** Longer numbers are errors, as in fastjson. */
const MAXIMUM_NUMBER_LENGTH = 65_535;

/** Longer integers stay text until they are used: conversion takes quadratic time. */
const MAXIMUM_INTEGER_LENGTH = 100;

/** Shared by all chains: for all objects without members, never changed. */
const NO_MEMBERS: JsonObject = new Map();

/** The lexer's `current` behind the last character. */
const END = 0x1a;

type Token =
  | 'error'
  | 'int'
  | 'float'
  | 'string'
  | 'true'
  | 'false'
  | 'null'
  | 'new'
  | 'ident'
  | 'EOF'
  | 'Set'
  | 'TreeSet'
  | 'undefined'
  | '('
  | ')'
  | '{'
  | '}'
  | '['
  | ']'
  | ','
  | ':'
  | ';'
  | '.';

/** Tokens of one character, by character code. */
const MARKS: readonly (Token | undefined)[] = Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  return '()[]{},:;.'.includes(character) ? (character as Token) : undefined;
});

const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const COMMA = 0x2c;
const MINUS = 0x2d;
const SLASH = 0x2f;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

const isDigit = (ch: number): boolean => ch >= 0x30 && ch <= 0x39;
const isWhitespace = (ch: number): boolean =>
  ch === 0x20 || ch === 0x0a || ch === 0x0d || ch === 0x09 || ch === 0x0c || ch === 0x08;
const isLetter = (ch: number): boolean => (ch >= 0x41 && ch <= 0x5a) || (ch >= 0x61 && ch <= 0x7a);
const isNameStart = (ch: number): boolean => ch >= 256 || isLetter(ch) || ch === 0x5f || ch === 0x24;
const isNamePart = (ch: number): boolean => ch >= 256 || isLetter(ch) || isDigit(ch) || ch === 0x5f;
/** Characters that may follow one of the words true, false, null, new. */
const endsWord = (ch: number): boolean =>
  isWhitespace(ch) || ch === COMMA || ch === CLOSE_BRACE || ch === 0x5d || ch === END || ch === COLON || ch === SLASH;

/** Whether fastjson escapes the character. */
const needsEscape = (ch: number): boolean =>
  ch < 0x20 || ch === QUOTE || (ch >= 0x7f && (ch <= 0xa0 || ch === 0x2028 || ch === 0x2029));

const ESCAPES: Readonly<Record<string, string>> = {
  '0': '\0',
  '1': '\x01',
  '2': '\x02',
  '3': '\x03',
  '4': '\x04',
  '5': '\x05',
  '6': '\x06',
  '7': '\x07',
  b: '\b',
  t: '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  F: '\f',
  r: '\r',
  '"': '"',
  "'": "'",
  '/': '/',
  '\\': '\\',
};

/** The text that Java's BigInteger prints. */
function longInteger(text: string): bigint | DecimalText {
  const digits = text.replace(/^-?0*/, '');
  if (digits.length <= MAXIMUM_INTEGER_LENGTH) return BigInt(`${text.startsWith('-') ? '-' : ''}${digits || '0'}`);
  return new DecimalText(`${text.startsWith('-') ? '-' : ''}${digits}`);
}

class LenientReader {
  readonly #text: string;
  /** Index of the current character. */
  #at = 0;
  /** Start of the token that `#nextToken` read last; scans inside of an object do not change it. */
  #tokenStart = 0;
  #token: Token = 'error';
  #tokenText = '';
  #numberFrom = 0;
  #numberTo = 0;
  #depth = 0;
  readonly #limits: ReadingLimits | undefined;
  #valuesLeft: number;
  #escapesLeft: number;

  constructor(text: string, limits?: ReadingLimits) {
    this.#text = text;
    this.#limits = limits;
    this.#valuesLeft = limits?.values ?? Number.POSITIVE_INFINITY;
    this.#escapesLeft = limits?.escapes ?? Number.POSITIVE_INFINITY;
    if (text.charCodeAt(0) === 0xfeff) {
      this.#at = 1;
    }
  }

  readDocument(): JsonValue {
    const first = this.#current();
    if (first === OPEN_BRACE) {
      this.#at += 1;
      this.#token = '{';
    } else if (first === OPEN_BRACKET) {
      this.#at += 1;
      this.#token = '[';
    } else {
      this.#nextToken();
    }
    const value = this.#parse();
    if (this.#token !== 'EOF') {
      throw jsonException(`not close json text, token : ${this.#token}`);
    }
    return value;
  }

  #current(): number {
    return this.#at < this.#text.length ? this.#text.charCodeAt(this.#at) : END;
  }

  #advance(): number {
    this.#at += 1;
    return this.#current();
  }

  #isEnd(): boolean {
    return this.#at >= this.#text.length || (this.#current() === END && this.#at + 1 >= this.#text.length);
  }

  #where(): string {
    let line = 1;
    let column = 1;
    for (let i = 0; i < this.#at; i += 1, column += 1) {
      if (this.#text.charCodeAt(i) === 0x0a) {
        column = 1;
        line += 1;
      }
    }
    return `pos ${this.#at}, line ${line}, column ${column}${this.#text.slice(0, 65535)}`;
  }

  #nextToken(): void {
    for (;;) {
      this.#tokenStart = this.#at;
      const ch = this.#current();
      if (ch === SLASH) {
        this.#skipComment();
      } else if (ch === QUOTE) {
        this.#scanString(QUOTE);
        return;
      } else if (isDigit(ch) || ch === MINUS) {
        this.#scanNumber();
        return;
      } else if (isWhitespace(ch)) {
        this.#at += 1;
      } else if (ch === END && this.#isEnd()) {
        if (this.#token === 'EOF') {
          throw jsonException('EOF error');
        }
        this.#token = 'EOF';
        return;
      } else if (ch <= 31 || ch === 127) {
        this.#at += 1;
      } else {
        this.#scanWordOrMark(ch);
        return;
      }
    }
  }

  #scanWordOrMark(ch: number): void {
    const mark = MARKS[ch];
    if (mark !== undefined) {
      this.#at += 1;
      this.#token = mark;
      return;
    }
    switch (String.fromCharCode(ch)) {
      case "'":
        this.#scanString(APOSTROPHE);
        return;
      case 't':
        this.#scanWord('true', 'true');
        return;
      case 'f':
        this.#scanWord('false', 'false');
        return;
      case 'n':
        this.#scanWord(this.#text[this.#at + 1] === 'u' ? 'null' : 'new', 'new');
        return;
      case 'T':
      case 'N':
      case 'S':
      case 'u':
        this.#scanIdentifier();
        return;
      case '+':
        this.#at += 1;
        this.#scanNumber();
        return;
      case 'x': {
        const next = this.#advance();
        if (next !== APOSTROPHE) {
          throw jsonException(`illegal state. ${String.fromCharCode(next)}`);
        }
        this.#token = 'error';
        return;
      }
      default:
        this.#at += 1;
        this.#token = 'error';
    }
  }

  #scanWord(word: 'true' | 'false' | 'null' | 'new', fallback: string): void {
    if (!this.#text.startsWith(word, this.#at)) {
      throw jsonException(`error parse ${word === 'null' ? 'null' : fallback}`);
    }
    this.#at += word.length;
    if (!endsWord(this.#current())) {
      throw jsonException(`scan ${word} error`);
    }
    this.#token = word;
  }

  #scanIdentifier(): void {
    const start = this.#at;
    while (/[\p{L}\p{Nd}]/u.test(String.fromCharCode(this.#advance())));
    this.#tokenText = this.#text.slice(start, this.#at);
    const lower = this.#tokenText.toLowerCase();
    if (lower === 'null' || lower === 'new' || lower === 'true' || lower === 'false' || lower === 'undefined') {
      this.#token = lower;
    } else {
      this.#token = this.#tokenText === 'Set' || this.#tokenText === 'TreeSet' ? this.#tokenText : 'ident';
    }
  }

  #skipComment(): void {
    const second = this.#advance();
    if (second === SLASH) {
      while (!this.#isEnd() && this.#current() !== 0x0a) {
        this.#at += 1;
      }
      this.#at += 1;
    } else if (second === 0x2a) {
      this.#at += 1;
      const end = this.#text.indexOf('*/', this.#at);
      this.#at = end < 0 ? this.#text.length : end + 2;
    } else {
      throw jsonException('invalid comment');
    }
  }

  #skipWhitespace(): number {
    for (;;) {
      const ch = this.#current();
      if (isWhitespace(ch)) {
        this.#at += 1;
      } else if (ch === SLASH) {
        this.#skipComment();
      } else {
        return ch;
      }
    }
  }

  /** Leaves the position behind the closing quote, and the text in `#tokenText`. */
  #scanString(quote: number): void {
    this.#tokenText = this.#scanQuoted(
      quote,
      (ch) => `unclosed string : ${String.fromCharCode(ch)}`,
      (ch) => `unclosed string : ${String.fromCharCode(ch)}`,
    );
    this.#token = 'string';
  }

  #scanQuoted(quote: number, unclosed: (ch: number) => string, badEscape: (ch: number) => string): string {
    const text = this.#text;
    const from = this.#at + 1;
    for (let i = from; i < text.length; i += 1) {
      const ch = text.charCodeAt(i);
      if (ch === quote) {
        this.#at = i + 1;
        return text.slice(from, i);
      }
      if (ch === BACKSLASH) return this.#scanEscaped(from, i, quote, unclosed, badEscape);
      if (needsEscape(ch)) this.#countEscape();
    }
    this.#at = text.length;
    throw jsonException(unclosed(END));
  }

  /** The rest of a quoted text that starts at `from` and has its first backslash at `i`. */
  #scanEscaped(
    from: number,
    i: number,
    quote: number,
    unclosed: (ch: number) => string,
    badEscape: (ch: number) => string,
  ): string {
    const text = this.#text;
    const decoded = new TextUnits(64);
    decoded.append(text, from, i);
    let at = i;
    while (at < text.length) {
      const ch = text.charCodeAt(at);
      if (ch === quote) {
        this.#at = at + 1;
        return decoded.toString();
      }
      if (ch !== BACKSLASH) {
        if (needsEscape(ch)) this.#countEscape();
        decoded.push(ch);
        at += 1;
        continue;
      }
      this.#countEscape();
      const letter = text[at + 1] ?? String.fromCharCode(END);
      if (letter === 'u' || letter === 'x') {
        const length = letter === 'u' ? 4 : 2;
        const unit = hexUnit(text, at + 2, length);
        if (unit < 0) {
          const digits = text.slice(at + 2, at + 2 + length).padEnd(length, String.fromCharCode(END));
          throw letter === 'u'
            ? numberFormatException(`For input string: "${digits}" under radix 16`)
            : jsonException(`invalid escape character \\x${digits}`);
        }
        decoded.push(unit);
        at += 2 + length;
      } else {
        const escaped = ESCAPES[letter];
        if (escaped === undefined) {
          throw jsonException(badEscape(letter.charCodeAt(0)));
        }
        decoded.push(escaped.charCodeAt(0));
        at += 2;
      }
    }
    this.#at = at;
    throw jsonException(unclosed(END));
  }

  #scanName(quote: number): string {
    return this.#scanQuoted(
      quote,
      () => 'unclosed.str',
      () => 'unclosed.str.lit',
    );
  }

  #scanBareName(): string | null {
    if (this.#token === 'error' && this.#tokenStart === 0 && this.#at === 1) {
      this.#at = 0;
    }
    const start = this.#at;
    const first = this.#current();
    if (!isNameStart(first)) {
      throw jsonException(`illegal identifier : ${String.fromCharCode(first)}${this.#where()}`);
    }
    while (this.#advance() !== END && isNamePart(this.#current()));
    this.#token = 'ident';
    const name = this.#text.slice(start, this.#at);
    return name === 'null' ? null : name;
  }

  /** Leaves the number's range in `#numberFrom` and `#numberTo`. */
  #scanNumber(): void {
    this.#numberFrom = this.#at;
    if (this.#current() === MINUS) {
      this.#at += 1;
    }
    let isFloat = false;
    this.#skipDigits();
    if (this.#current() === 0x2e) {
      isFloat = true;
      this.#at += 1;
      this.#skipDigits();
    }
    this.#numberTo = this.#at;
    if (this.#numberTo - this.#numberFrom > MAXIMUM_NUMBER_LENGTH) {
      throw jsonException('scanNumber overflow');
    }
    const suffix = this.#current();
    if (!isLetter(suffix)) {
      this.#token = isFloat ? 'float' : 'int';
      return;
    }
    if ('LSBFD'.includes(String.fromCharCode(suffix))) {
      isFloat ||= suffix === 0x46 || suffix === 0x44;
      this.#at += 1;
    } else if (suffix === 0x65 || suffix === 0x45) {
      isFloat = true;
      const sign = this.#advance();
      if (sign === 0x2b || sign === MINUS) {
        this.#at += 1;
      }
      this.#skipDigits();
      this.#numberTo = this.#at;
      if ('FD'.includes(String.fromCharCode(this.#current()))) {
        this.#at += 1;
      }
    }
    this.#token = isFloat ? 'float' : 'int';
  }

  #skipDigits(): void {
    while (isDigit(this.#current())) {
      this.#at += 1;
    }
  }

  #numberValue(): bigint | DecimalText {
    if (this.#token === 'int') {
      const short = shortNumber(this.#text, this.#numberFrom, this.#numberTo);
      if (short >= 0) {
        return bigintOf(short);
      }
    }
    const text = this.#text.slice(this.#numberFrom, this.#numberTo);
    if (this.#token === 'float') {
      if (!/\d/.test(text) || /[eE][+-]?$/.test(text)) {
        throw new JavaException('java.lang.NumberFormatException', null);
      }
      return new DecimalText(text);
    }
    if (text === '-') {
      throw numberFormatException('-');
    }
    if (text.length > MAXIMUM_INTEGER_LENGTH) {
      return longInteger(text);
    }
    return text === '' ? 0n : BigInt(text);
  }

  #parse(): JsonValue {
    switch (this.#token) {
      case '[':
        return this.#parseArray();
      case '{':
        return this.#parseObject();
      case 'int':
      case 'float': {
        const value = this.#numberValue();
        this.#nextToken();
        return value;
      }
      case 'string': {
        const value = this.#tokenText;
        this.#nextToken();
        return value;
      }
      case 'null':
      case 'undefined':
        this.#nextToken();
        return null;
      case 'true':
      case 'false': {
        const value = this.#token === 'true';
        this.#nextToken();
        return value;
      }
      case 'Set':
      case 'TreeSet':
        this.#nextToken();
        return this.#parseArray();
      case 'EOF':
        if (this.#text.trim() === '') {
          return null;
        }
        throw jsonException(`unterminated json string, ${this.#where()}`);
      case 'ident':
        if (this.#tokenText === 'NaN') {
          this.#nextToken();
          return null;
        }
        throw jsonException(`syntax error, ${this.#where()}`);
      default:
        throw jsonException(this.#token === 'new' ? 'syntax error' : `syntax error, ${this.#where()}`);
    }
  }

  #countValue(): void {
    this.#valuesLeft -= 1;
    if (this.#valuesLeft < 0) throw this.#limits!.refusal('values');
  }

  #countEscape(): void {
    this.#escapesLeft -= 1;
    if (this.#escapesLeft < 0) throw this.#limits!.refusal('escapes');
  }

  #enter(): void {
    this.#depth += 1;
    if (this.#depth > MAXIMUM_DEPTH) {
      throw new JavaException('java.lang.StackOverflowError', null);
    }
  }

  #parseArray(): JsonValue[] {
    if (this.#token !== '[') {
      throw jsonException(`syntax error, expect [, actual ${this.#token}, pos ${this.#tokenStart}, fieldName null`);
    }
    this.#enter();
    const values: JsonValue[] = [];
    this.#nextToken();
    for (;;) {
      while (this.#is(',')) {
        this.#nextToken();
      }
      if (this.#is(']')) {
        this.#nextToken();
        this.#depth -= 1;
        return values;
      }
      if (this.#is('EOF')) {
        throw jsonException('unclosed jsonArray');
      }
      this.#countValue();
      values.push(this.#parse());
    }
  }

  /** Compares the current token. A method, so that the compiler does not assume an unchanged token. */
  #is(token: Token): boolean {
    return this.#token === token;
  }

  #parseObject(): JsonObject {
    this.#enter();
    let object: Map<string, JsonValue> | undefined;
    for (;;) {
      let ch = this.#skipWhitespace();
      while (ch === COMMA) {
        this.#at += 1;
        ch = this.#skipWhitespace();
      }
      if (ch === CLOSE_BRACE) {
        return this.#closeObject(object ?? NO_MEMBERS);
      }
      this.#countValue();
      const key = this.#parseName(ch);
      object ??= new Map();
      this.#at += 1;
      ch = this.#skipWhitespace();
      if (ch === QUOTE || isDigit(ch) || ch === MINUS) {
        if (ch === QUOTE) {
          this.#scanString(QUOTE);
          object.set(key, this.#tokenText);
        } else {
          this.#scanNumber();
          object.set(key, this.#numberValue());
        }
        ch = this.#skipWhitespace();
        if (ch === CLOSE_BRACE) {
          return this.#closeObject(object ?? NO_MEMBERS);
        }
        if (ch !== COMMA) {
          throw jsonException(`syntax error, position at ${this.#tokenStart}, name ${key}`);
        }
        this.#at += 1;
        continue;
      }
      const opening = ch;
      this.#nextToken();
      object.set(key, this.#parse());
      if (this.#is('}')) {
        this.#depth -= 1;
        this.#nextToken();
        return object;
      }
      if (!this.#is(',')) {
        throw jsonException(
          opening === OPEN_BRACKET
            ? 'syntax error'
            : opening === OPEN_BRACE
              ? `syntax error, ${this.#token}`
              : `syntax error, position at ${this.#tokenStart}, name ${key}`,
        );
      }
    }
  }

  #closeObject(object: JsonObject): JsonObject {
    this.#at += 1;
    this.#depth -= 1;
    this.#nextToken();
    return object;
  }

  /** Reads a member's name, and leaves the position at the colon. */
  #parseName(first: number): string {
    if (first === QUOTE || first === APOSTROPHE) {
      const key = this.#scanName(first);
      if (this.#skipWhitespace() !== COLON) {
        throw jsonException(`expect ':' at ${this.#tokenStart}${first === QUOTE ? `, name ${key}` : ''}`);
      }
      return key;
    }
    if (first === END && this.#at >= this.#text.length) {
      throw jsonException('syntax error');
    }
    if (isDigit(first) || first === MINUS) {
      this.#scanNumber();
      const key = this.#numberValue();
      if (this.#current() !== COLON) {
        throw jsonException(`parse number key error${this.#where()}`);
      }
      return key instanceof DecimalText ? key.text : String(key);
    }
    const key = this.#scanBareName();
    const ch = this.#skipWhitespace();
    if (ch !== COLON) {
      throw jsonException(`expect ':' at ${this.#tokenStart}, actual ${String.fromCharCode(ch)}`);
    }
    return key ?? 'null';
  }
}
