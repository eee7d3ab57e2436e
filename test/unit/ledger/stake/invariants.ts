/** What must hold of stakes and delegations at every moment, whatever was done before (issue 4, "Invariants"). */

import { expect } from 'vitest';
import type { Ledger } from '../../../../src/ledger/ledger.js';
import { type PartnerSide, partnersOf } from '../../../../src/ledger/stake/delegation-index.js';
import { delegatedAmount, delegationKey, recordAt } from '../../../../src/ledger/stake/delegation-records.js';
import { phantomStake } from '../../../../src/ledger/stake/phantom-stake.js';
import { acquiredV1, acquiredV2, delegatedV1, delegatedV2, stakesV1 } from '../../../../src/ledger/stake/stakes.js';
import type { WeightProperty } from '../../../../src/parameters/network-stakes.js';
import type { Account, Account_Frozen } from '../../../../src/protocol/generated/tron.js';
import { stakeV2Of } from '../../../../src/resources/limits.js';
import { BANDWIDTH, ENERGY, energyRecord, TRON_POWER, usageWindow } from '../../../../src/resources/metered-account.js';
import { DEFAULT_WINDOW_SLOTS, windowPrecise } from '../../../../src/resources/recovery.js';
import { stakeWithDelegatedV2 } from '../../../../src/resources/staking.js';
import { tronPower } from '../../../../src/resources/tron-power.js';
import { accountAt, addressOf, COIN } from '../small-ledger.js';

const METERED = [BANDWIDTH, ENERGY] as const;
const sum = (values: Iterable<bigint>) => [...values].reduce((total, value) => total + value, 0n);
const coinsOf = (stakes: readonly Account_Frozen[]) => sum(stakes.map(({ frozen_balance }) => frozen_balance));

export function allAccounts(ledger: Ledger, count: number): Account[] {
  return Array.from({ length: count }, (_, i) => accountAt(ledger, i));
}

/** Everything an account owns: liquid, staked for itself or lent, and on its way out. */
export function wealthOf(account: Account): bigint {
  return (
    account.balance +
    sum(METERED.map((resource) => delegatedV1(account, resource) + delegatedV2(account, resource))) +
    sum([BANDWIDTH, ENERGY, TRON_POWER].map((resource) => coinsOf(stakesV1(account, resource)))) +
    sum(account.frozenV2.map(({ amount }) => amount)) +
    sum(account.unfrozenV2.map(({ unfreeze_amount }) => unfreeze_amount))
  );
}

/** Each total is the sum of the stakes and the phantom beneath them. */
function expectWeights(ledger: Ledger, accounts: readonly Account[]): void {
  const coins = (account: Account, resource: 0 | 1) =>
    stakeWithDelegatedV2(account, resource) / COIN +
    coinsOf(stakesV1(account, resource)) / COIN +
    acquiredV1(account, resource) / COIN;
  const staked = (total: WeightProperty) => ledger.long(total) - phantomStake(ledger, total);
  expect(staked('TOTAL_NET_WEIGHT')).toBe(sum(accounts.map((account) => coins(account, BANDWIDTH))));
  expect(staked('TOTAL_ENERGY_WEIGHT')).toBe(sum(accounts.map((account) => coins(account, ENERGY))));
  expect(staked('TOTAL_TRON_POWER_WEIGHT')).toBe(
    sum(
      accounts.map((account) => stakeV2Of(account, TRON_POWER) / COIN + coinsOf(stakesV1(account, TRON_POWER)) / COIN),
    ),
  );
}

/** Records, accounts and index tell the same story of every pair. */
function expectDelegations(ledger: Ledger, accounts: readonly Account[]): void {
  const indexed = (version: 1 | 2, side: PartnerSide, i: number) =>
    new Set(partnersOf(ledger, version, side, addressOf(i)).map(({ address }) => address));
  accounts.forEach((from, i) => {
    for (const resource of METERED) {
      let outV1 = 0n;
      let outV2 = 0n;
      let inV1 = 0n;
      let inV2 = 0n;
      accounts.forEach((_, j) => {
        const pair = [addressOf(i), addressOf(j)] as const;
        const reverse = [addressOf(j), addressOf(i)] as const;
        const amount = (key: string) => delegatedAmount(recordAt(ledger, key), resource);
        outV1 += amount(delegationKey.v1(...pair));
        inV1 += amount(delegationKey.v1(...reverse));
        outV2 += amount(delegationKey.unlocked(...pair)) + amount(delegationKey.locked(...pair));
        inV2 += amount(delegationKey.unlocked(...reverse)) + amount(delegationKey.locked(...reverse));
      });
      expect([delegatedV1(from, resource), delegatedV2(from, resource)]).toEqual([outV1, outV2]);
      expect([acquiredV1(from, resource), acquiredV2(from, resource)]).toEqual([inV1, inV2]);
    }
    accounts.forEach((_, j) => {
      const [a, b] = [addressOf(i), addressOf(j)];
      const lentV2Now = recordAt(ledger, delegationKey.unlocked(a, b)) ?? recordAt(ledger, delegationKey.locked(a, b));
      const lentNow = { 1: recordAt(ledger, delegationKey.v1(a, b)), 2: lentV2Now };
      for (const version of [1, 2] as const) {
        expect(indexed(version, 'to', i).has(b)).toBe(lentNow[version] !== undefined);
        expect(indexed(version, 'from', j).has(a)).toBe(lentNow[version] !== undefined);
      }
    });
  });
}

function expectNothingNegative(account: Account): void {
  const amounts = [
    account.balance,
    account.allowance,
    ...METERED.flatMap((resource) => [
      delegatedV1(account, resource),
      delegatedV2(account, resource),
      acquiredV1(account, resource),
      acquiredV2(account, resource),
      usageWindow(account, resource).usage,
      windowPrecise(usageWindow(account, resource)),
    ]),
    ...account.frozenV2.map(({ amount }) => amount),
    ...account.unfrozenV2.map(({ unfreeze_amount }) => unfreeze_amount),
    ...account.votes.map(({ vote_count }) => vote_count),
    energyRecord(account).energy_usage,
  ];
  expect(amounts.filter((amount) => amount < 0n)).toEqual([]);
  for (const resource of METERED) {
    expect(windowPrecise(usageWindow(account, resource)) <= DEFAULT_WINDOW_SLOTS * 1_000n).toBe(true);
  }
}

/** @param accounts how many of `small-ledger.ts` there are @param wealth what each owned at first */
export function expectSoundStakes(ledger: Ledger, accounts: number, wealth: bigint): void {
  const all = allAccounts(ledger, accounts);
  expectWeights(ledger, all);
  expectDelegations(ledger, all);
  for (const account of all) {
    expectNothingNegative(account);
    expect(wealthOf(account)).toBe(wealth);
    const votes = sum(account.votes.map(({ vote_count }) => vote_count));
    if (!ledger.on('ALLOW_NEW_RESOURCE_MODEL')) expect(votes * COIN <= tronPower(account)).toBe(true);
  }
}

/** Everything about stakes that is in the state, as a text to compare. */
export function stakeState(ledger: Ledger, accounts: number): string {
  const { delegations, delegationPartners, delegationLists, votes, longs } = ledger.state.tables;
  const rows: unknown[] = ['TOTAL_NET_WEIGHT', 'TOTAL_ENERGY_WEIGHT', 'TOTAL_TRON_POWER_WEIGHT'].map((name) =>
    longs.get(name),
  );
  for (let i = 0; i < accounts; i++) {
    rows.push(accountAt(ledger, i), votes.get(addressOf(i)), delegationLists.get(addressOf(i)));
    for (const prefix of ['01', '02', '03', '04']) rows.push(delegationPartners.get(prefix + addressOf(i)));
    for (let j = 0; j < accounts; j++) {
      for (const key of Object.values(delegationKey)) rows.push(delegations.get(key(addressOf(i), addressOf(j))));
    }
  }
  return JSON.stringify(rows, (_, value) => {
    if (typeof value === 'bigint') return `${value}n`;
    return value instanceof Map ? [...value] : value;
  });
}
