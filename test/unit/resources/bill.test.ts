import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitEnergyBill, undoPreMerge } from '../../../src/resources/bill.js';
import { accountEnergyLimit, preMerge } from '../../../src/resources/budget.js';
import { leftEnergy } from '../../../src/resources/limits.js';
import type { UsageWindow } from '../../../src/resources/metered-account.js';
import { consume, increase } from '../../../src/resources/recovery.js';
import { BEFORE_CANCEL_ALL, COIN, FRESH, MAINNET_RULES, stakedForEnergy, totals, usage } from './accounts.js';

function bill(total: bigint, percent: bigint, originLeft: bigint, originLimit: bigint, callerLeft: bigint) {
  const { originUsage, callerUsage, feeSun } = splitEnergyBill({
    total,
    callerLeft,
    origin: { callerPercent: percent, leftEnergy: originLeft, energyLimit: originLimit },
    priceSun: 100n,
  });
  return [originUsage, callerUsage, feeSun];
}

describe('the split of a bill', () => {
  it.each([
    ['P1', 100_000n, 30n, 500_000n, 10_000_000n, 10_000n, [70_000n, 10_000n, 2_000_000n]],
    ['P2', 100_000n, 30n, 20_000n, 10_000_000n, 10_000n, [20_000n, 10_000n, 7_000_000n]],
    ['P3', 33n, 30n, 500_000n, 10_000_000n, 0n, [23n, 0n, 1_000n]],
    ['P4', 101n, 50n, 500_000n, 10_000_000n, 0n, [50n, 0n, 5_100n]],
    ['P5', 100_000n, 0n, 500_000n, 10_000_000n, 10_000n, [100_000n, 0n, 0n]],
    ['P6', 600_000n, 0n, 500_000n, 10_000_000n, 0n, [500_000n, 0n, 10_000_000n]],
    ['P7', 133_333n, 30n, 500_000n, 10_000_000n, 10_000n, [93_333n, 10_000n, 3_000_000n]],
    ['P8', 100_000n, 30n, 500_000n, 50_000n, 0n, [50_000n, 0n, 5_000_000n]],
    ['P9', 64_285n, 100n, 0n, 10_000_000n, 0n, [0n, 0n, 6_428_500n]],
    ['P10', 64_285n, 100n, 0n, 10_000_000n, 100_000n, [0n, 64_285n, 0n]],
  ] as const)('%s', (_, total, percent, originLeft, originLimit, callerLeft, expected) => {
    expect(bill(total, percent, originLeft, originLimit, callerLeft)).toEqual(expected);
  });

  it('without a deployer the caller pays, and nothing costs nothing', () => {
    expect(splitEnergyBill({ total: 50_000n, callerLeft: 0n, priceSun: 100n })).toEqual({
      originUsage: 0n,
      callerUsage: 0n,
      boughtEnergy: 50_000n,
      feeSun: 5_000_000n,
    });
    expect(splitEnergyBill({ total: 0n, callerLeft: 5n, priceSun: 100n }).callerUsage).toBe(0n);
  });
});

/** What a successful call leaves of an account's usage when the code does not touch it. */
function success(stored: UsageWindow, most: bigint, owed: bigint, slot: bigint, rules = MAINNET_RULES): UsageWindow {
  const { window, memo } = preMerge(stored, most, slot, rules);
  return consume(undoPreMerge(window, memo, rules), owed, slot, rules);
}

describe('usage after a bill', () => {
  it('W10: success takes two steps, failure one', () => {
    const stored = usage(473_385n, 0n, 9_943_717n);
    expect(success(stored, 553_925n, 90_446n, 5511n)).toEqual(usage(301_452n, 5511n, 11_743_743n));
    expect(consume(stored, 90_446n, 5511n, MAINNET_RULES)).toEqual(usage(301_453n, 5511n, 11_743_704n));
  });

  it('W17, W18', () => {
    expect(success(FRESH, 100_000n, 64_285n, 7n)).toEqual(usage(64_285n, 7n));
    const w1 = usage(50_000n, 1000n);
    expect(success(w1, 1_000_000n, 30_000n, 15_400n)).toEqual(usage(55_000n, 15_400n, 22_254_546n));
    expect(consume(w1, 30_000n, 15_400n, MAINNET_RULES)).toEqual(usage(55_000n, 15_400n, 22_254_546n));
  });

  it('P11, P12: staked Energy first, coin for the rest, and again a quarter of a day later', () => {
    const weights = totals({ energy: 10_000_000n });
    const feeLimitSun = 10n * COIN;
    const call = (energy: UsageWindow, balanceSun: bigint, slot: bigint) => {
      const caller = stakedForEnergy(COIN, {
        energy_usage: energy.usage,
        latest_consume_time_for_energy: energy.lastSlot,
        energy_window_size: energy.windowSize,
        energy_window_optimized: energy.windowOptimized,
      });
      const left = leftEnergy(caller, weights, slot, MAINNET_RULES);
      const limit = accountEnergyLimit({ leftEnergy: left, balanceSun, callValueSun: 0n, feeLimitSun, priceSun: 100n });
      const paid = splitEnergyBill({ total: 64_285n, callerLeft: left, priceSun: 100n });
      const most = left < feeLimitSun / 100n ? left : feeLimitSun / 100n;
      return { limit, paid, window: success(energy, most, paid.callerUsage, slot) };
    };
    const first = call(FRESH, 5n * COIN, 100n);
    expect(first.limit).toBe(68_000n);
    expect(first.paid).toMatchObject({ callerUsage: 18_000n, feeSun: 4_628_500n });
    const second = call(first.window, 10n * COIN, 7300n);
    expect(second.paid).toMatchObject({ callerUsage: 4_500n, feeSun: 5_978_500n });
    expect(second.window).toEqual(usage(18_000n, 7300n, 23_400_000n));
  });

  it('6.6: a call that costs nothing keeps the charge in advance', () => {
    const { window, memo } = preMerge(usage(226_105n, 50n), 10_000n, 50n, MAINNET_RULES);
    expect(memo.usage).toBe(226_105n);
    expect(window.usage).toBe(236_105n);
  });
});

describe('the charge in advance is taken back', () => {
  const energy = fc.bigInt({ min: 0n, max: 200_000_000_000n });
  const slot = fc.bigInt({ min: 0n, max: 40_000n });

  it('exactly, when the code did not touch it', () => {
    fc.assert(
      fc.property(energy, energy, fc.bigInt({ min: 0n, max: 28_800_000n }), slot, (stored, most, windowSize, now) => {
        const before = usage(stored, 0n, windowSize);
        const { window, memo } = preMerge(before, most, now, MAINNET_RULES);
        const undone = undoPreMerge(window, memo, MAINNET_RULES);
        const refreshed = increase(before, 0n, now, MAINNET_RULES);
        expect(undone).toEqual({ ...refreshed, windowSize: refreshed.usage === 0n ? 0n : refreshed.windowSize });
      }),
    );
  });

  it('never below zero, when the code moved usage away', () => {
    const { window, memo } = preMerge(usage(1000n, 0n), 500n, 10n, MAINNET_RULES);
    expect(undoPreMerge({ ...window, usage: 100n }, memo, MAINNET_RULES)).toEqual({
      ...usage(0n, 10n),
      windowSize: 0n,
    });
  });

  it('in whole slots before CANCEL_ALL_UNFREEZE_V2', () => {
    const stored = { ...FRESH, usage: 50_000n, lastSlot: 1000n };
    const { window, memo } = preMerge(stored, 100_000n, 15_400n, BEFORE_CANCEL_ALL);
    expect(window).toMatchObject({ usage: 125_000n, windowSize: 25_920n, windowOptimized: false });
    expect(undoPreMerge(window, memo, BEFORE_CANCEL_ALL)).toEqual({
      usage: 25_000n,
      lastSlot: 15_400n,
      windowSize: 14_400n,
      windowOptimized: false,
    });
  });
});
