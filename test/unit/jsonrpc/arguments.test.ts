/**
 * What a JSON value becomes where a method declares a type: Jackson's coercions
 * (protocol/json-rpc.md#http-and-envelope-behaviour).
 */

import { describe, expect, test } from 'vitest';
import {
  type Binder,
  buildObject,
  callObject,
  filterObject,
  int,
  long,
  text,
  truth,
  ZERO_ADDRESS,
} from '../../../src/jsonrpc/arguments.js';
import { type Json, JsonParseError, readJson } from '../../../src/jsonrpc/json-text.js';

const bound = <Value>(binder: Binder<Value>, json: string): Value =>
  binder((readJson(`[${json}]`) as readonly Json[])[0] as Json);

describe('a text', () => {
  test.each([
    ['"x"', 'x'],
    ['null', null],
    ['10', '10'],
    ['-0', '0'],
    ['12345678901234567890', '12345678901234567890'],
    ['1.50', '1.5'],
    ['1e3', '1000.0'],
    ['1e30', '1.0E30'],
    ['-1.25e-4', '-1.25E-4'],
    ['12345678.5', '1.23456785E7'],
    ['9999999.5', '9999999.5'],
    ['0.001', '0.001'],
    ['-0.0', '-0.0'],
    ['1e400', 'Infinity'],
    ['true', 'true'],
  ])('%s is %j', (json, value) => expect(bound(text, json)).toBe(value));

  test.each(['[]', '{}', '["x"]'])('%s is none', (json) => expect(() => bound(text, json)).toThrow(JsonParseError));
});

describe('a boolean', () => {
  test.each([
    ['true', true],
    ['"TRUE"', true],
    ['"False"', false],
    ['" true "', true],
    ['0', false],
    ['-5', true],
    ['123456789012345678901234567890', true],
    ['-0', false],
    ['""', null],
    ['null', null],
  ])('%s is %j', (json, value) => expect(bound(truth, json)).toBe(value));

  test.each(['1.5', '"yes"', '"tRue"', '[]', '{}'])('%s is none', (json) =>
    expect(() => bound(truth, json)).toThrow(JsonParseError),
  );
});

describe('a primitive number', () => {
  test.each([
    ['7', 7n],
    ['"7"', 7n],
    ['" +7 "', 7n],
    ['-1.9', -1n],
    ['9223372036854775807', 2n ** 63n - 1n],
    ['null', 0n],
    ['""', 0n],
  ])('%s is %s', (json, value) => expect(bound(long, json)).toBe(value));

  test.each(['9223372036854775808', '"1.5"', '"x"', 'true', '[]', '{}'])('%s is no long', (json) =>
    expect(() => bound(long, json)).toThrow(JsonParseError),
  );

  test('an int has 32 bits', () => {
    expect(bound(int, '2147483647')).toBe(2n ** 31n - 1n);
    expect(() => bound(int, '2147483648')).toThrow(JsonParseError);
  });
});

describe('an object', () => {
  test('has a default for each member', () => {
    expect(bound(callObject, '{}')).toEqual({
      from: ZERO_ADDRESS,
      to: null,
      gas: null,
      gasPrice: null,
      value: null,
      data: null,
      nonce: null,
    });
    expect(bound(callObject, '{"from":null,"gas":5}')).toMatchObject({ from: null, gas: '5' });
    expect(bound(buildObject, '{"tokenId":"1000001","visible":"true"}')).toMatchObject({
      from: null,
      gas: '0x0',
      tokenId: 1_000_001n,
      permissionId: 0n,
      visible: true,
    });
    expect(bound(callObject, 'null')).toBeNull();
  });

  test('has no member that is not declared', () => {
    for (const [binder, json] of [
      [callObject, '{"input":"0x"}'],
      [callObject, '{"maxFeePerGas":"0x1"}'],
      [filterObject, '{"limit":1}'],
      [buildObject, '{"fromAddress":"x"}'],
      [callObject, '[]'],
      [callObject, '"x"'],
      [callObject, '{"to":["x"]}'],
    ] as readonly [Binder<unknown>, string][]) {
      expect(() => bound(binder, json)).toThrow(JsonParseError);
    }
    const inherited = Object.create({ to: 'x' }) as Json;
    expect(callObject(inherited)).toMatchObject({ to: null });
  });

  test('takes one topic for a list of one', () => {
    expect(bound(filterObject, '{"topics":"0xaa"}')).toMatchObject({ topics: ['0xaa'], address: null });
    expect(bound(filterObject, '{"topics":[null,["0xaa"]]}')).toMatchObject({ topics: [null, ['0xaa']] });
    expect(bound(filterObject, '{"topics":null}')).toMatchObject({ topics: null });
  });
});
