import { describe, expect, it } from 'vitest';
import { type ContractEnergyState, caughtUp } from '../../../src/resources/dynamic-energy.js';

const MAINNET = { threshold: 5_000_000_000n, increaseFactor: 2000n, maxFactor: 34_000n };
const OVER = 5_000_000_001n;

function at(cycle: bigint, state: ContractEnergyState | undefined, terms = MAINNET): ContractEnergyState {
  return caughtUp(state, { ...terms, cycle });
}

function state(energy_usage: bigint, energy_factor: bigint, update_cycle: bigint): ContractEnergyState {
  return { energy_usage, energy_factor, update_cycle };
}

describe('the factor of a contract', () => {
  it('D1: rises to the cap, D3: stays there', () => {
    let factor = 0n;
    const factors: bigint[] = [];
    for (let cycle = 1n; cycle <= 10n; cycle += 1n) {
      factor = at(cycle + 1n, state(OVER, factor, cycle)).energy_factor;
      factors.push(factor);
    }
    expect(factors).toEqual([2000n, 4400n, 7280n, 10736n, 14883n, 19859n, 25830n, 32996n, 34000n, 34000n]);
  });

  it('falls by a twentieth in a quiet cycle', () => {
    const quiet = (factor: bigint) => at(2n, state(0n, factor, 1n)).energy_factor;
    expect([2000n, 4400n, 7280n, 10736n, 14883n, 19859n, 25830n, 32996n, 34000n].map(quiet)).toEqual([
      1400n,
      3680n,
      6416n,
      9699n,
      13638n,
      18366n,
      24038n,
      30846n,
      31800n,
    ]);
  });

  it('D4: depends on how often it is looked at', () => {
    const touched: bigint[] = [];
    for (let s = state(0n, 34_000n, 1n); s.energy_factor > 0n; ) {
      s = at(s.update_cycle + 1n, s);
      touched.push(s.energy_factor);
    }
    expect(touched.map(Number)).toEqual([
      31800, 29710, 27724, 25837, 24045, 22342, 20724, 19187, 17727, 16340, 15023, 13771, 12582, 11452, 10379, 9360,
      8392, 7472, 6598, 5768, 4979, 4230, 3518, 2842, 2199, 1589, 1009, 458, 0,
    ]);
    const untouched = Array.from({ length: 29 }, (_, i) => at(BigInt(i + 2), state(0n, 34_000n, 1n)).energy_factor);
    expect(untouched.map(Number)).toEqual([
      31800, 29710, 27724, 25838, 24046, 22344, 20726, 19190, 17730, 16344, 15027, 13775, 12587, 11457, 10384, 9365,
      8397, 7477, 6603, 5773, 4984, 4235, 3523, 2847, 2205, 1594, 1015, 464, 0,
    ]);
  });

  it('D2, D5, D6: at the threshold, after three quiet cycles, from cycle 0', () => {
    expect(at(2n, state(5_000_000_000n, 2000n, 1n)).energy_factor).toBe(1400n);
    expect(at(14n, state(OVER, 2000n, 10n))).toEqual(state(0n, 2346n, 14n));
    expect(at(1n, state(OVER, 2000n, 0n))).toEqual(state(0n, 0n, 1n));
    expect(at(5n, undefined)).toEqual(state(0n, 0n, 5n));
    expect(at(5n, state(OVER, 7n, 6n))).toEqual(state(0n, 0n, 5n));
  });

  it('is left alone within its cycle', () => {
    const now = state(OVER, 7n, 5n);
    expect(at(5n, now)).toBe(now);
  });

  it.each([
    [1010n, 900_000n, 1000n, 3137n],
    [1001n, 2_000_000n, 2000n, 4250n],
    [1001n, 900_000n, 2000n, 8000n],
    [1001n, 900_000n, 5000n, 10_000n],
    [1002n, 900_000n, 5000n, 7500n],
    [1003n, 900_000n, 5000n, 5312n],
    [1004n, 900_000n, 5000n, 3398n],
    [1005n, 900_000n, 5000n, 1723n],
  ])('reference vector: cycle %s, threshold %s, increase %s', (cycle, threshold, increaseFactor, factor) => {
    const terms = { threshold, increaseFactor, maxFactor: 10_000n };
    expect(at(cycle, state(1_000_000n, 5000n, 1000n), terms).energy_factor).toBe(factor);
  });
});
