/**
 * Daily capacity of a stake, and the daily use that it paid for. The second can be up to twice the first: usage
 * recovers over 24 hours, so with evenly spread use half has recovered at any time.
 */

import { accountAt } from '../../ledger/accounts/accounts.js';
import type { Ledger } from '../../ledger/ledger.js';
import { rulesOf } from '../../ledger/stake/staking.js';
import { bandwidthLimit, callEnergyLimit } from '../../resources/limits.js';
import { resourceTotals } from '../../resources/rules.js';
import type { Parties } from '../parties.js';
import type { RecurringCost } from './recurring-cost.js';

export interface StakeUse {
  /** The scenario's name; for a group, all members together. */
  readonly account: string;
  readonly resource: 'energy' | 'bandwidth';
  /** Daily capacity of its stake and of delegations to it, at the end of the run. */
  readonly givesADay: bigint;
  /**
   * Energy or bytes that it paid for in 24 hours after the warmup, on average; absent if the warmup is shorter than a
   * day.
   */
  readonly carriesADay?: bigint;
}

/** An account whose stake is measured. */
export interface Staker {
  readonly account: string;
  readonly resource: 'energy' | 'bandwidth';
  /** Members of a group; all have the same stake. */
  readonly count: number | undefined;
}

/** Daily capacity of a stake, and its payer in the charges. */
export interface Stake extends Pick<Staker, 'account' | 'resource'> {
  readonly payer: string;
  readonly givesADay: bigint;
}

/** Capacities of stakes at the end of a run; accounts that do not exist are omitted. @throws MissingRow */
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
