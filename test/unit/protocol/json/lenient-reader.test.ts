import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JavaException } from '../../../../src/errors/java-exception.js';
import { readObject, readValue } from '../../../../src/protocol/json/lenient-reader.js';
import {
  booleanMember,
  DecimalText,
  exactLongMember,
  intMember,
  longMember,
  textMember,
  writeCompact,
} from '../../../../src/protocol/json/value.js';

function refusal(text: string): string {
  try {
    readObject(text);
  } catch (error) {
    if (error instanceof JavaException) {
      return error.wireText.replace('class com.alibaba.fastjson.JSONException : ', '');
    }
    throw error;
  }
  return 'accepted';
}

describe('what fastjson takes', () => {
  test.each([
    ["{'a':'b'}", 'a', 'b'],
    ['{a:"b"}', 'a', 'b'],
    ['{"a":"b",}', 'a', 'b'],
    ['{,,"a":"b"}', 'a', 'b'],
    ['/* x */ {"a": // y\n "b"}', 'a', 'b'],
    ['{"a":1,"a":2}', 'a', 2n],
    ['{"a":9223372036854775808}', 'a', 9223372036854775808n],
    ['{"a":-0}', 'a', 0n],
    ['{"a":true}', 'a', true],
    ['{"a":NULL}', 'a', null],
    ['{"a":"\\u0041\\x41\\101"}', 'a', 'AA\u000101'],
    ['{12:"b"}', '12', 'b'],
    ['\ufeff{"a":"b"}', 'a', 'b'],
  ])('%s', (text, key, value) => {
    expect(readObject(text)?.get(key)).toEqual(value);
  });

  test('nothing and null are no object', () => {
    expect(readObject('')).toBeNull();
    expect(readObject(' \n')).toBeNull();
    expect(readObject('null')).toBeNull();
  });

  test('arrays, nested objects, fractions', () => {
    const object = readObject('{"a":[1 2,,{"b":[]}],"c":1.50,"d":1e3}')!;
    expect(object.get('a')).toEqual([1n, 2n, new Map([['b', []]])]);
    expect(object.get('c')).toEqual(new DecimalText('1.50'));
    expect(object.get('d')).toEqual(new DecimalText('1e3'));
  });
});

/** Recorded texts stand in test/wire/json-refusals.test.ts; these are of the kinds that no recording has. */
describe('what fastjson refuses, and its words', () => {
  test.each([
    ['{"a"}', "expect ':' at 0, name a"],
    ["{'a'}", "expect ':' at 0"],
    ['{a}', "expect ':' at 0, actual }"],
    ['{"a":1', 'syntax error, position at 0, name a'],
    ['{"a":1]', 'syntax error, position at 0, name a'],
    ['{"a":"b', 'unclosed string : \u001a'],
    ['{"a', 'unclosed.str'],
    ['{"a":"\\q"}', 'unclosed string : q'],
    ['{"a":tru}', 'error parse true'],
    ['{"a":truely}', 'scan true error'],
    ['{"a":[1', 'unclosed jsonArray'],
    ['{"a":{}"b":1}', 'syntax error, string'],
    ['{} {}', 'not close json text, token : {'],
    ['{} "x"', 'not close json text, token : string'],
    ['{"a":/x}', 'invalid comment'],
    ['{-:1}', 'class java.lang.NumberFormatException : -'],
  ])('%s', (text, message) => {
    expect(refusal(text)).toBe(message);
  });

  test('numbers are bounded', () => {
    expect(refusal(`{"a":${'9'.repeat(4_000_000)}}`)).toBe('scanNumber overflow');
  });

  test('an integer of very many digits is what it would be as a number, and is written as one', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 130n), max: 10n ** 130n }), fc.nat(40), (number, zeros) => {
        const text = `${number < 0n ? '-' : ''}${'0'.repeat(zeros)}${String(number).replace('-', '')}`;
        const object = readObject(`{"a":${text}}`)!;
        expect(longMember(object, 'a')).toBe(BigInt.asIntN(64, number));
        expect(textMember(object, 'a')).toBe(String(number));
        expect(writeCompact(object)).toBe(`{"a":${number}}`);
        const exact = BigInt.asIntN(64, number) === number;
        if (exact) expect(exactLongMember(object, 'a')).toBe(number);
        else expect(() => exactLongMember(object, 'a')).toThrow('Overflow');
      }),
    );
  });

  test('escapes of any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const units = Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));
        const escaped = units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`);
        expect(readObject(`{"a":"x${escaped.join('')}y"}`)!.get('a')).toBe(`x${text}y`);
        expect(readObject(JSON.stringify({ a: text }))!.get('a')).toBe(text);
      }),
    );
  });

  test('depth is bounded, not the stack', () => {
    expect(refusal('{"a":'.repeat(100_000))).toBe('class java.lang.StackOverflowError : null');
    expect(refusal(`{"a":${'['.repeat(100_000)}`)).toBe('class java.lang.StackOverflowError : null');
  });

  test('whatever the text, it is an object or a JavaException', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'{}[]:,"\'\\ \n#/*-+.0eEtfnuxNaTS') })),
        (text) => {
          try {
            const object = readObject(text);
            return object === null || object instanceof Map;
          } catch (error) {
            return error instanceof JavaException;
          }
        },
      ),
      { numRuns: 2000 },
    );
  });

  test('JSON of any kind is read as JSON.parse reads it, integers exact', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const value = readValue(text);
        expect(JSON.parse(writeCompact(value) === '' ? 'null' : writeCompact(value))).toEqual(
          withoutNulls(JSON.parse(text)),
        );
      }),
    );
  });
});

/** fastjson leaves members that are null out when it writes. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(withoutNulls);
  }
  if (value !== null && typeof value === 'object') {
    const members = Object.entries(value).filter(([, member]) => member !== null);
    return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member)]));
  }
  return value;
}

describe('members as servlets read them', () => {
  const object = readObject(
    '{"t":"TRUE","one":1,"n":"12","d":1.5,"e":1e3,"x":"x","o":{"a":1},"s":"10.0","z":null,"h":"0x1"}',
  )!;

  test('booleans are the text true in any case', () => {
    expect(booleanMember(object, 't')).toBe(true);
    expect(booleanMember(object, 'one')).toBe(false);
    expect(booleanMember(object, 'missing')).toBe(false);
  });

  test('numbers may be text', () => {
    expect(intMember(object, 'n')).toBe(12);
    expect(exactLongMember(object, 'n')).toBe(12n);
    expect(exactLongMember(object, 's')).toBe(10n);
    expect(exactLongMember(object, 'e')).toBe(1000n);
    expect(exactLongMember(object, 'z')).toBe(0n);
    expect(() => exactLongMember(object, 'd')).toThrow('Rounding necessary');
    expect(() => exactLongMember(object, 'x')).toThrow(
      'Character x is neither a decimal digit number, decimal point, nor "e" notation exponential mark.',
    );
    expect(() => exactLongMember(object, 'id', true)).toThrow('key [id] does not exist');
    expect(() => intMember(object, 'x')).toThrow('For input string: "x"');
  });

  test('numbers of millions of digits are refused by their length', () => {
    const nines = '9'.repeat(4_000_000);
    const zeros = '0'.repeat(4_000_000);
    const members = new Map([
      ['nines', nines],
      ['fraction', `1.${nines}`],
      ['one', `${zeros}1.${zeros}`],
      ['small', `${zeros}.${zeros}1`],
    ]);
    expect(() => exactLongMember(members, 'nines')).toThrow('Overflow');
    expect(() => exactLongMember(members, 'fraction')).toThrow('Rounding necessary');
    expect(exactLongMember(members, 'one')).toBe(1n);
    expect(() => exactLongMember(members, 'small')).toThrow('Rounding necessary');
    expect(() => longMember(members, 'nines')).toThrow(`For input string: "${nines}"`);
  });

  test('text of what is no text', () => {
    expect(textMember(object, 'one')).toBe('1');
    expect(textMember(object, 'd')).toBe('1.5');
    expect(textMember(object, 'o')).toBe('{"a":1}');
    expect(textMember(object, 'z')).toBeUndefined();
  });
});
