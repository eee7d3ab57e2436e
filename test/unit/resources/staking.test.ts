import { describe, expect, it } from 'vitest';
import { BANDWIDTH, ENERGY, type MeteredAccount, TRON_POWER } from '../../../src/resources/metered-account.js';
import {
  dueUnfreezes,
  stakeWithDelegatedV2,
  votesAfterUnfreeze,
  weightAfter,
  weightDelta,
  withStakeV2,
} from '../../../src/resources/staking.js';
import { allTronPower, settledOldTronPower, tronPower, votingPower } from '../../../src/resources/tron-power.js';
import { account, COIN, MAINNET_RULES } from './accounts.js';

describe('network totals', () => {
  it('S1: count whole coins per account', () => {
    let staked = 0n;
    let weight = 0n;
    const weights = [1_500_000n, 1_500_000n, 1_000_000n, -500_000n, -1_600_000n].map((sun) => {
      weight = weightAfter(weight, weightDelta(staked, staked + sun), MAINNET_RULES);
      staked += sun;
      return weight;
    });
    expect(weights).toEqual([1n, 3n, 4n, 3n, 1n]);
  });

  it('stop at 0 with the new reward algorithm', () => {
    expect(weightAfter(1n, -2n, { newReward: true })).toBe(0n);
    expect(weightAfter(1n, -2n, { newReward: false })).toBe(-1n);
  });

  it('see lent coin as the lender has it', () => {
    const lender = account(
      {
        frozenV2: [
          { type: BANDWIDTH, amount: 1n },
          { type: ENERGY, amount: 2n },
        ],
        delegated_frozenV2_balance_for_bandwidth: 10n,
      },
      { delegated_frozenV2_balance_for_energy: 20n },
    );
    expect([BANDWIDTH, ENERGY, TRON_POWER].map((r) => stakeWithDelegatedV2(lender, r as 0 | 1 | 2))).toEqual([
      11n,
      22n,
      0n,
    ]);
  });
});

describe('stakes of an account', () => {
  it('add to their entry, make one, keep one that falls to 0', () => {
    const stakes = withStakeV2([{ type: BANDWIDTH, amount: 5n }], ENERGY, 7n);
    expect(stakes).toEqual([
      { type: BANDWIDTH, amount: 5n },
      { type: ENERGY, amount: 7n },
    ]);
    expect(withStakeV2(stakes, BANDWIDTH, -5n)[0]).toEqual({ type: BANDWIDTH, amount: 0n });
  });

  it('S17, S18: are due at their time', () => {
    const entry = (unfreeze_amount: bigint, unfreeze_expire_time: bigint) => ({
      type: ENERGY,
      unfreeze_amount,
      unfreeze_expire_time,
    });
    const pending = [entry(1n, 99n), entry(2n, 100n), entry(4n, 101n)];
    expect(dueUnfreezes(pending, 100n)).toEqual({ dueSun: 3n, waiting: [entry(4n, 101n)] });
  });
});

describe('votes after unstaking', () => {
  const remaining = (votes: bigint[], powerSun: bigint) =>
    votesAfterUnfreeze(
      votes.map((vote_count) => ({ vote_count })),
      powerSun,
    )?.map(({ vote_count }) => vote_count);

  it('S19 to S22: in proportion, rounded down, or untouched', () => {
    expect(remaining([600n, 400n], 500n * COIN)).toEqual([300n, 200n]);
    expect(remaining([100n, 100n, 100n], 100n * COIN)).toEqual([33n, 33n, 33n]);
    expect(remaining([700n, 300n], 999_500_000n)).toEqual([699n, 299n]);
    expect(remaining([600n], 600n * COIN)).toBeUndefined();
  });

  it('drop out when nothing is left of them', () => {
    expect(remaining([999n, 1n], 500n * COIN)).toEqual([499n]);
    expect(remaining([5n], 0n)).toEqual([]);
    expect(remaining([], 0n)).toBeUndefined();
  });
});

describe('tron power', () => {
  const everything: MeteredAccount = account(
    {
      frozen: [{ frozen_balance: 1n, expire_time: 0n }],
      frozenV2: [
        { type: BANDWIDTH, amount: 10n },
        { type: ENERGY, amount: 20n },
        { type: TRON_POWER, amount: 50_000n },
      ],
      delegated_frozen_balance_for_bandwidth: 100n,
      delegated_frozenV2_balance_for_bandwidth: 1000n,
      acquired_delegated_frozenV2_balance_for_bandwidth: 7_000_000n,
      tron_power: { frozen_balance: 100_000n, expire_time: 0n },
    },
    {
      frozen_balance_for_energy: { frozen_balance: 2n, expire_time: 0n },
      delegated_frozen_balance_for_energy: 200n,
      delegated_frozenV2_balance_for_energy: 2000n,
      acquired_delegated_frozen_balance_for_energy: 7_000_000n,
    },
  );

  it('is own stake, lent or not', () => {
    expect(tronPower(everything)).toBe(3333n);
    expect(votingPower(everything, { newResourceModel: false })).toBe(3333n);
  });

  it('under the new resource model is what was before, and what is staked for it', () => {
    expect(allTronPower(everything)).toBe(153_333n);
    expect(allTronPower({ ...everything, old_tron_power: -1n })).toBe(150_000n);
    expect(allTronPower({ ...everything, old_tron_power: 500n })).toBe(150_500n);
    expect(votingPower(everything, { newResourceModel: true })).toBe(153_333n);
  });

  it('is settled once', () => {
    expect(settledOldTronPower(everything)).toBe(3333n);
    expect(settledOldTronPower(account())).toBe(-1n);
    expect(settledOldTronPower({ ...everything, old_tron_power: -1n })).toBe(-1n);
    expect(settledOldTronPower({ ...everything, old_tron_power: 9n })).toBe(9n);
  });
});
