import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ArithmeticOverflow,
  addExact,
  ceilDiv,
  checkedAdd,
  checkedMultiply,
  floorDiv,
  longFromDouble,
  longValueExact,
  MAX_LONG,
  MIN_LONG,
  multiplyExact,
  roundHalfUp,
  subtractExact,
  wrapLong,
} from '../../../src/primitives/java-math.js';

const long = fc.bigInt({ min: MIN_LONG, max: MAX_LONG });

describe('long arithmetic', () => {
  it('wraps silently', () => {
    expect(wrapLong(MAX_LONG + 1n)).toBe(MIN_LONG);
    expect(wrapLong(MIN_LONG - 1n)).toBe(MAX_LONG);
    expect(wrapLong(9_223_372_036_854_775_807n * 3n)).toBe(9_223_372_036_854_775_805n);
  });

  it('throws with the texts of Java and Guava', () => {
    expect(() => addExact(MAX_LONG, 1n)).toThrow(new ArithmeticOverflow('long overflow'));
    expect(() => subtractExact(MIN_LONG, 1n)).toThrow('long overflow');
    expect(() => multiplyExact(MAX_LONG, 2n)).toThrow('long overflow');
    expect(() => longValueExact(MAX_LONG + 1n)).toThrow('BigInteger out of long range');
    expect(() => checkedAdd(MAX_LONG, 1n)).toThrow('overflow: checkedAdd(9223372036854775807, 1)');
    expect(() => checkedMultiply(MAX_LONG, -2n)).toThrow('overflow: checkedMultiply(9223372036854775807, -2)');
    expect(addExact(MAX_LONG, 0n)).toBe(MAX_LONG);
    expect(multiplyExact(MIN_LONG, 1n)).toBe(MIN_LONG);
  });

  it('divides up only when a positive rest remains', () => {
    expect(ceilDiv(125_000_000_000n, 25_920n)).toBe(4_822_531n);
    expect([ceilDiv(4n, 2n), ceilDiv(5n, 2n), ceilDiv(0n, 2n), ceilDiv(-5n, 2n)]).toEqual([2n, 3n, 0n, -2n]);
  });

  it('floors where / truncates', () => {
    expect([floorDiv(-5n, 2n), floorDiv(5n, -2n), floorDiv(-4n, 2n), floorDiv(5n, 2n)]).toEqual([-3n, -3n, -2n, 2n]);
    fc.assert(
      fc.property(long, fc.bigInt({ min: 1n, max: MAX_LONG }), (a, b) => {
        const q = floorDiv(a, b);
        expect(q * b <= a && a < (q + 1n) * b).toBe(true);
      }),
    );
  });
});

describe('doubles', () => {
  it('casts to long: toward zero, saturating, NaN to 0', () => {
    expect(longFromDouble(1.9)).toBe(1n);
    expect(longFromDouble(-1.9)).toBe(-1n);
    expect(longFromDouble(Number.NaN)).toBe(0n);
    expect(longFromDouble(Number.POSITIVE_INFINITY)).toBe(MAX_LONG);
    expect(longFromDouble(Number.NEGATIVE_INFINITY)).toBe(MIN_LONG);
    expect(longFromDouble(1e300)).toBe(MAX_LONG);
    expect(longFromDouble(2 ** 62)).toBe(2n ** 62n);
  });

  it('rounds a half up, exactly', () => {
    expect([0.5, 1.5, 2.5, -0.5, -1.5].map(roundHalfUp)).toEqual([1n, 2n, 3n, 0n, -1n]);
    expect(roundHalfUp(0.49999999999999994)).toBe(0n);
    expect(roundHalfUp(2 ** 52 + 1)).toBe(2n ** 52n + 1n);
  });
});
