/**
 * The assumptions of a fork (`ledger/genesis/fork-assumptions.ts`) that may matter to a transaction, with the affected
 * rows.
 */

import type { Charge } from '../../ledger/charging/charges.js';
import {
  ASSUMPTIONS,
  type Assumption,
  type AssumptionName,
  LATER_PARAMETERS,
} from '../../ledger/genesis/fork-assumptions.js';
import { endedAnEpoch, forkedAtMs } from '../../ledger/genesis/fork-base.js';
import type { Ledger } from '../../ledger/ledger.js';
import { absoluteSlot } from '../../ledger/schedule/schedule.js';
import type { Address } from '../../primitives/ids.js';
import type { ContractState } from '../../protocol/generated/smart-contract.js';
import type { Account } from '../../protocol/generated/tron.js';
import { BANDWIDTH, ENERGY, type MeteredAccount, usageWindow } from '../../resources/metered-account.js';
import type { RowName } from '../../state/remote-rows.js';
import type { VoterSettlement } from '../../state/tables.js';

/** The facts about a transaction of a fork that decide which assumptions matter. */
export interface ForkFacts {
  /** The network rows that it read, with their values on the network; undefined: no such row. */
  readonly rows: readonly NetworkValue[];
  /** The state before it. */
  readonly before: Ledger;
  /** The state after it. */
  readonly after: Ledger;
  readonly timestampMs: bigint;
  readonly charges: readonly Charge[];
  /** Witnesses whose vote total a contract read. */
  readonly votesRead: ReadonlySet<Address>;
}

export interface NetworkValue extends RowName {
  readonly value: unknown;
}

/**
 * For each assumption, the rows by which it may matter. Assumptions without an entry matter to no transaction, or to
 * all alike.
 */
const TOUCHED: ReadonlyMap<AssumptionName, (facts: ForkFacts) => readonly RowName[]> = new Map([
  ['usages', usagesTouched],
  ['publicBandwidth', freeBandwidthTouched],
  ['runningTally', tallyTouched],
  ['runningVotes', votersPaid],
  ['runningRewards', rewardsTouched],
  ['brokerages', rewardsTouched],
  ['olderRewards', votersPaid],
  ['guards', withdrawalsTouched],
  ['energyStateCycle', factorsTouched],
  ['adaptiveEnergy', adaptiveTouched],
  ['accountNames', namesTouched],
  ['marketCounters', marketTouched],
  ['laterParameters', laterParametersOn],
]);

/** The assumptions that may matter to the transaction, with the rows. */
export function assumptionsTouched(
  facts: ForkFacts,
): readonly { readonly assumption: Assumption; readonly rows: readonly RowName[] }[] {
  const { assumes } = facts.before.config;
  return ASSUMPTIONS.filter(({ name }) => assumes?.has(name) ?? true).flatMap((assumption: Assumption) => {
    const rows = TOUCHED.get(assumption.name as AssumptionName)?.(facts) ?? [];
    return rows.length === 0 ? [] : [{ assumption, rows }];
  });
}

const DAY_MS = 86_400_000n;

function valuesOf<Value>({ rows }: ForkFacts, table: RowName['table']): readonly (readonly [string, Value])[] {
  return rows.flatMap(({ table: of, key, value }) =>
    of === table && value !== undefined ? [[key, value as Value]] : [],
  );
}

/** Nodes serve only the remaining usage: exact if it is of the head's slot, otherwise without the recovered part. */
function usagesTouched(facts: ForkFacts): readonly RowName[] {
  const { before, after } = facts;
  const begunSlot = absoluteSlot(before, forkedAtMs(before));
  const accounts = valuesOf<Account>(facts, 'accounts').filter(([key, network]) => {
    const [was, is] = [before, after].map(({ state }) => state.tables.accounts.get(key as never));
    if (was === undefined || is === undefined) return false;
    return USAGES.some((usageOf) => {
      const { usage, lastSlot } = usageOf(network);
      if (usage === 0n || lastSlot >= begunSlot) return false;
      const [then, now] = [usageOf(was), usageOf(is)];
      return then.usage !== now.usage || then.lastSlot !== now.lastSlot;
    });
  });
  const issuers = facts.charges.filter(({ source }) => source === 'issuer' && isFirstDay(facts));
  return [
    ...accounts.map(([key]) => ({ table: 'accounts', key }) as const),
    ...issuers.map(({ payer }) => ({ table: 'assets', key: payer }) as const),
  ];
}

const USAGES: readonly ((account: MeteredAccount) => { readonly usage: bigint; readonly lastSlot: bigint })[] = [
  (account) => usageWindow(account, BANDWIDTH),
  (account) => usageWindow(account, ENERGY),
  ({ free_net_usage: usage, latest_consume_free_time: lastSlot }) => ({ usage, lastSlot }),
];

function freeBandwidthTouched(facts: ForkFacts): readonly RowName[] {
  const usesFree = facts.charges.some(({ resource, source }) => resource === 'bandwidth' && source === 'free');
  return usesFree && isFirstDay(facts) ? [{ table: 'longs', key: 'PUBLIC_NET_USAGE' }] : [];
}

/** Voters of the network whose rewards were settled, after the end of a cycle on the fork. */
function votersPaid(facts: ForkFacts): readonly RowName[] {
  if (!isAfterMaintenance(facts)) return [];
  return valuesOf<VoterSettlement>(facts, 'voterSettlements').map(([key]) => ({ table: 'voterSettlements', key }));
}

function rewardsTouched(facts: ForkFacts): readonly RowName[] {
  const { before, after } = facts;
  const witnesses = valuesOf<Account>(facts, 'accounts').filter(([key]) => {
    if (!before.state.tables.witnesses.has(key as never)) return false;
    const [was, is] = [before, after].map(({ state }) => state.tables.accounts.get(key as never)?.allowance);
    return was !== is;
  });
  return [...votersPaid(facts), ...witnesses.map(([key]) => ({ table: 'witnessRewards', key }) as const)];
}

/**
 * Pay depends on the vote totals, which the first maintenance of the fork has counted; contracts may read them, too.
 */
function tallyTouched(facts: ForkFacts): readonly RowName[] {
  const witnesses = isAfterMaintenance(facts) ? [...facts.votesRead] : [];
  const known = witnesses.filter((address) => facts.before.state.tables.witnesses.has(address));
  return [...rewardsTouched(facts), ...known.map((key) => ({ table: 'witnesses', key }) as const)];
}

function withdrawalsTouched(facts: ForkFacts): readonly RowName[] {
  const { before, after } = facts;
  return valuesOf<Account>(facts, 'accounts')
    .filter(([key]) => {
      const [was, is] = [before, after].map(
        ({ state }) => state.tables.accounts.get(key as never)?.latest_withdraw_time,
      );
      return was !== is && before.state.tables.witnesses.has(key as never);
    })
    .map(([key]) => ({ table: 'witnesses', key }));
}

function factorsTouched(facts: ForkFacts): readonly RowName[] {
  if (!isAfterMaintenance(facts)) return [];
  return valuesOf<ContractState>(facts, 'contractStates')
    .filter(([, { energy_factor }]) => energy_factor > 0n)
    .map(([key]) => ({ table: 'contractStates', key }));
}

function adaptiveTouched({ before, charges }: ForkFacts): readonly RowName[] {
  const usesEnergy = charges.some(({ reason }) => reason === 'energy');
  return usesEnergy && before.on('ALLOW_ADAPTIVE_ENERGY')
    ? [{ table: 'longs', key: 'TOTAL_ENERGY_AVERAGE_USAGE' }]
    : [];
}

function namesTouched({ rows, after }: ForkFacts): readonly RowName[] {
  return rows.filter(({ table, key }) => table === 'accountNames' && after.state.tables.accountNames.has(key as never));
}

function marketTouched(facts: ForkFacts): readonly RowName[] {
  const countAt = ({ state }: Ledger, key: string) => state.tables.marketAccounts.get(key as never)?.total_count;
  return valuesOf<Account>(facts, 'accounts')
    .filter(([key]) => countAt(facts.before, key) !== countAt(facts.after, key))
    .map(([key]) => ({ table: 'marketAccounts', key }));
}

function laterParametersOn({ before }: ForkFacts): readonly RowName[] {
  const named = before.state.tables.meta.get(LATER_PARAMETERS)?.split(' ') ?? [];
  return named.map((key) => ({ table: 'longs', key }));
}

function isFirstDay({ before, timestampMs }: ForkFacts): boolean {
  return timestampMs < forkedAtMs(before) + DAY_MS;
}

function isAfterMaintenance({ before }: ForkFacts): boolean {
  return endedAnEpoch(before);
}
