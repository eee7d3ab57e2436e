/** Which assumptions of a fork (`ledger/genesis/fork-assumptions.ts`) may matter to a transaction, and by which rows. */

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

/** A transaction of a fork, as far as an assumption may matter to it. */
export interface SeenOnFork {
  /** The rows that it read and the network was asked for, with what they were there: undefined for none. */
  readonly rows: readonly NetworkValue[];
  /** The state before it. */
  readonly before: Ledger;
  /** The state after it. */
  readonly after: Ledger;
  readonly timestampMs: bigint;
  readonly charges: readonly Charge[];
  /** Witnesses whose vote total a contract has read. */
  readonly votesRead: ReadonlySet<Address>;
}

export interface NetworkValue extends RowName {
  readonly value: unknown;
}

/** The rows by which an assumption may matter to a transaction. Those without an entry matter to none, or to all alike. */
const TOUCHED: ReadonlyMap<AssumptionName, (seen: SeenOnFork) => readonly RowName[]> = new Map([
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

/** The assumptions of a fork that may matter to a transaction, with the rows by which they do. */
export function assumptionsTouched(
  seen: SeenOnFork,
): readonly { readonly assumption: Assumption; readonly rows: readonly RowName[] }[] {
  const { assumes } = seen.before.config;
  return ASSUMPTIONS.filter(({ name }) => assumes?.has(name) ?? true).flatMap((assumption: Assumption) => {
    const rows = TOUCHED.get(assumption.name as AssumptionName)?.(seen) ?? [];
    return rows.length === 0 ? [] : [{ assumption, rows }];
  });
}

const DAY_MS = 86_400_000n;

function valuesOf<Value>({ rows }: SeenOnFork, table: RowName['table']): readonly (readonly [string, Value])[] {
  return rows.flatMap(({ table: of, key, value }) =>
    of === table && value !== undefined ? [[key, value as Value]] : [],
  );
}

/** Nodes tell what is left of a usage: of the head's own slot all, of an older one what has not recovered. */
function usagesTouched(seen: SeenOnFork): readonly RowName[] {
  const { before, after } = seen;
  const begunSlot = absoluteSlot(before, forkedAtMs(before));
  const accounts = valuesOf<Account>(seen, 'accounts').filter(([key, network]) => {
    const [was, is] = [before, after].map(({ state }) => state.tables.accounts.get(key as never));
    if (was === undefined || is === undefined) return false;
    return USAGES.some((usageOf) => {
      const { usage, lastSlot } = usageOf(network);
      if (usage === 0n || lastSlot >= begunSlot) return false;
      const [then, now] = [usageOf(was), usageOf(is)];
      return then.usage !== now.usage || then.lastSlot !== now.lastSlot;
    });
  });
  const issuers = seen.charges.filter(({ source }) => source === 'issuer' && isFirstDay(seen));
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

function freeBandwidthTouched(seen: SeenOnFork): readonly RowName[] {
  const usesFree = seen.charges.some(({ resource, source }) => resource === 'bandwidth' && source === 'free');
  return usesFree && isFirstDay(seen) ? [{ table: 'longs', key: 'PUBLIC_NET_USAGE' }] : [];
}

/** Voters of the network whose rewards it settled, once a cycle of the fork is over. */
function votersPaid(seen: SeenOnFork): readonly RowName[] {
  if (!isAfterMaintenance(seen)) return [];
  return valuesOf<VoterSettlement>(seen, 'voterSettlements').map(([key]) => ({ table: 'voterSettlements', key }));
}

function rewardsTouched(seen: SeenOnFork): readonly RowName[] {
  const { before, after } = seen;
  const witnesses = valuesOf<Account>(seen, 'accounts').filter(([key]) => {
    if (!before.state.tables.witnesses.has(key as never)) return false;
    const [was, is] = [before, after].map(({ state }) => state.tables.accounts.get(key as never)?.allowance);
    return was !== is;
  });
  return [...votersPaid(seen), ...witnesses.map(([key]) => ({ table: 'witnessRewards', key }) as const)];
}

/** Pay goes by the vote totals that the first maintenance of the fork has made; contracts may read them, too. */
function tallyTouched(seen: SeenOnFork): readonly RowName[] {
  const witnesses = isAfterMaintenance(seen) ? [...seen.votesRead] : [];
  const known = witnesses.filter((address) => seen.before.state.tables.witnesses.has(address));
  return [...rewardsTouched(seen), ...known.map((key) => ({ table: 'witnesses', key }) as const)];
}

function withdrawalsTouched(seen: SeenOnFork): readonly RowName[] {
  const { before, after } = seen;
  return valuesOf<Account>(seen, 'accounts')
    .filter(([key]) => {
      const [was, is] = [before, after].map(
        ({ state }) => state.tables.accounts.get(key as never)?.latest_withdraw_time,
      );
      return was !== is && before.state.tables.witnesses.has(key as never);
    })
    .map(([key]) => ({ table: 'witnesses', key }));
}

function factorsTouched(seen: SeenOnFork): readonly RowName[] {
  if (!isAfterMaintenance(seen)) return [];
  return valuesOf<ContractState>(seen, 'contractStates')
    .filter(([, { energy_factor }]) => energy_factor > 0n)
    .map(([key]) => ({ table: 'contractStates', key }));
}

function adaptiveTouched({ before, charges }: SeenOnFork): readonly RowName[] {
  const usesEnergy = charges.some(({ reason }) => reason === 'energy');
  return usesEnergy && before.on('ALLOW_ADAPTIVE_ENERGY')
    ? [{ table: 'longs', key: 'TOTAL_ENERGY_AVERAGE_USAGE' }]
    : [];
}

function namesTouched({ rows, after }: SeenOnFork): readonly RowName[] {
  return rows.filter(({ table, key }) => table === 'accountNames' && after.state.tables.accountNames.has(key as never));
}

function marketTouched(seen: SeenOnFork): readonly RowName[] {
  const countAt = ({ state }: Ledger, key: string) => state.tables.marketAccounts.get(key as never)?.total_count;
  return valuesOf<Account>(seen, 'accounts')
    .filter(([key]) => countAt(seen.before, key) !== countAt(seen.after, key))
    .map(([key]) => ({ table: 'marketAccounts', key }));
}

function laterParametersOn({ before }: SeenOnFork): readonly RowName[] {
  const named = before.state.tables.meta.get(LATER_PARAMETERS)?.split(' ') ?? [];
  return named.map((key) => ({ table: 'longs', key }));
}

function isFirstDay({ before, timestampMs }: SeenOnFork): boolean {
  return timestampMs < forkedAtMs(before) + DAY_MS;
}

function isAfterMaintenance({ before }: SeenOnFork): boolean {
  return endedAnEpoch(before);
}
