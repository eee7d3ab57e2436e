import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { UsageWindow } from '../../../src/resources/metered-account.js';
import {
  consume,
  dayUsage,
  fixedWindowUsage,
  fixedWindowUsageOfLongs,
  increase,
  increaseLongs,
  mergeReturnedUsage,
  recovered,
  windowPrecise,
  windowSlots,
} from '../../../src/resources/recovery.js';
import { BEFORE_CANCEL_ALL, FRESH, MAINNET_RULES, STAKE_1, usage } from './accounts.js';

const use = (window: UsageWindow, added: bigint, slot: bigint) => increase(window, added, slot, MAINNET_RULES);
const read = (window: UsageWindow, slot: bigint) => recovered(window, slot, MAINNET_RULES);
/** Of what was used in slot 0, what is left in another. */
const left = (used: bigint, slot: bigint) => dayUsage(used, 0n, 0n, slot, MAINNET_RULES);

describe('a fixed window of a day', () => {
  it('B4: recovers 534 bytes linearly', () => {
    const slots = [1n, 7200n, 9600n, 14400n, 19200n, 21600n, 28799n, 28800n];
    expect(slots.map((slot) => left(534n, slot))).toEqual([533n, 400n, 355n, 267n, 178n, 133n, 0n, 0n]);
  });

  it('B5, B6: finds when a transaction fits again', () => {
    const firstFit = (used: bigint, bytes: bigint) => {
      let slot = 0n;
      while (left(used, slot) + bytes > 600n) slot += 1n;
      return [slot, left(used, slot)];
    };
    expect(firstFit(534n, 267n)).toEqual([10_787n, 333n]);
    expect(firstFit(600n, 345n)).toEqual([16_513n, 255n]);
  });

  it('B7, B8, B19: rounds', () => {
    expect([267n, 268n, 345n].map((used) => left(used, 1n))).toEqual([267n, 268n, 345n]);
    expect([1n, 14_400n].map((slot) => left(1n, slot))).toEqual([1n, 0n]);
    expect(left(275n, 14_400n)).toBe(137n);
  });
});

describe('windows of accounts under current rules', () => {
  const w1 = use(FRESH, 50_000n, 1000n);
  const w3 = use(w1, 100_000n, 15_400n);

  it('W1, W2: a first use recovers in a day', () => {
    expect(w1).toEqual(usage(50_000n, 1000n));
    expect(read(w1, 15_400n)).toBe(25_000n);
    expect(use(w1, 0n, 15_400n).windowSize).toBe(14_400_000n);
  });

  it('W3, W4: a second use merges the windows', () => {
    expect(w3).toEqual(usage(125_000n, 15_400n, 25_920_000n));
    const later = [7200n, 14400n, 19200n, 21600n, 24000n, 25200n, 28800n];
    expect(later.map((slots) => read(w3, 15_400n + slots))).toEqual([
      90_277n,
      55_555n,
      32_407n,
      20_833n,
      9_259n,
      3_472n,
      0n,
    ]);
  });

  it('W5 to W9: one more, the same slot, nothing, at and before the end of the window', () => {
    expect(use(w3, 1n, 15_401n)).toEqual(usage(124_996n, 15_401n, 25_919_024n));
    expect(use(w1, 10n, 1000n)).toEqual(usage(50_010n, 1000n));
    expect(use(w1, 0n, 15_400n)).toEqual(usage(25_000n, 15_400n, 14_400_000n));
    expect(use(w1, 100n, 29_800n)).toEqual(usage(100n, 29_800n));
    expect(use(w1, 100n, 29_799n)).toEqual(usage(101n, 29_799n, 28_514_862n));
  });

  it('W11, W12: loses and keeps units as java-tron does', () => {
    const net = use(use(FRESH, 267n, 1000n), 345n, 1010n);
    expect(net).toEqual(usage(611n, 1010n, 28_795_647n));
    expect([read(net, 1011n), read(net, 15_410n)]).toEqual([610n, 305n]);
    const million = use(use(FRESH, 1_000_000n, 100n), 2_000_000n, 7300n);
    expect(million).toEqual(usage(2_750_000n, 7300n, 26_836_364n));
    expect([read(million, 7301n), read(million, 14_500n)]).toEqual([2_749_897n, 2_012_185n]);
  });

  it('W13, W14: reads windows of about a slot', () => {
    expect([windowSlots(usage(1n, 0n, 1500n)), windowPrecise(usage(1n, 0n, 1500n))]).toEqual([1n, 1500n]);
    expect([windowSlots(usage(1n, 0n, 999n)), windowPrecise(usage(1n, 0n, 999n))]).toEqual([28_800n, 999n]);
  });

  it('W15: adds a thousand times in one slot', () => {
    let window: UsageWindow = { usage: 70_021_176n, lastSlot: 9999n, windowSize: 300n, windowOptimized: false };
    for (let i = 0; i < 1001; i++) window = use(window, 2345n, 9999n);
    expect(window).toEqual(usage(72_368_521n, 9999n, 1_224_919n));
  });

  it('W16, W17: refreshes a window never set', () => {
    expect(use({ ...FRESH, usage: 1000n }, 0n, 14_400n)).toEqual(usage(500n, 14_400n, 14_400_000n));
    expect(use(FRESH, 64_285n, 5n)).toEqual(usage(64_285n, 5n));
  });
});

describe('older rules', () => {
  it('W19: before CANCEL_ALL_UNFREEZE_V2 windows are whole slots', () => {
    const first = increase(FRESH, 50_000n, 1000n, BEFORE_CANCEL_ALL);
    expect(increase(first, 100_000n, 15_400n, BEFORE_CANCEL_ALL)).toEqual({
      usage: 125_000n,
      lastSlot: 15_400n,
      windowSize: 25_920n,
      windowOptimized: false,
    });
  });

  it('before stake 2.0 consumption leaves the window alone and rounds in two steps', () => {
    const stored = { ...FRESH, usage: 267n, lastSlot: 1000n };
    expect(consume(stored, 345n, 1010n, STAKE_1)).toEqual({ ...FRESH, usage: 611n, lastSlot: 1010n });
    expect(increase(stored, 0n, 1010n, STAKE_1)).toEqual({ ...FRESH, usage: 266n, lastSlot: 1010n });
    expect(recovered(stored, 1010n, STAKE_1)).toBe(266n);
  });
});

describe('usage handed back', () => {
  const receiver = use(usage(2_500_000_000n, 0n), 0n, 7200n);

  it('S8: to an owner without usage', () => {
    expect(receiver).toEqual(usage(1_875_000_000n, 7200n, 21_600_000n));
    expect(mergeReturnedUsage(FRESH, receiver, 750_000_000n, 7200n, MAINNET_RULES)).toEqual(
      usage(750_000_000n, 7200n, 21_600_000n),
    );
  });

  it('S9: to an owner with usage of its own', () => {
    expect(mergeReturnedUsage(usage(300_000_000n, 3600n), receiver, 750_000_000n, 7200n, MAINNET_RULES)).toEqual(
      usage(1_012_500_000n, 7200n, 22_533_334n),
    );
  });

  it('S12: both half recovered', () => {
    const half = use(usage(1_000_000_000n, 0n), 0n, 14_400n);
    expect(mergeReturnedUsage(usage(1_000_000_000n, 0n), half, 250_000_000n, 14_400n, MAINNET_RULES)).toEqual(
      usage(750_000_000n, 14_400n, 14_400_000n),
    );
  });

  it('nothing to nobody is a fresh window', () => {
    expect(mergeReturnedUsage(FRESH, receiver, 0n, 7200n, MAINNET_RULES)).toEqual(usage(0n, 7200n));
    expect(mergeReturnedUsage(FRESH, receiver, 0n, 7200n, BEFORE_CANCEL_ALL)).toEqual({
      usage: 0n,
      lastSlot: 7200n,
      windowSize: 28_800n,
      windowOptimized: false,
    });
  });
});

describe('the form on doubles equals the form on longs', () => {
  const amount = fc.oneof(
    fc.bigInt({ min: 0n, max: 2_000n }),
    fc.bigInt({ min: 0n, max: 400_000_000n }),
    fc.bigInt({ min: 0n, max: 20_000_000_000n }),
    fc.bigInt({ min: 0n, max: 2n ** 62n }),
  );
  const slot = fc.bigInt({ min: 0n, max: 60_000n });
  const stored = fc.oneof(
    fc.record({
      usage: amount,
      lastSlot: slot,
      windowSize: fc.bigInt({ min: 0n, max: 28_800_000n }),
      windowOptimized: fc.constant(true),
    }),
    fc.record({
      usage: amount,
      lastSlot: slot,
      windowSize: fc.bigInt({ min: 0n, max: 28_800n }),
      windowOptimized: fc.constant(false),
    }),
  );

  it('fixed windows', () => {
    fc.assert(
      fc.property(
        amount,
        amount,
        slot,
        slot,
        fc.constantFrom(20n, 1n, 28_800n, 12_345n),
        (last, added, lastSlot, now, window) => {
          expect(fixedWindowUsage(last, added, lastSlot, now, window, MAINNET_RULES)).toBe(
            fixedWindowUsageOfLongs(last, added, lastSlot, now, window, MAINNET_RULES),
          );
        },
      ),
      { numRuns: 5000 },
    );
  });

  it('windows of accounts', () => {
    fc.assert(
      fc.property(stored, amount, slot, (window, added, now) => {
        const longs = () => increaseLongs(window, added, now, MAINNET_RULES);
        let expected: UsageWindow;
        try {
          expected = longs();
        } catch {
          // Overflow to a merged usage of 0: Java divides by zero as well.
          expect(() => increase(window, added, now, MAINNET_RULES)).toThrow(RangeError);
          return;
        }
        expect(increase(window, added, now, MAINNET_RULES)).toEqual(expected);
      }),
      { numRuns: 5000 },
    );
  });

  it('at the edges of what doubles hold exactly', () => {
    for (const last of [299_999_999n, 300_000_000n, 300_000_001n, 8_999_999_999n, 9_000_000_000n, 9_000_000_001n]) {
      for (const now of [0n, 1n, 14_399n, 28_799n, 28_800n]) {
        expect(left(last, now)).toBe(fixedWindowUsageOfLongs(last, 0n, 0n, now, 28_800n, MAINNET_RULES));
        for (const added of [0n, 1n, 12_345n]) {
          expect(increase(usage(last, 0n, 28_799_999n), added, now, MAINNET_RULES)).toEqual(
            increaseLongs(usage(last, 0n, 28_799_999n), added, now, MAINNET_RULES),
          );
        }
      }
    }
  });
});

describe('hardened (parameter 97)', () => {
  const HARDENED = { ...MAINNET_RULES, hardened: true };
  const half = 200_000_000_000n;

  it('windows merge without overflow, where longs come to nonsense', () => {
    const before = usage(half, 0n);
    expect(increase(before, half, 0n, HARDENED)).toEqual(usage(2n * half, 0n));
    expect(increase(before, half, 0n, MAINNET_RULES).windowSize).toBeLessThan(0n);
    expect(mergeReturnedUsage(before, before, half, 0n, HARDENED)).toEqual(usage(2n * half, 0n));
    expect(mergeReturnedUsage(before, before, half, 0n, MAINNET_RULES).windowSize).toBeLessThan(0n);
    const coarse = { ...usage(half, 0n, 28_800n), windowOptimized: false };
    const older = { ...HARDENED, cancelAllUnfreezeV2: false };
    expect(increase(coarse, half, 0n, older)).toEqual({ ...coarse, usage: 2n * half });
    expect(mergeReturnedUsage(coarse, coarse, half, 0n, older)).toEqual({ ...coarse, usage: 2n * half });
  });

  it('is the same below, and refuses what is no long in the end', () => {
    const before = usage(1_000n, 0n);
    expect(increase(before, 7n, 9_000n, HARDENED)).toEqual(increase(before, 7n, 9_000n, MAINNET_RULES));
    expect(() => increase(usage(9n * 10n ** 18n, 0n), 9n * 10n ** 18n, 0n, HARDENED)).toThrow(
      'BigInteger out of long range',
    );
  });

  const any = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n });
  const windows = fc.constantFrom(1n, 20n, 12_345n, 28_800n);

  it('a fixed window is exact with any longs, or refused', () => {
    fc.assert(
      fc.property(any, any, windows, (last, added, slots) => {
        const up = (usage: bigint) => (usage * 1_000_000n + slots - 1n) / slots;
        const exact = ((up(last) + up(added)) * slots) / 1_000_000n;
        const fits = [up(last), up(added), exact].every((value) => value < 2n ** 63n);
        const merged = () => fixedWindowUsage(last, added, 7n, 7n, slots, HARDENED);
        if (fits) expect(merged()).toBe(exact);
        else expect(merged).toThrow('BigInteger out of long range');
      }),
      { numRuns: 2000 },
    );
  });

  it('a fixed window is the same as without, where no product leaves a long', () => {
    const small = fc.bigInt({ min: 0n, max: 4_000_000_000_000n });
    const slot = fc.bigInt({ min: 0n, max: 60_000n });
    fc.assert(
      fc.property(small, small, slot, slot, windows, (last, added, lastSlot, waited, slots) => {
        const now = lastSlot + waited;
        expect(fixedWindowUsage(last, added, lastSlot, now, slots, HARDENED)).toBe(
          fixedWindowUsage(last, added, lastSlot, now, slots, MAINNET_RULES),
        );
      }),
      { numRuns: 2000 },
    );
  });

  it('usage of 10^13 is read as it is, by the day and over the own window, where longs wrap', () => {
    const many = 10n ** 13n;
    expect(left(many, 0n)).toBeLessThan(0n);
    expect(dayUsage(many, 0n, 0n, 0n, HARDENED)).toBe(many);
    expect(dayUsage(many, 0n, 0n, 14_400n, HARDENED)).toBe(many / 2n);
    expect(recovered(usage(many, 0n), 0n, HARDENED)).toBe(many);
    const stake1 = { ...STAKE_1, hardened: true };
    expect(consume(usage(many, 0n), many, 0n, stake1).usage).toBe(2n * many);
  });
});

describe('invariants of recovery', () => {
  it('never grows by waiting, and is over after its window', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 180_000_000_000n }),
        fc.bigInt({ min: 1_000n, max: 28_800_000n }),
        fc.bigInt({ min: 0n, max: 30_000n }),
        (amount, windowSize, wait) => {
          const window = usage(amount, 0n, windowSize);
          expect(read(window, wait + 1n) <= read(window, wait)).toBe(true);
          expect(read(window, windowSlots(window))).toBe(0n);
        },
      ),
    );
  });
});
