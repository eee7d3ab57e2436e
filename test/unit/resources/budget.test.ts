import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitEnergyBill } from '../../../src/resources/bill.js';
import {
  accountEnergyLimit,
  callBudget,
  callerPercent,
  originEnergyLimit,
  originShare,
  preMerge,
} from '../../../src/resources/budget.js';
import { energyPriceSun } from '../../../src/resources/energy-price.js';
import { estimateEnergy } from '../../../src/resources/estimation.js';
import { COIN, MAINNET_RULES, usage } from './accounts.js';
import { CALLER_BUDGETS, SHARED_BUDGETS } from './spec-budgets.js';

const limit = (leftEnergy: bigint, balanceSun: bigint, callValueSun: bigint, feeLimitSun: bigint) =>
  accountEnergyLimit({ leftEnergy, balanceSun, callValueSun, feeLimitSun, priceSun: 100n });

describe('what a caller can pay for', () => {
  it.each(CALLER_BUDGETS)('$name', ({ leftEnergy, balanceSun, callValueSun, feeLimitSun, energy }) => {
    expect(limit(leftEnergy, balanceSun, callValueSun, feeLimitSun)).toBe(energy);
  });

  it('a call value above the balance leaves only stake', () => {
    expect(limit(5n, COIN, 2n * COIN, COIN)).toBe(5n);
  });
});

describe('what a deployer adds', () => {
  it.each(SHARED_BUDGETS)('$name', (budget) => {
    const { callerEnergy: callerLimit, callerPercent: percent, leftEnergy, energyLimit, deployersShare } = budget;
    expect(originShare(callerLimit, { callerPercent: percent, leftEnergy, energyLimit })).toBe(deployersShare);
    const caller = {
      leftEnergy: callerLimit,
      balanceSun: 0n,
      callValueSun: 0n,
      feeLimitSun: 10n ** 15n,
      priceSun: 100n,
    };
    expect(callBudget(caller, { callerPercent: percent, leftEnergy, energyLimit })).toEqual({
      callerLimit,
      originShare: deployersShare,
      total: callerLimit + deployersShare,
    });
    expect(callBudget(caller, undefined).total).toBe(callerLimit);
  });

  it('reads stored settings leniently', () => {
    expect([originEnergyLimit(0n), originEnergyLimit(7n)]).toEqual([10_000_000n, 7n]);
    expect([callerPercent(-1n), callerPercent(30n), callerPercent(101n)]).toEqual([0n, 30n, 100n]);
    expect([energyPriceSun(420n), energyPriceSun(0n), energyPriceSun(-1n)]).toEqual([420n, 100n, 100n]);
  });

  it('never leaves the caller with more than it can pay for', () => {
    const energy = fc.bigInt({ min: 0n, max: 10_000_000n });
    fc.assert(
      fc.property(
        energy,
        energy,
        energy,
        fc.bigInt({ min: 0n, max: 100n }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (callerLimit, leftEnergy, energyLimit, percent, part) => {
          const origin = { callerPercent: percent, leftEnergy: percent < 100n ? leftEnergy : 0n, energyLimit };
          const total = BigInt(Math.floor(Number(callerLimit + originShare(callerLimit, origin)) * part));
          const bill = splitEnergyBill({ total, callerLeft: 0n, origin, priceSun: 100n });
          expect(bill.boughtEnergy <= callerLimit).toBe(true);
          expect(bill.originUsage + bill.callerUsage + bill.boughtEnergy).toBe(total);
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe('the charge in advance', () => {
  it('W10: is remembered with the windows around it', () => {
    const { window, memo } = preMerge(usage(473_385n, 0n, 9_943_717n), 553_925n, 5511n, MAINNET_RULES);
    expect(window).toEqual(usage(764_931n, 5511n, 22_078_292n));
    expect(memo).toEqual({
      usage: 211_006n,
      windowSlots: 4432n,
      windowPrecise: 4_432_717n,
      mergedUsage: 764_931n,
      mergedWindowSlots: 22_078n,
    });
  });
});

describe('estimation', () => {
  it.each([
    ['E1', 5_000n, 10_000n],
    ['E2', 10_000n, 20_000n],
    ['E3', 20_000n, 30_000n],
    ['E4', 64_285n, 72_321n],
    ['E5', 100_000n, 106_250n],
    ['E6', 1_000_000n, 1_007_813n],
  ])('%s', (_, needed, required) => {
    const terms = { maxFeeLimitSun: 15_000_000_000n, energyFee: 100n };
    expect(estimateEnergy(needed, (feeLimit) => feeLimit / 100n >= needed, terms).energyRequired).toBe(required);
  });
});
