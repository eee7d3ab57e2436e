import { describe, expect, it } from 'vitest';
import {
  accumulated,
  accumulatedReward,
  settlement,
  splitPay,
  standbyShares,
  withOldCycleReward,
} from '../../../src/resources/rewards.js';

describe('pay of witnesses', () => {
  it('R1 to R3: brokerage stays with the witness', () => {
    expect(splitPay(8_000_000n, 20n)).toEqual({ witnessSun: 1_600_000n, votersSun: 6_400_000n });
    expect(splitPay(16_000_000n, 20n)).toEqual({ witnessSun: 3_200_000n, votersSun: 12_800_000n });
    expect(splitPay(12_345_677n, 7n)).toEqual({ witnessSun: 864_197n, votersSun: 11_481_480n });
  });

  it('R4, R5, R10: the standby reward by votes', () => {
    expect(standbyShares([1_000_000n, 2_000_000n], 160_000_000n)).toEqual([53_333_333n, 106_666_666n]);
    expect(standbyShares([1n, 2n, 4n], 128_000_000n)).toEqual([18_285_714n, 36_571_428n, 73_142_857n]);
    expect(standbyShares([], 128_000_000n)).toEqual([]);
  });
});

describe('pay of voters', () => {
  it('R6, R7: by accumulators', () => {
    const vi = accumulated(0n, 12_800_000_000n, 3_000_001n);
    expect(vi).toBe(4_266_665_244_444_918_518_360n);
    expect(accumulatedReward(0n, vi, 1000n)).toBe(4_266_665n);
    expect([accumulated(7n, 0n, 5n), accumulated(7n, 5n, 0n)]).toEqual([7n, 7n]);
    expect(accumulated(7n, 1n, -1n)).toBe(7n - 10n ** 18n);
    expect(accumulatedReward(7n, 5n, 1000n)).toBe(0n);
  });

  it('the old way, rounded after every addition', () => {
    expect(withOldCycleReward(5n, 1n, 3n, 100n)).toBe(38n);
    expect(withOldCycleReward(5n, 1n, undefined, 100n)).toBe(5n);
    expect(withOldCycleReward(5n, 1n, 0n, 100n)).toBe(5n);
    expect(withOldCycleReward(5n, 1n, 3n, 0n)).toBe(5n);
  });

  it('R8: votes earn from the cycle after they are cast', () => {
    const snapshots = new Set<bigint>();
    const voter = { begin: 0n, end: -1n };
    const settle = (cycle: bigint, hasVotes: boolean) => {
      const result = settlement({ ...voter, cycle, hasVotes }, (c) => snapshots.has(c));
      if (result !== undefined) {
        voter.begin = result.begin;
        if (result.end !== undefined) {
          voter.end = result.end;
          snapshots.add(result.begin);
        }
      }
      return result?.pays;
    };
    expect(settle(7n, false)).toEqual([]); // votes for the first time in cycle 7: earns from cycle 8 on
    expect(voter.begin).toBe(8n);
    expect(settle(7n, true)).toBeUndefined();
    expect(settle(8n, true)).toEqual([]);
    expect(voter).toEqual({ begin: 8n, end: 9n });
    expect(settle(8n, true)).toBeUndefined();
    expect(settle(11n, true)).toEqual([
      { from: 8n, to: 9n, by: 'snapshot' },
      { from: 9n, to: 11n, by: 'current' },
    ]);
    expect(voter).toEqual({ begin: 11n, end: 12n });
    expect(settle(12n, false)).toEqual([{ from: 11n, to: 12n, by: 'snapshot' }]);
    expect(voter.begin).toBe(13n);
  });
});
