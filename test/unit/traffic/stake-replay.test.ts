/** The stake that is enough by the hour, beside what each transaction needs at its own moment. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { UsageWindow } from '../../../src/resources/metered-account.js';
import { increase, recoveredInOwnWindow } from '../../../src/resources/recovery.js';
import type { ResourceRules } from '../../../src/resources/rules.js';
import { type HourUse, leastCapacity, replayUse } from '../../../src/traffic/costs/stake-replay.js';

const RULES: ResourceRules = {
  daySlots: 28_800n,
  unfreezeDelay: true,
  cancelAllUnfreezeV2: true,
  newReward: true,
  newResourceModel: true,
  tvmFreeze: true,
  adaptiveEnergy: false,
  hardened: false,
};
const SLOT_MS = 3_000;
const HOUR_MS = 3_600_000;
const SPAN_HOURS = 24 * 6;

const uses = fc
  .array(fc.tuple(fc.nat((SPAN_HOURS * HOUR_MS) / SLOT_MS - 1), fc.integer({ min: 1, max: 200_000 })), {
    minLength: 1,
    maxLength: 60,
  })
  .map((all) => all.sort(([a], [b]) => a - b));

type Use = readonly [slot: number, units: number];

function byHour(all: readonly Use[]): readonly HourUse[] {
  const hours = new Map<number, bigint>();
  for (const [slot, units] of all) {
    const startMs = Math.floor((slot * SLOT_MS) / HOUR_MS) * HOUR_MS;
    hours.set(startMs, (hours.get(startMs) ?? 0n) + BigInt(units));
  }
  return [...hours].map(([startMs, units]) => ({ startMs, units, bought: units, sun: units * 100n }));
}

/** Bought units of each transaction at its own slot. */
function boughtExactly(capacity: bigint, all: readonly Use[]): bigint {
  let window: UsageWindow = { usage: 0n, lastSlot: 0n, windowSize: 0n, windowOptimized: true };
  let bought = 0n;
  for (const [slot, units] of all) {
    const left = capacity - recoveredInOwnWindow(window, BigInt(slot), RULES);
    const paid = left <= 0n ? 0n : left < BigInt(units) ? left : BigInt(units);
    window = increase(window, paid, BigInt(slot), RULES);
    bought += BigInt(units) - paid;
  }
  return bought;
}

test('enough by the hour is enough for each transaction, but for the averages of windows', () => {
  fc.assert(
    fc.property(uses, (all) => {
      const hours = byHour(all);
      const { days } = replayUse(0n, hours, RULES, 100n);
      const capacity = leastCapacity(days, hours, RULES);
      // Each use rounds by a unit. Averages of windows: a search for the worst came to 5.3 %.
      expect(boughtExactly((capacity * 107n) / 100n + BigInt(all.length), all)).toBe(0n);
      expect(replayUse(capacity, hours, RULES, 100n)).toMatchObject({ freeDays: days, bought: 0n, boughtSun: 0n });
      expect(replayUse(capacity - 1n, hours, RULES, 100n).freeDays).toBeLessThan(days);
    }),
  );
});

test('use that is left of yesterday shortens the window of today: less is needed by the hour than exactly', () => {
  const all: readonly Use[] = [
    [14_399, 154_566],
    [28_798, 154_639],
    [51_601, 7_427],
    [52_803, 231_855],
  ];
  const capacity = leastCapacity(2, byHour(all), RULES);
  expect(boughtExactly(capacity, all)).toBeGreaterThan(0n);
  expect(boughtExactly((capacity * 105n) / 100n, all)).toBe(0n);
});

test('without a stake everything is bought', () => {
  const hours = byHour([
    [0, 100],
    [30_000, 50],
  ]);
  expect(replayUse(0n, hours, RULES, 1n)).toEqual({ freeDays: 0, days: 2, bought: 150n, boughtSun: 15_000n });
});

test('Energy for calls of own contracts is taken first, and is not bought', () => {
  const use = { startMs: 0, units: 100n, bought: 100n, sun: 10_000n };
  const both = [{ ...use, forOthers: 900n }];
  expect(replayUse(1_000n, both, RULES, 100n)).toMatchObject({ freeDays: 1, bought: 0n });
  expect(replayUse(950n, both, RULES, 100n)).toMatchObject({ freeDays: 0, bought: 50n, boughtSun: 5_000n });
  expect(replayUse(0n, [{ ...use, units: 0n, bought: 0n, sun: 0n, forOthers: 900n }], RULES, 100n)).toMatchObject({
    days: 0,
    bought: 0n,
  });
  expect(leastCapacity(1, both, RULES)).toBe(1_000n);
});
