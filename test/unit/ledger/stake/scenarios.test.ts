/**
 * The examples of protocol/staking.md#unfreeze-stake-20, #withdraw-and-cancel-unfreezings, #delegate and #undelegate that
 * need a chain, and the index rules of protocol/storage-forms.md#stores.
 */

import { describe, expect, it } from 'vitest';
import { cancelAllUnfreezeV2Contract } from '../../../../src/ledger/contracts/CancelAllUnfreezeV2Contract.js';
import { delegateResourceContract } from '../../../../src/ledger/contracts/DelegateResourceContract.js';
import { freezeBalanceContract } from '../../../../src/ledger/contracts/FreezeBalanceContract.js';
import { freezeBalanceV2Contract } from '../../../../src/ledger/contracts/FreezeBalanceV2Contract.js';
import { unDelegateResourceContract } from '../../../../src/ledger/contracts/UnDelegateResourceContract.js';
import { unfreezeBalanceContract } from '../../../../src/ledger/contracts/UnfreezeBalanceContract.js';
import { unfreezeBalanceV2Contract } from '../../../../src/ledger/contracts/UnfreezeBalanceV2Contract.js';
import { withdrawExpireUnfreezeContract } from '../../../../src/ledger/contracts/WithdrawExpireUnfreezeContract.js';
import { partnersOf } from '../../../../src/ledger/stake/delegation-index.js';
import { delegationKey, recordAt } from '../../../../src/ledger/stake/delegation-records.js';
import { BANDWIDTH, ENERGY } from '../../../../src/resources/metered-account.js';
import { address, type EpochLedger } from '../epoch-ledger.js';
import { accountAt, addressOf, advance, COIN, refusal, run, smallLedger } from '../small-ledger.js';

const DAY_MS = 86_400_000n;
const WITNESS = address(1);

const freeze = (chain: EpochLedger, owner: number, sun: bigint, resource: number) =>
  run(chain, freezeBalanceV2Contract, { owner_address: addressOf(owner), frozen_balance: sun, resource });
const unfreeze = (chain: EpochLedger, owner: number, sun: bigint, resource: number) =>
  run(chain, unfreezeBalanceV2Contract, { owner_address: addressOf(owner), unfreeze_balance: sun, resource });
const lend = (chain: EpochLedger, from: number, to: number, sun: bigint, lockSlots?: bigint) =>
  run(chain, delegateResourceContract, {
    owner_address: addressOf(from),
    receiver_address: addressOf(to),
    resource: ENERGY,
    balance: sun,
    lock: lockSlots !== undefined,
    lock_period: lockSlots ?? 0n,
  });
const takeBack = (chain: EpochLedger, from: number, to: number, sun: bigint) =>
  run(chain, unDelegateResourceContract, {
    owner_address: addressOf(from),
    receiver_address: addressOf(to),
    resource: ENERGY,
    balance: sun,
  });

describe('unfreezing', () => {
  it('S1: the weight counts the whole coins of an account', () => {
    const chain = smallLedger(1);
    const weight = () => chain.ledger.long('TOTAL_ENERGY_WEIGHT');
    const weights = [1_500_000n, 1_500_000n, COIN, -500_000n, -1_600_000n].map((sun) => {
      if (sun > 0n) freeze(chain, 0, sun, ENERGY);
      else unfreeze(chain, 0, -sun, ENERGY);
      return weight();
    });
    expect(weights).toEqual([1n, 3n, 4n, 3n, 1n]);
  });

  it('S17: a 33rd unfreeze waits until one of the 32 has served its time, and pays it', () => {
    const chain = smallLedger(1);
    freeze(chain, 0, 100n * COIN, ENERGY);
    unfreeze(chain, 0, COIN, ENERGY);
    advance(chain.ledger, 3_000n);
    for (let i = 1; i < 32; i++) unfreeze(chain, 0, COIN, ENERGY);
    expect(refusal(() => unfreeze(chain, 0, COIN, ENERGY))).toBe(
      'Invalid unfreeze operation, unfreezing times is over limit',
    );
    advance(chain.ledger, 14n * DAY_MS - 3_000n);
    expect(unfreeze(chain, 0, COIN, ENERGY).withdraw_expire_amount).toBe(COIN);
    expect(accountAt(chain.ledger, 0).unfrozenV2).toHaveLength(32);
  });

  it('S18: what is unfrozen at T can be taken out from T + 14 days on', () => {
    const chain = smallLedger(1);
    const withdraw = () => run(chain, withdrawExpireUnfreezeContract, { owner_address: addressOf(0) });
    freeze(chain, 0, 10n * COIN, BANDWIDTH);
    unfreeze(chain, 0, 4n * COIN, BANDWIDTH);
    advance(chain.ledger, 14n * DAY_MS - 1n);
    expect(refusal(withdraw)).toBe('no unFreeze balance to withdraw ');
    advance(chain.ledger, 1n);
    expect(withdraw().withdraw_expire_amount).toBe(4n * COIN);
    expect(accountAt(chain.ledger, 0).balance).toBe(994n * COIN);
  });

  it.each([
    ['S19', [600n, 400n], 1_000n * COIN, 500n * COIN, [300n, 200n]],
    ['S20', [100n, 100n, 100n], 300n * COIN, 200n * COIN, [33n, 33n, 33n]],
    ['S21', [700n, 300n], 1_000n * COIN, 500_000n, [699n, 299n]],
    ['S22', [600n], 1_000n * COIN, 400n * COIN, [600n]],
  ] as const)('%s: votes follow the power that is left', (_, counts, stake, unfrozen, left) => {
    const chain = smallLedger(1);
    freeze(chain, 0, stake, BANDWIDTH);
    chain.edit(addressOf(0), {
      votes: counts.map((vote_count, i) => ({ vote_address: address(i + 1), vote_count })),
    });
    unfreeze(chain, 0, unfrozen, BANDWIDTH);
    expect(accountAt(chain.ledger, 0).votes.map(({ vote_count }) => vote_count)).toEqual(left);
  });

  it('S23: cancelling stakes what waits and pays what has waited', () => {
    const chain = smallLedger(1);
    freeze(chain, 0, 2n * COIN, ENERGY);
    freeze(chain, 0, 2n * COIN, BANDWIDTH);
    unfreeze(chain, 0, 2n * COIN, BANDWIDTH);
    advance(chain.ledger, 13n * DAY_MS);
    unfreeze(chain, 0, 1_500_000n, ENERGY);
    expect(chain.ledger.long('TOTAL_ENERGY_WEIGHT')).toBe(0n);
    advance(chain.ledger, DAY_MS);
    const balance = accountAt(chain.ledger, 0).balance;
    const result = run(chain, cancelAllUnfreezeV2Contract, { owner_address: addressOf(0) });
    expect(chain.ledger.long('TOTAL_ENERGY_WEIGHT')).toBe(2n);
    expect(accountAt(chain.ledger, 0).balance - balance).toBe(2n * COIN);
    expect(result.withdraw_expire_amount).toBe(2n * COIN);
    expect([...(result.cancel_unfreezeV2_amount ?? [])]).toEqual([
      ['ENERGY', 1_500_000n],
      ['TRON_POWER', 0n],
      ['BANDWIDTH', 0n],
    ]);
  });
});

describe('delegation with a lock', () => {
  function lender(): EpochLedger {
    const chain = smallLedger(3);
    freeze(chain, 0, 500n * COIN, ENERGY);
    return chain;
  }

  it('S13: period 0 locks for three days, of which the last millisecond is locked', () => {
    const chain = lender();
    const start = chain.ledger.headTimeMs;
    lend(chain, 0, 1, 10n * COIN, 0n);
    const locked = recordAt(chain.ledger, delegationKey.locked(addressOf(0), addressOf(1)));
    expect(locked?.expire_time_for_energy).toBe(start + 259_200_000n);
    advance(chain.ledger, 259_200_000n);
    expect(refusal(() => takeBack(chain, 0, 1, COIN))).toBe(
      'insufficient delegateFrozenBalance(Energy), request=1000000, unlock_balance=0',
    );
    advance(chain.ledger, 1n);
    takeBack(chain, 0, 1, 10n * COIN);
    expect(accountAt(chain.ledger, 0).frozenV2).toContainEqual({ type: ENERGY, amount: 500n * COIN });
    expect(partnersOf(chain.ledger, 2, 'to', addressOf(0))).toEqual([]);
  });

  it('S14, S15: a new lock outlasts the running one and stays within the limit', () => {
    const chain = lender();
    lend(chain, 0, 1, COIN, 86_000n);
    expect(refusal(() => lend(chain, 0, 1, COIN, 100n))).toBe(
      'The lock period for ENERGY this time cannot be less than the remaining time[258000000ms] of the last lock period for ENERGY!',
    );
    expect(refusal(() => lend(chain, 0, 1, COIN, 864_001n))).toBe(
      'The lock period of delegate resource cannot be less than 0 and cannot exceed 864000!',
    );
    lend(chain, 0, 1, COIN, 86_000n);
  });

  it('S16: what is locked cannot be taken back', () => {
    const chain = lender();
    lend(chain, 0, 1, 100n * COIN);
    lend(chain, 0, 1, 150n * COIN, 1_000n);
    expect(refusal(() => takeBack(chain, 0, 1, 200n * COIN))).toBe(
      'insufficient delegateFrozenBalance(Energy), request=200000000, unlock_balance=100000000',
    );
    takeBack(chain, 0, 1, 100n * COIN);
    // The pair stays in the index for what is still locked.
    expect(partnersOf(chain.ledger, 2, 'from', addressOf(1))).toHaveLength(1);
  });

  it('a lock of one resource makes an empty unlocked record, which changes a later refusal', () => {
    const chain = lender();
    lend(chain, 0, 1, COIN, 1_000n);
    expect(refusal(() => takeBack(chain, 0, 2, COIN))).toBe('delegated Resource does not exist');
    lend(chain, 0, 1, COIN, 1_000n);
    const unlocked = recordAt(chain.ledger, delegationKey.unlocked(addressOf(0), addressOf(1)));
    expect(unlocked).toMatchObject({ frozen_balance_for_energy: 0n, frozen_balance_for_bandwidth: 0n });
  });
});

describe('stake 1.0', () => {
  const lendV1 = (chain: EpochLedger, from: number, to: number) =>
    run(chain, freezeBalanceContract, {
      owner_address: addressOf(from),
      receiver_address: addressOf(to),
      resource: BANDWIDTH,
      frozen_balance: 10n * COIN,
      frozen_duration: 3n,
    });

  it('is refused last of all once stake 2.0 is open', () => {
    const chain = smallLedger(2);
    expect(refusal(() => lendV1(chain, 0, 1))).toBe('freeze v2 is open, old freeze is closed');
    const tooLittle = {
      owner_address: addressOf(0),
      receiver_address: '',
      resource: BANDWIDTH,
      frozen_balance: 0n,
      frozen_duration: 3n,
    };
    expect(refusal(() => run(chain, freezeBalanceContract, tooLittle))).toBe('frozenBalance must be positive');
  });

  it('unfreezing after the switch pays, and clears all votes', () => {
    const chain = smallLedger(2, { UNFREEZE_DELAY_DAYS: 0n });
    lendV1(chain, 0, 1);
    chain.edit(addressOf(0), { votes: [{ vote_address: WITNESS, vote_count: 2n }] });
    chain.ledger.setLong('UNFREEZE_DELAY_DAYS', 14n);
    const message = { owner_address: addressOf(0), receiver_address: addressOf(1), resource: BANDWIDTH };
    expect(refusal(() => run(chain, unfreezeBalanceContract, message))).toBe("It's not time to unfreeze.");
    advance(chain.ledger, 3n * DAY_MS);
    expect(run(chain, unfreezeBalanceContract, message).unfreeze_amount).toBe(10n * COIN);
    expect(accountAt(chain.ledger, 0)).toMatchObject({ balance: 1_000n * COIN, votes: [] });
    expect(chain.ledger.long('TOTAL_NET_WEIGHT')).toBe(0n);
  });

  it('without the new reward rules each operation counts its own whole coins (fees 9.1)', () => {
    const chain = smallLedger(1, { UNFREEZE_DELAY_DAYS: 0n, ALLOW_NEW_REWARD: 0n });
    for (const frozen_balance of [500n * COIN, 1_500_000n, 1_500_000n]) {
      run(chain, freezeBalanceContract, {
        owner_address: addressOf(0),
        receiver_address: '',
        resource: BANDWIDTH,
        frozen_balance,
        frozen_duration: 3n,
      });
    }
    expect(chain.ledger.long('TOTAL_NET_WEIGHT')).toBe(502n);
    advance(chain.ledger, 3n * DAY_MS);
    run(chain, unfreezeBalanceContract, { owner_address: addressOf(0), receiver_address: '', resource: BANDWIDTH });
    expect(chain.ledger.long('TOTAL_NET_WEIGHT')).toBe(-1n);
  });

  it('old lists of partners are converted when the pair is touched again, from either end', () => {
    const chain = smallLedger(4, { UNFREEZE_DELAY_DAYS: 0n, ALLOW_DELEGATE_OPTIMIZATION: 0n });
    lendV1(chain, 0, 2);
    lendV1(chain, 0, 3);
    lendV1(chain, 1, 3);
    chain.ledger.setLong('ALLOW_DELEGATE_OPTIMIZATION', 1n);
    expect(chain.ledger.state.tables.delegationLists.get(addressOf(0))?.toAccounts).toEqual([
      addressOf(2),
      addressOf(3),
    ]);
    advance(chain.ledger, 3_000n);
    lendV1(chain, 0, 2);
    const times = () => partnersOf(chain.ledger, 1, 'to', addressOf(0)).map((to) => [to.address, to.timestampMs]);
    expect(times()).toEqual([
      [addressOf(3), 2n],
      [addressOf(2), chain.ledger.headTimeMs],
    ]);
    expect(chain.ledger.state.tables.delegationLists.has(addressOf(3))).toBe(true);
    // Account 3's own list says that 0 lent to it first, 1 second.
    lendV1(chain, 1, 3);
    expect(times()[1]).toEqual([addressOf(3), 1n]);
  });
});
