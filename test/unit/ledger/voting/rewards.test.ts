import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Ledger } from '../../../../src/ledger/ledger.js';
import { rankStandbyWitnesses } from '../../../../src/ledger/schedule/schedule.js';
import {
  accumulateRewards,
  beginCycle,
  brokerageOf,
  payBlockReward,
  payBlockRewards,
  rewardPerVote,
  rewardsOf,
  setNextBrokerage,
} from '../../../../src/ledger/voting/rewards.js';
import type { Address } from '../../../../src/primitives/ids.js';
import type { WitnessRewards } from '../../../../src/state/tables.js';
import { address, EpochLedger, type EpochLedgerOptions } from '../epoch-ledger.js';

const W1 = address(1);

const poolOf = (ledger: Ledger, witness = W1) => rewardsOf(ledger, witness).poolSun;

/** Changes what a witness's cycle is under, as a maintenance would. */
function set(ledger: Ledger, witness: Address, change: Partial<WitnessRewards>): void {
  ledger.state.tables.witnessRewards.set(witness, { ...rewardsOf(ledger, witness), ...change });
}

/** Block pay alone or standby pay alone. */
const pays = (blockSun: bigint, standbySun: bigint, options: EpochLedgerOptions = {}) =>
  new EpochLedger({
    ...options,
    parameters: { WITNESS_PAY_PER_BLOCK: blockSun, WITNESS_127_PAY_PER_BLOCK: standbySun, ...options.parameters },
  });

describe('block reward (protocol/rewards.md#rewards-of-a-block)', () => {
  it.each([
    ['R1', 20n, 8_000_000n, 1_600_000n, 6_400_000n],
    ['R2', 20n, 16_000_000n, 3_200_000n, 12_800_000n],
    ['R3', 7n, 12_345_677n, 864_197n, 11_481_480n],
    ['all', 100n, 8_000_000n, 8_000_000n, 0n],
    ['nothing', 0n, 8_000_000n, 0n, 8_000_000n],
  ])('%s: brokerage %s of %s', (_, brokerage, pay, allowance, voters) => {
    const test = pays(pay, 0n);
    set(test.ledger, W1, { brokerage });
    payBlockReward(test.ledger, W1);
    expect(test.account(W1).allowance).toBe(allowance);
    expect(poolOf(test.ledger)).toBe(voters);
  });

  it.each([
    ['R4', 160_000_000n, [1_000_000n, 2_000_000n], [53_333_333n, 106_666_666n]],
    ['R5', 128_000_000n, [1n, 2n, 4n], [18_285_714n, 36_571_428n, 73_142_857n]],
    ['R10', 128_000_000n, [0n, 0n], [0n, 0n]],
  ])('%s: standby pay by votes', (_, pay, witnessVotes, shares) => {
    const test = pays(0n, pay, { witnessVotes });
    for (const i of witnessVotes.keys()) set(test.ledger, address(i + 1), { brokerage: 100n });
    payBlockReward(test.ledger, W1);
    expect(witnessVotes.map((_, i) => test.account(address(i + 1)).allowance)).toEqual(shares);
  });

  it('shares standby pay among 127, whoever else has votes', () => {
    const test = pays(0n, 127_000_000n, {
      witnessVotes: Array.from({ length: 130 }, (_, i) => BigInt(1000 - (i % 2))),
    });
    payBlockReward(test.ledger, W1);
    const paid = Array.from({ length: 130 }, (_, i) => test.account(address(i + 1)).allowance > 0n);
    expect(paid.filter(Boolean)).toHaveLength(127);
    // Ties are broken by the address, the highest first: of those with 999 votes the three lowest get nothing.
    expect(paid.indexOf(false)).toBe(1);
    expect([1, 3, 5].map((i) => paid[i])).toEqual([false, false, false]);
  });

  it('gives the fee pool to the producer, through its brokerage and without', () => {
    for (const [change, allowance] of [
      [1n, 200n],
      [0n, 1000n],
    ] as const) {
      const test = pays(0n, 0n, { parameters: { CHANGE_DELEGATION: change, ALLOW_TRANSACTION_FEE_POOL: 1n } });
      test.ledger.setLong('TRANSACTION_FEE_POOL', 1000n);
      payBlockReward(test.ledger, W1);
      expect(test.account(W1).allowance).toBe(allowance);
      expect(test.ledger.long('TRANSACTION_FEE_POOL')).toBe(0n);
    }
  });

  it('pays a run of blocks at once as it pays them one by one', () => {
    const amount = fc.bigInt(0n, 200_000_000n);
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.bigInt(0n, 10n ** 9n), fc.bigInt(0n, 100n), fc.nat(20)), { minLength: 1, maxLength: 5 }),
        amount,
        amount,
        fc.bigInt(0n, 1n),
        (witnesses, blockSun, standbySun, change) => {
          const ledgers = [0, 1].map(() => {
            const test = pays(blockSun, standbySun, {
              witnessVotes: witnesses.map(([votes]) => votes),
              parameters: { CHANGE_DELEGATION: change },
            });
            witnesses.forEach(([, percent], i) => {
              set(test.ledger, address(i + 1), { brokerage: percent });
            });
            return test;
          }) as [EpochLedger, EpochLedger];
          const produced = new Map(witnesses.map(([, , blocks], i) => [address(i + 1), BigInt(blocks)] as const));
          payBlockRewards(ledgers[0].ledger, produced);
          for (const [witness, blocks] of produced) {
            for (let i = 0n; i < blocks; i++) payBlockReward(ledgers[1].ledger, witness);
          }
          for (const witness of produced.keys()) {
            expect(ledgers[0].account(witness).allowance).toBe(ledgers[1].account(witness).allowance);
            expect(poolOf(ledgers[0].ledger, witness)).toBe(poolOf(ledgers[1].ledger, witness));
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('accumulators', () => {
  it('R6: a pool of 12,800 TRX over 3,000,001 votes', () => {
    const { ledger } = new EpochLedger({ witnessVotes: [3_000_001n] });
    set(ledger, W1, { poolSun: 12_800_000_000n });
    beginCycle(ledger, accumulateRewards(ledger));
    expect(rewardPerVote(ledger, 0n, W1)).toBe(4_266_665_244_444_918_518_360n);
  });

  it('stay where they are over a cycle without reward, and leave no row while they are 0', () => {
    const { ledger } = new EpochLedger({ witnessVotes: [10n, 0n] });
    ledger.setLong('CURRENT_CYCLE_NUMBER', 5n);
    set(ledger, W1, { perVote: 77n });
    beginCycle(ledger, accumulateRewards(ledger));
    expect(rewardPerVote(ledger, 5n, W1)).toBe(77n);
    const rows = [...ledger.state.journal.changedKeys(ledger.state.tables.rewardHistory as never)];
    expect(rows).toEqual([`vi:5:${W1}`]);
  });
});

describe('brokerage', () => {
  it('is 20 for whoever has not set it, and what was set from the next cycle on', () => {
    const test = new EpochLedger();
    test.blockAt(3000n);
    setNextBrokerage(test.ledger, W1, 33n);
    expect(brokerageOf(test.ledger, W1)).toBe(20n);
    expect(brokerageOf(test.ledger, address(999))).toBe(20n);
    test.nextEpoch();
    expect(brokerageOf(test.ledger, W1)).toBe(33n);
  });
});

describe('the standby group', () => {
  it('is ranked by votes, then address or its hash, and has no member without votes', () => {
    const { ledger } = new EpochLedger({ witnessVotes: [5n, 0n, 7n, 5n] });
    rankStandbyWitnesses(ledger);
    expect(ledger.state.tables.texts.get('standby_witnesses')).toBe(
      [`${address(3)}:7`, `${address(4)}:5`, `${address(1)}:5`].join(','),
    );
  });
});
