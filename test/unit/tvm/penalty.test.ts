import { describe, expect, it } from 'vitest';
import { FACTOR_UNIT, penaltyOf } from '../../../src/tvm/energy-cost.js';

describe('the penalty of an opcode (protocol/energy-factor.md#metering-inside-a-frame)', () => {
  it.each([
    [1, 0, 0, 3],
    [2, 0, 0, 6],
    [3, 0, 1, 10],
    [5, 1, 2, 17],
    [8, 1, 3, 27],
    [10, 2, 4, 34],
    [20, 4, 8, 68],
    [50, 10, 22, 170],
    [375, 75, 165, 1275],
    [5000, 1000, 2200, 17000],
    [20000, 4000, 8800, 68000],
    [25000, 5000, 11000, 85000],
    [32000, 6400, 14080, 108800],
  ])('of %s Energy', (price, ...penalties) => {
    expect([2000, 4400, 34_000].map((factor) => penaltyOf(price, FACTOR_UNIT + factor))).toEqual(penalties);
    expect(penaltyOf(price, FACTOR_UNIT)).toBe(0);
  });
});
