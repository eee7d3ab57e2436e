import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { undoPreMerge } from '../../../src/resources/bill.js';
import { preMerge } from '../../../src/resources/budget.js';
import type { UsageWindow } from '../../../src/resources/metered-account.js';
import { consume, dayUsage } from '../../../src/resources/recovery.js';
import type { ResourceRules } from '../../../src/resources/rules.js';
import { BEFORE_CANCEL_ALL, MAINNET_RULES, STAKE_1 } from './accounts.js';

type Stored = readonly [usage: number, slot: number, windowSize: number, optimized: 0 | 1];

/**
 * Every stored usage that one transaction alone changed in the recorded chains: what was used (by the receipt), the slot
 * of the transaction, the account's fields before and after.
 */
type Row = readonly [
  recording: string,
  block: number,
  kind: 'staked' | 'free' | 'energyDone' | 'energyFailed',
  rules: 'precise' | 'whole' | 'stake1',
  used: number,
  slot: number,
  ...before: Stored,
  ...after: Stored,
];

const ROWS = JSON.parse(
  readFileSync(new URL('../../../fixtures/resources/recorded-usages.json', import.meta.url), 'utf8'),
) as readonly Row[];

const RULES: Readonly<Record<Row[3], ResourceRules>> = {
  precise: MAINNET_RULES,
  whole: BEFORE_CANCEL_ALL,
  stake1: STAKE_1,
};

function windowOf([usage, slot, windowSize, optimized]: Stored): UsageWindow {
  return {
    usage: BigInt(usage),
    lastSlot: BigInt(slot),
    windowSize: BigInt(windowSize),
    windowOptimized: optimized === 1,
  };
}

function after(kind: Row[2], before: UsageWindow, used: bigint, slot: bigint, rules: ResourceRules): UsageWindow {
  switch (kind) {
    case 'free': {
      const recovered = dayUsage(before.usage, 0n, before.lastSlot, slot, rules);
      return { ...before, usage: dayUsage(recovered, used, slot, slot, rules), lastSlot: slot };
    }
    case 'energyDone': {
      if (!rules.unfreezeDelay) return consume(before, used, slot, rules);
      const { window, memo } = preMerge(before, used, slot, rules);
      return consume(undoPreMerge(window, memo, rules), used, slot, rules);
    }
    default:
      return consume(before, used, slot, rules);
  }
}

describe('usages of the recorded chains', () => {
  for (const kind of ['staked', 'free', 'energyDone', 'energyFailed'] as const) {
    it(`${kind}: every stored usage, slot and window follows from the one before`, () => {
      const rows = ROWS.filter((row) => row[2] === kind);
      expect(rows.length).toBeGreaterThan(80);
      for (const [recording, block, , rules, used, slot, ...fields] of rows) {
        const before = windowOf(fields.slice(0, 4) as unknown as Stored);
        const expected = windowOf(fields.slice(4) as unknown as Stored);
        const actual = after(kind, before, BigInt(used), BigInt(slot), RULES[rules]);
        expect({ recording, block, ...actual }).toEqual({ recording, block, ...expected });
      }
    });
  }
});
