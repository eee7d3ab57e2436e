import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { adaptedEnergy } from '../../../src/resources/adaptive-energy.js';

const BILLION = 1_000_000_000n;
const TERMS = {
  blockUsage: 0n,
  nowSlot: 100n,
  minuteSlots: 20n,
  targetLimit: 17_361_111n,
  baseLimit: 50n * BILLION,
  multiplier: 50n,
  rules: { hardened: false },
};
const HARDENED = { ...TERMS, rules: { hardened: true } };

describe('the adaptive limit', () => {
  it('grows by a thousandth when quiet', () => {
    expect(adaptedEnergy({ averageUsage: 0n, averageSlot: 0n, currentLimit: 50n * BILLION }, TERMS)).toEqual({
      averageUsage: 0n,
      averageSlot: 100n,
      currentLimit: 50_050_050_050n,
    });
  });

  it('shrinks by a hundredth when busy, not below its base', () => {
    const busy = { ...TERMS, blockUsage: 20_000_000n };
    expect(adaptedEnergy({ averageUsage: 0n, averageSlot: 99n, currentLimit: 100n * BILLION }, busy)).toEqual({
      averageUsage: 20_000_000n,
      averageSlot: 100n,
      currentLimit: 99n * BILLION,
    });
    expect(adaptedEnergy({ averageUsage: 0n, averageSlot: 99n, currentLimit: 50n * BILLION }, busy).currentLimit).toBe(
      50n * BILLION,
    );
  });

  it('does not grow beyond its multiple', () => {
    const full = { averageUsage: 0n, averageSlot: 0n, currentLimit: 2500n * BILLION };
    expect(adaptedEnergy(full, TERMS).currentLimit).toBe(2500n * BILLION);
  });

  it('averages over a minute of slots', () => {
    const halfway = adaptedEnergy({ averageUsage: 1000n, averageSlot: 90n, currentLimit: 0n }, TERMS);
    expect(halfway.averageUsage).toBe(500n);
    expect(adaptedEnergy({ averageUsage: 1000n, averageSlot: 80n, currentLimit: 0n }, TERMS).averageUsage).toBe(0n);
  });

  it('hardened (parameter 97): exact beyond products of a long', () => {
    const before = { averageUsage: 0n, averageSlot: 100n, currentLimit: 10n ** 17n };
    const high = { baseLimit: 10n ** 16n, multiplier: 1_000n };
    const quiet = adaptedEnergy(before, { ...HARDENED, ...high });
    expect(quiet.currentLimit).toBe((10n ** 17n * 1_000n) / 999n);
    expect(adaptedEnergy(before, { ...TERMS, ...high }).currentLimit).not.toBe(quiet.currentLimit);
    const busy = adaptedEnergy(before, { ...HARDENED, ...high, blockUsage: 10n ** 13n });
    expect(busy).toEqual({ averageUsage: 10n ** 13n, averageSlot: 100n, currentLimit: 99n * 10n ** 15n });
  });

  it('hardened: the same where longs suffice', () => {
    const usual = fc.bigInt({ min: 0n, max: 9n * 10n ** 12n });
    const slot = fc.bigInt({ min: 0n, max: 40n });
    fc.assert(
      fc.property(usual, usual, slot, slot, usual, (averageUsage, blockUsage, averageSlot, nowSlot, currentLimit) => {
        const before = { averageUsage: averageUsage / 10n, averageSlot, currentLimit };
        const terms = { blockUsage: blockUsage / 10n, nowSlot };
        expect(adaptedEnergy(before, { ...HARDENED, ...terms })).toEqual(adaptedEnergy(before, { ...TERMS, ...terms }));
      }),
    );
  });
});
