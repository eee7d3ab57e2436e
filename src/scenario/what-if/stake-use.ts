/**
 * What a stake gives a day, and how much use a day it paid for. The second can be up to twice the first: what is used comes
 * back evenly over the 24 hours after it, so of use that is spread evenly half is in use at a time.
 */

import { accountAt } from '../../ledger/accounts/accounts.js';
import type { Ledger } from '../../ledger/ledger.js';
import { rulesOf } from '../../ledger/stake/staking.js';
import { bandwidthLimit, callEnergyLimit } from '../../resources/limits.js';
import { resourceTotals } from '../../resources/rules.js';
import type { Parties } from '../parties.js';
import type { RecurringCost } from './recurring-cost.js';

export interface StakeUse {
  /** As the scenario names it; of a group all its members together. */
  readonly account: string;
  readonly resource: 'energy' | 'bandwidth';
  /** What its stake gives a day, that which it was lent included; when the run ends. */
  readonly givesADay: bigint;
  /** Energy or bytes that it paid for in 24 hours after the warmup, on average; absent after a warmup of less than a day. */
  readonly carriesADay?: bigint;
}

/** An account whose stake is looked at. */
export interface Staker {
  readonly account: string;
  readonly resource: 'energy' | 'bandwidth';
  /** Members of a group, which all have the same. */
  readonly count: number | undefined;
}

/** What a stake gives a day, and who its charges say has paid. */
export interface Stake extends Pick<Staker, 'account' | 'resource'> {
  readonly payer: string;
  readonly givesADay: bigint;
}

/** What stakes give at the end of a run; not of accounts that do not exist then. @throws MissingRow */
export function stakesAtEnd(ledger: Ledger, parties: Parties, stakers: readonly Staker[]): readonly Stake[] {
  const totals = resourceTotals((name) => ledger.long(name));
  const rules = rulesOf(ledger);
  return stakers.flatMap(({ account, resource, count }) => {
    const party = parties.find(count === undefined ? account : `${account}.0`);
    const row = party && accountAt(ledger, party.address);
    if (party === undefined || row === undefined) return [];
    const limit = (resource === 'energy' ? callEnergyLimit : bandwidthLimit)(row, totals, rules);
    const payer = count === undefined ? party.name : `${account}.*`;
    return [{ account, resource, payer, givesADay: limit * BigInt(count ?? 1) }];
  });
}

/** @param spanMs from the first step to the end */
export function stakeUses(stakes: readonly Stake[], cost: RecurringCost, spanMs: number): readonly StakeUse[] {
  return stakes.map(({ account, resource, payer, givesADay }) => {
    const carriesADay = cost.stakedADay(payer, resource, spanMs);
    return { account, resource, givesADay: givesADay, ...(carriesADay !== undefined && { carriesADay }) };
  });
}
