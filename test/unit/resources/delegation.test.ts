import { describe, expect, it } from 'vitest';
import {
  availableToDelegate,
  delegationBytesEstimate,
  usageInSun,
  usageToReturn,
} from '../../../src/resources/delegation.js';
import { BANDWIDTH, ENERGY } from '../../../src/resources/metered-account.js';
import { account, COIN, MAINNET_RULES, stakedForEnergy, totals } from './accounts.js';

const ENERGY_TOTALS = totals({ energy: 10_000n });

describe('what can be lent', () => {
  it('S2, S3: stake that is not in use, received stake used first', () => {
    const lender = stakedForEnergy(1000n * COIN);
    expect(usageInSun(9_000_000_000n, ENERGY, ENERGY_TOTALS, MAINNET_RULES)).toBe(500_000_000n);
    expect(availableToDelegate(lender, ENERGY, 9_000_000_000n, ENERGY_TOTALS, MAINNET_RULES)).toBe(500n * COIN);
    const borrower = stakedForEnergy(1000n * COIN, { acquired_delegated_frozenV2_balance_for_energy: 200n * COIN });
    expect(availableToDelegate(borrower, ENERGY, 9_000_000_000n, ENERGY_TOTALS, MAINNET_RULES)).toBe(700n * COIN);
  });

  it('S4 to S6: bandwidth, with the estimate of the delegation itself', () => {
    const busy = totals({ net: 26_000_000_000n });
    expect(usageInSun(345n, BANDWIDTH, busy, MAINNET_RULES)).toBe(207_638_888n);
    const estimate = delegationBytesEstimate(1000n * COIN, 864_000n);
    expect(estimate).toBe(283n);
    expect(delegationBytesEstimate(1000n * COIN, undefined)).toBe(279n);
    const lender = account({ frozenV2: [{ type: BANDWIDTH, amount: 1000n * COIN }] });
    expect(availableToDelegate(lender, BANDWIDTH, estimate, totals({ net: 1000n }), MAINNET_RULES)).toBe(999_999_994n);
    expect(availableToDelegate(lender, BANDWIDTH, estimate, busy, MAINNET_RULES)).toBe(829_675_926n);
  });

  it('hardened (parameter 97), what stands behind a usage is exact', () => {
    const hardened = { ...MAINNET_RULES, hardened: true };
    const weights = totals({ energy: 35n });
    expect(usageInSun(108_000_000_000n, ENERGY, weights, MAINNET_RULES)).toBe(21n * COIN);
    expect(usageInSun(108_000_000_000n, ENERGY, weights, hardened)).toBe(21n * COIN);
    // 9,300 billion of Energy and a million sun to a coin are more than a long.
    expect(usageInSun(9_300_000_000_000n, ENERGY, weights, MAINNET_RULES)).toBeLessThan(0n);
    expect(usageInSun(9_300_000_000_000n, ENERGY, weights, hardened)).toBe(1_808_333_333n);
  });

  it('may be less than nothing after unstaking', () => {
    expect(availableToDelegate(account(), ENERGY, 18_000_000n, ENERGY_TOTALS, MAINNET_RULES)).toBe(-COIN);
  });
});

describe('usage that comes back', () => {
  const returned = (amountSun: bigint, receiverUsage: bigint, receiverStakeSun: bigint, resource: 0 | 1 = ENERGY) =>
    usageToReturn(
      { resource, amountSun, receiverUsage, receiverStakeSun, receiverAcquiredSun: amountSun },
      totals({ energy: 10_000n, net: 1n }),
      MAINNET_RULES,
    );

  it('S7, S10, S11, S12: in proportion to stake, capped by what the coin carries', () => {
    expect(returned(200n * COIN, 1_875_000_000n, 500n * COIN)).toBe(750_000_000n);
    expect(returned(COIN, 10_000_000_000n, COIN)).toBe(18_000_000n);
    expect(returned(COIN, 100n, 3n * COIN, BANDWIDTH)).toBe(33n);
    expect(returned(1000n * COIN, 500_000_000n, 2000n * COIN)).toBe(250_000_000n);
  });

  it('is nothing when the account was made anew', () => {
    expect(
      usageToReturn(
        { resource: ENERGY, amountSun: 2n, receiverUsage: 100n, receiverStakeSun: 2n, receiverAcquiredSun: 1n },
        ENERGY_TOTALS,
        MAINNET_RULES,
      ),
    ).toBe(0n);
  });

  it('in a contract multiplies first', () => {
    const undelegation = {
      resource: ENERGY,
      amountSun: 21n * COIN,
      receiverUsage: 10n ** 15n,
      receiverStakeSun: 21n * COIN,
      receiverAcquiredSun: 21n * COIN,
    } as const;
    const weights = totals({ energy: 35n });
    expect(usageToReturn(undelegation, weights, MAINNET_RULES)).toBe(107_999_999_999n);
    expect(usageToReturn({ ...undelegation, inContract: true }, weights, MAINNET_RULES)).toBe(108_000_000_000n);
    // Parameter 97: so it is everywhere.
    expect(usageToReturn(undelegation, weights, { ...MAINNET_RULES, hardened: true })).toBe(108_000_000_000n);
  });
});
