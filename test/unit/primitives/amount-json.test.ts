/** How JSON writes amounts, which the library has as bigint. */

import fc from 'fast-check';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { Explanation } from '../../../src/index.js';
import { type Amount, type Json, toJson, writeJson } from '../../../src/primitives/amount-json.js';

const MOST = BigInt(Number.MAX_SAFE_INTEGER);

describe('an amount in JSON', () => {
  it('is a number as long as JavaScript reads it exactly, and its digits beyond', () => {
    expect(writeJson([0n, -5n, MOST, -MOST])).toBe('[0,-5,9007199254740991,-9007199254740991]');
    expect(writeJson([MOST + 1n, 2n ** 63n - 1n])).toBe('["9007199254740992","9223372036854775807"]');
  });

  it('is read back exactly by BigInt', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (amount) => {
        expect(BigInt(JSON.parse(writeJson(amount)))).toBe(amount);
      }),
    );
  });
});

describe('everything else in JSON', () => {
  it('is what JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(3), (value, indent) => {
        expect(writeJson(value, indent)).toBe(JSON.stringify(value, undefined, indent));
      }),
    );
    const dated = { at: new Date(0), none: undefined, list: [undefined, 1n] };
    expect(writeJson(dated)).toBe('{"at":"1970-01-01T00:00:00.000Z","list":[null,1]}');
  });

  it('keeps names from outside', () => {
    const text = '{"__proto__":{"a":1},"constructor":2,"toJSON":3}';
    expect(writeJson(JSON.parse(text))).toBe(text);
    expect(writeJson({ toJSON: 5n, sum: 1n })).toBe('{"toJSON":5,"sum":1}');
  });
});

it('has types that follow from those of the library', () => {
  expectTypeOf<Json<Explanation>['feeSun']>().toEqualTypeOf<Amount>();
  expectTypeOf<Json<Explanation>['block']['number']>().toEqualTypeOf<number>();
  expectTypeOf<NonNullable<Json<Explanation>['freeOfCharge']>['energyStakeSun']>().toEqualTypeOf<
    Amount | 'more-than-there-is' | undefined
  >();
  expectTypeOf<Json<Explanation>['charges'][number]['amount']>().toEqualTypeOf<Amount>();
  expectTypeOf<Json<readonly [bigint, string]>>().toEqualTypeOf<readonly [Amount, string]>();
  expect(toJson({ feeSun: 5n, name: 'a' })).toEqual({ feeSun: 5, name: 'a' });
});
