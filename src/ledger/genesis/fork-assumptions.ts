/**
 * What no interface of a node serves, what a fork takes it to be, and which transactions that may matter to. Everything
 * else of a fork is exact; what touches one of these may come out differently than on the network, and `explain` says so
 * by its name.
 */

import type { ContractState } from '../../protocol/generated/smart-contract.js';
import type { Account } from '../../protocol/generated/tron.js';
import { BANDWIDTH, ENERGY, type MeteredAccount, usageWindow } from '../../resources/metered-account.js';
import type { RowName } from '../../state/remote-rows.js';
import { numberKey, type VoterSettlement } from '../../state/tables.js';
import type { Charge } from '../charging/charges.js';
import type { Ledger } from '../ledger.js';
import { absoluteSlot } from '../schedule/schedule.js';

/** Something that no interface of a node serves, and what a fork takes it to be. */
export interface Assumption {
  readonly name: string;
  /** The tables whose rows it concerns. */
  readonly tables: readonly RowName['table'][];
  /** What is not served. */
  readonly unknown: string;
  readonly assumed: string;
  /** What may come out differently than on the network. */
  readonly effect: string;
  /** Which transactions it is named for, in words. */
  readonly named: string;
  /** The rows by which it may matter to a transaction; absent: to none, or to every one alike. */
  readonly touched?: (seen: SeenOnFork) => readonly RowName[];
}

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
}

export interface NetworkValue extends RowName {
  readonly value: unknown;
}

export const ASSUMPTIONS = [
  {
    name: 'usages',
    tables: ['accounts', 'assets'],
    unknown:
      'bandwidth and Energy usages as they were when they were last written: nodes answer what is left of them now, rounded',
    assumed: 'the middle of all usages that come to the answer; exact for one of the same slot, and for none',
    effect:
      'bandwidth or Energy that an account has left may differ by one unit after some time, and by its price what is burned',
    named: 'whose bandwidth or Energy it used, and was partly recovered when it was read',
    touched: usagesTouched,
  },
  {
    name: 'publicBandwidth',
    tables: ['longs'],
    unknown: "how much of the network's free bandwidth is used (PUBLIC_NET_USAGE)",
    assumed: 'none',
    effect: 'a transaction may take free bandwidth that the network would have had no more of, and pay nothing for it',
    named: 'used free bandwidth, within a day of the beginning',
    touched: freeBandwidthTouched,
  },
  {
    name: 'runningTally',
    tables: ['votes', 'witnesses'],
    unknown: 'how votes cast since the last maintenance change the totals of witnesses, of a node before 4.8.1',
    assumed: 'not at all; nothing, if the forked block has ended an epoch',
    effect:
      "the first maintenance's tally and election; from then on the `voteCount` of witnesses, who is elected by it, and the pay of witnesses and voters",
    named: 'paid a voter or a witness of the network, after a maintenance',
    touched: rewardsTouched,
  },
  {
    name: 'runningVotes',
    tables: ['voterSettlements', 'votes'],
    unknown: 'who voted since the last maintenance',
    assumed: 'nobody: votes of an account have counted since the cycle began',
    effect: 'the reward of the first cycle',
    named: 'paid a voter of the network, after a maintenance',
    touched: votersPaid,
  },
  {
    name: 'pending',
    tables: ['accounts', 'storage', 'contractStates'],
    unknown: 'what of an answer pending transactions of the node have done, which its blocks have not yet',
    assumed: 'nothing',
    effect: 'rows of busy accounts may be a few transactions ahead of the block that they are told to be of',
    named: 'none: it may concern any row',
  },
  {
    name: 'runningRewards',
    tables: ['witnessRewards'],
    unknown: 'what witnesses have earned for their voters in the running cycle, and brokerages set for the next',
    assumed: 'nothing yet; brokerages stay',
    effect: 'the rewards of the first cycle, which pay for the blocks of the fork only',
    named: 'paid a voter or a witness of the network, after a maintenance',
    touched: rewardsTouched,
  },
  {
    name: 'brokerages',
    tables: ['witnessRewards'],
    unknown: "each witness's brokerage, which is a question for each: up to 127 for the first block",
    assumed: 'the default of 20 %, unless `--fork-brokerages` is given',
    effect: 'how rewards of blocks are split between witness and voters',
    named: 'paid a voter or a witness of the network, after a maintenance',
    touched: rewardsTouched,
  },
  {
    name: 'olderRewards',
    tables: ['rewardHistory', 'voterSettlements'],
    unknown: 'accumulators of the cycles that are over, and when a voter was last paid',
    assumed: 'what getReward says is owed, as one sum',
    effect:
      'a reward that was earned in part before the fork may be a few sun lower, at most one for each witness voted for: what was owed by then is rounded of itself',
    named: 'paid a voter of the network, after a maintenance',
    touched: votersPaid,
  },
  {
    name: 'guards',
    tables: ['witnesses'],
    unknown: "which witnesses the network's genesis has named, who may never withdraw what they earn",
    assumed: 'none',
    effect: 'a witness of the genesis can withdraw',
    named: 'withdrew what a witness of the network had earned',
    touched: withdrawalsTouched,
  },
  {
    name: 'cycle',
    tables: ['longs', 'contractStates'],
    unknown: 'the number of the running cycle, where the newest block calls no contract',
    assumed: 'as many as there were whole maintenance intervals since the genesis',
    effect: 'none but on the number',
    named: 'none: no result depends on it',
  },
  {
    name: 'energyStateCycle',
    tables: ['contractStates'],
    unknown: 'when the factor of a contract was last written: nodes answer it as it is now',
    assumed: 'now, so a contract that is quiet from here on falls in two roundings where the network rounds once',
    effect: "a quiet contract's factor, by at most 1/10,000",
    named: 'called a contract with a factor, after a maintenance',
    touched: factorsTouched,
  },
  {
    name: 'filledSlots',
    tables: ['texts', 'longs'],
    unknown: 'which of the last 128 slots had a block',
    assumed: 'all',
    effect: 'the participation rate',
    named: 'none: no result depends on it',
  },
  {
    name: 'adaptiveEnergy',
    tables: ['longs'],
    unknown: 'the average that adaptive Energy goes by, and the fee pool',
    assumed: 'none; both are switched off on the networks of TRON',
    effect: 'the first blocks of a network that has them on',
    named: 'used Energy, where adaptive Energy is on',
    touched: adaptiveTouched,
  },
  {
    name: 'accountNames',
    tables: ['accountNames'],
    unknown: 'which account has a name',
    assumed: 'none has',
    effect: 'where names are unique, a name of the network can be taken again',
    named: 'took a name',
    touched: namesTouched,
  },
  {
    name: 'delegationTimes',
    tables: ['delegationPartners'],
    unknown: 'when an account last lent to another',
    assumed: 'their order, which nodes keep',
    effect: 'none',
    named: 'none: no result depends on it',
  },
  {
    name: 'marketCounters',
    tables: ['marketAccounts'],
    unknown: 'how many orders an account has placed in all',
    assumed:
      "as many as the id of its newest open order tells, which is a hash with that number; where an order of the network has an order's id already, the number of the last such order of the pair, and one more",
    effect:
      'ids of its next orders, where it has placed others in another pair after its newest open one; never the id of another order',
    named: 'placed an order, of an account of the network',
    touched: marketTouched,
  },
  {
    name: 'unmergedRows',
    tables: ['assets', 'witnesses', 'proposals', 'exchanges', 'marketPairs'],
    unknown: 'which rows the node has not merged into its store yet, and which block wrote each',
    assumed: 'those that its lists have ahead of the others; they are merged with the first block of the fork',
    effect: 'the order of lists (`getassetissuelist`, `listwitnesses`, `getmarketpairlist`), until then',
    named: 'none: no result depends on it',
  },
  {
    name: 'laterParameters',
    tables: ['longs'],
    unknown: 'what chain parameters do that came after the releases that Sunup knows (node-versions.md)',
    assumed: 'nothing',
    effect: 'whatever they change',
    named: 'did anything, on a network where such are on',
    touched: laterParametersOn,
  },
  {
    name: 'burnedBefore',
    tables: ['longs'],
    unknown: 'sums of fees since the genesis, other than what was burned',
    assumed: '0',
    effect: 'none on any transaction',
    named: 'none: no result depends on it',
  },
] as const satisfies readonly Assumption[];

export type AssumptionName = (typeof ASSUMPTIONS)[number]['name'];

/** The assumptions of a fork that may matter to a transaction, with the rows by which they do. */
export function assumptionsTouched(
  seen: SeenOnFork,
): readonly { readonly assumption: Assumption; readonly rows: readonly RowName[] }[] {
  const { assumes } = seen.before.config;
  return ASSUMPTIONS.filter(({ name }) => assumes?.has(name) ?? true).flatMap((assumption: Assumption) => {
    const rows = assumption.touched?.(seen) ?? [];
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
  const begunSlot = absoluteSlot(before, begunMs(before));
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

/** The row of `meta` that names parameters of the network that Sunup does not know, and are on: `getAllowX=1 getY=5`. */
export const LATER_PARAMETERS = 'laterParameters';

function laterParametersOn({ before }: SeenOnFork): readonly RowName[] {
  const named = before.state.tables.meta.get(LATER_PARAMETERS)?.split(' ') ?? [];
  return named.map((key) => ({ table: 'longs', key }));
}

/** Time of the block above which the fork began. */
function begunMs({ state, config }: Ledger): bigint {
  return state.tables.blocks.get(numberKey(config.beginsAt))?.header.raw_data?.timestamp ?? 0n;
}

function isFirstDay({ before, timestampMs }: SeenOnFork): boolean {
  return timestampMs < begunMs(before) + DAY_MS;
}

function isAfterMaintenance({ before }: SeenOnFork): boolean {
  return endedAnEpoch(before);
}

/** Whether a fork has had a maintenance of its own. */
export function endedAnEpoch(fork: Ledger): boolean {
  return fork.long('NEXT_MAINTENANCE_TIME') - fork.long('MAINTENANCE_TIME_INTERVAL') > begunMs(fork);
}
