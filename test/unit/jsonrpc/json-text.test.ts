/** JSON as Jackson reads it: the engine's parser and the reader of our own must be one language. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isMembers,
  type Json,
  JsonParseError,
  jsonText,
  NumberText,
  readJson,
  TooManyValuesError,
} from '../../../src/jsonrpc/json-text.js';

/** A number that a double does not keep makes the whole document take the slower reader. */
const LOSSY = '1e0';
const slowly = (text: string) => (readJson(`[${LOSSY},${text}]`) as readonly Json[])[1];

describe('reading', () => {
  test('gives what the engine gives, whichever reader it takes', () => {
    const documents = fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.stringify(value));
    const plain = (value: Json): unknown =>
      value instanceof NumberText
        ? Number(value.text)
        : Array.isArray(value)
          ? value.map(plain)
          : isMembers(value)
            ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]))
            : value;
    fc.assert(
      fc.property(documents, (text) => {
        const expected: unknown = JSON.parse(text);
        expect(plain(readJson(text))).toEqual(expected);
        expect(plain(slowly(text) as Json)).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });

  test('refuses what the engine refuses, but for what stands behind a document', () => {
    const texts = fc.oneof(
      fc.string({ unit: fc.constantFrom(...'{}[",:\\ 01.e-+tfn\u0001a') }),
      fc.jsonValue().map((value) => JSON.stringify(value).slice(0, -1)),
    );
    fc.assert(
      fc.property(texts, (text) => {
        // Behind the end of a document anything may stand.
        fc.pre(!text.includes(']'));
        let accepted = true;
        try {
          JSON.parse(`[0,${text}]`);
        } catch {
          accepted = false;
        }
        if (accepted) expect(() => slowly(text)).not.toThrow();
        else expect(() => slowly(text)).toThrow(JsonParseError);
      }),
      { numRuns: 2_000 },
    );
  });

  test.each(['1.50', '1e5', '-0', '9007199254740993', '123456789012345678901234567890'])(
    'keeps %s as written',
    (text) => {
      expect(readJson(`{"a":[${text}]}`)).toEqual({ a: [new NumberText(text)] });
    },
  );

  test('gives the first document and forgets the rest', () => {
    expect(readJson('{"a":1} {"a":2}')).toEqual({ a: 1 });
    expect(readJson('[1]]')).toEqual([1]);
    expect(readJson('"x"y')).toBe('x');
    // A scalar ends where white space begins, and nowhere else.
    expect(readJson('12 x')).toBe(12);
    expect(() => readJson('12x')).toThrow(JsonParseError);
  });

  test('the last of two members of one name counts, and __proto__ is a name', () => {
    expect(slowly('{"a":1,"a":2}')).toEqual({ a: 2 });
    const members = slowly('{"__proto__":{"b":1}}');
    expect(Object.keys(members as object)).toEqual(['__proto__']);
    expect((members as { b?: unknown }).b).toBeUndefined();
  });

  test('has limits: of nesting, of digits, of values', () => {
    expect(() => slowly('['.repeat(999) + ']'.repeat(999))).not.toThrow();
    expect(() => slowly('['.repeat(1_001) + ']'.repeat(1_001))).toThrow(JsonParseError);
    expect(() => readJson('['.repeat(1_000) + ']'.repeat(1_000))).not.toThrow();
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
      ['[{"a":', '}]'],
    ] as const) {
      expect(() => readJson(`${open.repeat(1_001)}0${close.repeat(1_001)}`)).toThrow(JsonParseError);
    }
    const brackets = `\\"${'[{'.repeat(1_001)}\\\\`;
    expect(readJson(`["${brackets}",${'[[]],'.repeat(1_001)}{}]`)).toHaveLength(1_003);
    expect(readJson(`[${'1'.repeat(1_000)}]`)).toEqual([new NumberText('1'.repeat(1_000))]);
    expect(() => readJson(`[${'1'.repeat(1_001)}]`)).toThrow(JsonParseError);
    expect(readJson(`[${'0,'.repeat(100_000)}0]`)).toHaveLength(100_001);
    expect(() => readJson(`[${'0,'.repeat(100_001)}0]`)).toThrow(TooManyValuesError);
    const members = (count: number) => `{${'"a":1,'.repeat(count - 1)}"b":1}`;
    expect(readJson(members(50_000))).toEqual({ a: 1, b: 1 });
    expect(() => readJson(members(50_001))).toThrow(new TooManyValuesError('names', 50_000));
  });
});

test('a number says whether it is an integer by how it is written', () => {
  for (const [text, isInteger] of [
    ['12345678901234567890', true],
    ['-0', true],
    ['1.0', false],
    ['1e3', false],
  ] as const) {
    expect([text, new NumberText(text).isInteger]).toEqual([text, isInteger]);
  }
});

test('texts are written as Jackson writes them: escapes in upper case, the text unchanged', () => {
  expect(jsonText('a\u001f"\\\n')).toBe('"a\\u001F\\"\\\\\\n"');
  // A backslash before a u is no escape.
  expect(jsonText('\\u00ab\u001b')).toBe('"\\\\u00ab\\u001B"');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(JSON.parse(jsonText(text))).toBe(text);
    }),
  );
});
