import { describe, expect, it } from 'vitest';
import { MAX_LONG } from '../../../src/primitives/java-math.js';
import {
  bandwidthLimit,
  callEnergyLimit,
  energyLimit,
  leftBandwidth,
  leftEnergy,
  stakeOf,
} from '../../../src/resources/limits.js';
import { BANDWIDTH, ENERGY, TRON_POWER } from '../../../src/resources/metered-account.js';
import { account, COIN, MAINNET_RULES, STAKE_1, stakedForEnergy, totals } from './accounts.js';

/** [shown by the API, usable in calls] */
function energy(stakeSun: bigint, energyWeight: bigint, rules = MAINNET_RULES): [bigint, bigint] {
  const staker = stakedForEnergy(stakeSun);
  const weights = totals({ energy: energyWeight });
  return [energyLimit(staker, weights, rules), callEnergyLimit(staker, weights, rules)];
}

function bandwidth(stakeSun: bigint, net: bigint, rules = MAINNET_RULES): bigint {
  return bandwidthLimit(account({ frozenV2: [{ type: BANDWIDTH, amount: stakeSun }] }), totals({ net }), rules);
}

describe('limits of a stake', () => {
  it('L1 to L5: fractions of a coin count for the API, not for calls', () => {
    expect(energy(1_500_000n, 1000n)).toEqual([270_000_000n, 180_000_000n]);
    expect(energy(12_345_678_901n, 19_123_456_789n)).toEqual([116_204n, 116_197n]);
    expect(energy(21n * COIN, 35n)).toEqual([107_999_999_999n, 107_999_999_999n]);
    expect(energy(100n * COIN, 10_000n)).toEqual([1_800_000_000n, 1_800_000_000n]);
    expect(energy(900_000n, 1000n)).toEqual([162_000_000n, 0n]);
  });

  it('L6, L7, B13, B14: bandwidth counts fractions always', () => {
    expect(bandwidth(10n * COIN, 1_000_000n)).toBe(432_000n);
    expect(bandwidth(COIN, 1_000_000n)).toBe(43_200n);
    expect(bandwidth(1000n * COIN, 26_000_000_000n)).toBe(1661n);
    expect(bandwidth(1000n * COIN, 1000n)).toBe(43_200_000_000n);
    expect(bandwidth(0n, 1000n)).toBe(0n);
    expect(bandwidth(COIN, 0n)).toBe(0n);
  });

  it('without a weight a call budget saturates, the API shows nothing', () => {
    expect(energy(COIN, 0n)).toEqual([0n, MAX_LONG]);
  });

  it('before stake 2.0 only whole coins count', () => {
    expect(bandwidth(1_500_000n, 1000n, STAKE_1)).toBe(43_200_000n);
    expect(bandwidth(999_999n, 1000n, STAKE_1)).toBe(0n);
    expect(bandwidth(COIN, 0n, STAKE_1)).toBe(0n);
    expect(energy(1_500_000n, 1000n, STAKE_1)).toEqual([180_000_000n, 180_000_000n]);
    expect(energy(COIN, 0n, STAKE_1)[0]).toBe(0n);
    expect(energy(COIN, 0n, { ...STAKE_1, newReward: false })[0]).toBe(MAX_LONG);
  });

  it('hardened, they are exact', () => {
    expect(energy(21n * COIN, 35n, { ...MAINNET_RULES, hardened: true })).toEqual([108_000_000_000n, 108_000_000_000n]);
  });

  it('counts own and received stake of both kinds, nothing that is lent or staked for votes', () => {
    const everything = account(
      {
        frozen: [{ frozen_balance: 1n, expire_time: 0n }],
        frozenV2: [
          { type: BANDWIDTH, amount: 10n },
          { type: ENERGY, amount: 20n },
          { type: TRON_POWER, amount: 1_000_000n },
        ],
        acquired_delegated_frozen_balance_for_bandwidth: 100n,
        acquired_delegated_frozenV2_balance_for_bandwidth: 1000n,
        delegated_frozen_balance_for_bandwidth: 1_000_000n,
        delegated_frozenV2_balance_for_bandwidth: 1_000_000n,
      },
      {
        frozen_balance_for_energy: { frozen_balance: 2n, expire_time: 0n },
        acquired_delegated_frozen_balance_for_energy: 200n,
        acquired_delegated_frozenV2_balance_for_energy: 2000n,
        delegated_frozen_balance_for_energy: 1_000_000n,
        delegated_frozenV2_balance_for_energy: 1_000_000n,
      },
    );
    expect(stakeOf(everything, BANDWIDTH)).toBe(1111n);
    expect(stakeOf(everything, ENERGY)).toBe(2222n);
  });
});

describe('what is left', () => {
  it('of Energy is never negative, of bandwidth it can be', () => {
    const weights = totals({ energy: 1_000_000n, net: 1_000_000n });
    const busy = stakedForEnergy(COIN, { energy_usage: 200_000n, latest_consume_time_for_energy: 0n });
    expect(leftEnergy(busy, weights, 0n, MAINNET_RULES)).toBe(0n);
    expect(leftEnergy(busy, weights, 14_400n, MAINNET_RULES)).toBe(80_000n);
    expect(leftBandwidth(account({ net_usage: 100n }), weights, 0n, MAINNET_RULES)).toBe(-100n);
  });
});
