/**
 * Reads JSON like java-tron's JSON-RPC server (Jackson): strict JSON, the first document only, numbers with their
 * original text if a JavaScript number would lose it (protocol/json-rpc.md#http-and-envelope-behaviour). Nearly every
 * body uses the engine's own parser; the reader below is for values that it would lose.
 */

/** A number with a significant text: a fraction, an exponent, more digits than a double holds, a negative zero. */
export class NumberText {
  constructor(readonly text: string) {}

  get isInteger(): boolean {
    return /^-?\d+$/.test(this.text);
  }
}

export type Json = null | boolean | number | string | NumberText | readonly Json[] | JsonMembers;
export interface JsonMembers {
  readonly [name: string]: Json;
}

export function isMembers(value: Json | undefined): value is JsonMembers {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof NumberText);
}

/** The value in JavaScript; a whole number that would be rounded is a bigint. */
export function plainJson(value: Json): unknown {
  return isPlain(value) ? value : madePlain(value);
}

/** True if the engine's parser has read all of it. */
function isPlain(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (value instanceof NumberText) return false;
  if (Array.isArray(value)) return value.every(isPlain);
  for (const name in value) if (!isPlain((value as JsonMembers)[name] as Json)) return false;
  return true;
}

function madePlain(value: Json): unknown {
  if (value instanceof NumberText) {
    const number = Number(value.text);
    return value.isInteger && !Number.isSafeInteger(number) ? BigInt(value.text) : number;
  }
  if (Array.isArray(value)) return value.map(madePlain);
  if (!isMembers(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, madePlain(member)]));
}

/** The body is not JSON, or an argument does not fit its method. */
export class JsonParseError extends Error {
  override readonly name = 'JsonParseError';
}

/** Also matches inside of texts, which only selects the slower reader. */
const LOSSY_NUMBER = /[:[,\s](?:-?\d+[.eE]|-?\d{16}|-0)/;

/** Jackson's limit: longer numbers are slow to read, and never meaningful. */
const MAX_NUMBER_CHARACTERS = 1_000;
/** Far above a full batch. More would delay other callers. */
const MAX_VALUES = 100_000;
/** For members of objects, which are more expensive if all names differ. */
const MAX_NAMES = 50_000;

export class TooManyValuesError extends Error {
  override readonly name = 'TooManyValuesError';

  constructor(
    readonly what: 'values' | 'names',
    readonly limit: number,
  ) {
    super(`more than ${limit} ${what}`);
  }
}

/** Whether a character occurs more often, texts included. */
function hasMoreThan(limit: number, character: string, text: string): boolean {
  let count = 0;
  for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) {
    if (++count > limit) return true;
  }
  return false;
}

/** @throws JsonParseError; TooManyValuesError */
export function readJson(text: string): Json {
  if (text.length > MAX_NAMES) {
    if (hasMoreThan(MAX_VALUES, ',', text)) throw new TooManyValuesError('values', MAX_VALUES);
    if (hasMoreThan(MAX_NAMES, ':', text)) throw new TooManyValuesError('names', MAX_NAMES);
  }
  if (isTooDeep(text)) throw new JsonParseError('nested too deep');
  if (LOSSY_NUMBER.test(text)) return new Reader(text).document();
  try {
    return JSON.parse(text) as Json;
  } catch {
    // Not JSON, or more than one document.
    return new Reader(text).document();
  }
}

/** Jackson's limit is the same. The engine's parser has none: two million brackets take it half a second. */
const MAX_DEPTH = 1_000;

function isTooDeep(text: string): boolean {
  if (text.length <= MAX_DEPTH) return false;
  const half = MAX_DEPTH / 2;
  if (!hasMoreThan(half, '[', text) && !hasMoreThan(half, '{', text)) return false;
  let depth = 0;
  let isText = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') isText = !isText;
    else if (isText) at += character === '\\' ? 1 : 0;
    else if (character === '[' || character === '{') {
      if (++depth > MAX_DEPTH) return true;
    } else if (character === ']' || character === '}') depth--;
  }
  return false;
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON has them escaped in texts, and nothing else may do
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const WHITESPACE = /[ \t\r\n]*/y;
const END_OF_SCALAR = /[ \t\r\n]|$/y;
const LITERALS = [
  ['true', true],
  ['false', false],
  ['null', null],
] as const;

class Reader {
  #at: number;

  constructor(private readonly text: string) {
    this.#at = text.startsWith('\ufeff') ? 1 : 0;
  }

  document(): Json {
    const value = this.#value(0);
    if ((typeof value !== 'object' || value === null || value instanceof NumberText) && typeof value !== 'string') {
      if (this.#match(END_OF_SCALAR) === undefined) throw this.#error();
    }
    return value;
  }

  #value(depth: number): Json {
    if (depth > MAX_DEPTH) throw this.#error();
    this.#match(WHITESPACE);
    const first = this.text[this.#at];
    if (first === '{') return this.#object(depth);
    if (first === '[') return this.#array(depth);
    if (first === '"') return this.#string();
    for (const [word, value] of LITERALS) {
      if (this.text.startsWith(word, this.#at)) {
        this.#at += word.length;
        return value;
      }
    }
    const number = this.#match(NUMBER);
    if (number === undefined) throw this.#error();
    if (number.length > MAX_NUMBER_CHARACTERS) throw this.#error();
    const plain = Number(number);
    return String(plain) === number ? plain : new NumberText(number);
  }

  #object(depth: number): JsonMembers {
    const members = new Map<string, Json>();
    this.#at++;
    this.#match(WHITESPACE);
    if (this.#take('}')) return {};
    do {
      this.#match(WHITESPACE);
      const name = this.#string();
      this.#match(WHITESPACE);
      if (!this.#take(':')) throw this.#error();
      members.set(name, this.#value(depth + 1));
      this.#match(WHITESPACE);
    } while (this.#take(','));
    if (!this.#take('}')) throw this.#error();
    return Object.fromEntries(members);
  }

  #array(depth: number): Json[] {
    const items: Json[] = [];
    this.#at++;
    this.#match(WHITESPACE);
    if (this.#take(']')) return items;
    do {
      items.push(this.#value(depth + 1));
      this.#match(WHITESPACE);
    } while (this.#take(','));
    if (!this.#take(']')) throw this.#error();
    return items;
  }

  #string(): string {
    const text = this.#match(STRING);
    if (text === undefined) throw this.#error();
    return JSON.parse(text) as string;
  }

  #take(character: string): boolean {
    if (this.text[this.#at] !== character) return false;
    this.#at++;
    return true;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  #error(): JsonParseError {
    return new JsonParseError(`not JSON at ${this.#at}`);
  }
}

const ESCAPE = /\\(?:u([0-9a-f]{4})|.)/g;

/** A text as Jackson writes it: like `JSON.stringify`, with upper-case digits in escapes. */
export function jsonText(text: string): string {
  const escaped = JSON.stringify(text);
  if (!escaped.includes('\\u')) return escaped;
  return escaped.replace(ESCAPE, (found, code: string | undefined) =>
    code === undefined ? found : `\\u${code.toUpperCase()}`,
  );
}
