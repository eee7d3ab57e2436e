import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { strictPow } from '../../../src/primitives/strict-pow.js';

const float = new Float64Array(1);
const bits = new BigUint64Array(float.buffer);

function fromBits(hex: string): number {
  bits[0] = BigInt(`0x${hex}`);
  return float[0] as number;
}

/** Lines `x y StrictMath.pow(x, y)`, the doubles as hex of their bits, printed by OpenJDK's StrictMath. */
const VECTORS = readFileSync(new URL('../../../fixtures/primitives/strict-pow.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.split(' ').map(fromBits) as [number, number, number]);

describe('strictPow', () => {
  it('equals StrictMath.pow in every bit: ordinary, huge, subnormal and special arguments', () => {
    const wrong = VECTORS.filter(([x, y, expected]) => !Object.is(strictPow(x, y), expected));
    expect(wrong).toEqual([]);
    expect(VECTORS).toHaveLength(600);
  });

  it('gives the decay of dynamic energy, where Math.pow may be one unit in the last place away', () => {
    expect(strictPow(0.95, 10)).toBe(fromBits('3fe328da5e9df383'));
    expect(strictPow(0.95, 44)).toBe(fromBits('3fbacbe98c478477'));
  });
});
