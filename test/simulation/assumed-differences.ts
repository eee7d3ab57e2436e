/**
 * Which of a fork's assumptions can show at a block of the chain that it is a fork of, worked out from that chain's whole
 * state; and what each of them may change. A difference that none of those allows is one that the fork must not have.
 */

import type { Difference } from '../../scripts/verify/difference.js';
import type { AssumptionName } from '../../src/ledger/genesis/fork-assumptions.js';
import { rulesOf } from '../../src/ledger/stake/staking.js';
import { orderIdOf } from '../../src/ledger/trade/market.js';
import { uncountedVotes } from '../../src/ledger/voting/votes.js';
import type { Node } from '../../src/node/node.js';
import type { Address } from '../../src/primitives/ids.js';
import { MAX_LONG } from '../../src/primitives/java-math.js';
import { isSince } from '../../src/primitives/release.js';
import type { ContractState } from '../../src/protocol/generated/smart-contract.js';
import type { Account, MarketAccountOrder, MarketOrder } from '../../src/protocol/generated/tron.js';
import { dayUsage } from '../../src/resources/recovery.js';
import type { TableSpec } from '../../src/state/table-spec.js';
import { TABLES, type VoterSettlement, type WitnessRewards } from '../../src/state/tables.js';
import { recoveredAccount } from '../../src/wallet/accounts.js';

/** Where two chains were compared, and in what they differ. */
export interface Compared {
  /** `block 7, store properties, PUBLIC_NET_USAGE`, `block 7, account 41…`. */
  readonly where: string;
  /** `Account`, `TransactionInfo`, `row`, … */
  readonly what: string;
  readonly differences: readonly Difference[];
}

async function storedValues<Value>(node: Node, table: keyof typeof TABLES): Promise<Map<string, Value>> {
  const spec = TABLES[table] as unknown as TableSpec<Value>;
  const rows = new Map<string, Value>();
  for await (const { key, value } of node.chain.store.rows(spec.prefix)) {
    rows.set(key.slice(spec.prefix.length), spec.decode(value));
  }
  return rows;
}

/**
 * What of the table of assumptions is not so on this chain, at its head. The head has to be durable.
 *
 * @param release whose interfaces the fork reads
 */
export async function untrueAssumptions(node: Node, release = node.chain.config.release): Promise<Set<AssumptionName>> {
  const { ledger } = node.chain;
  const { tables } = ledger.state;
  const slot = ledger.headSlot;
  const untrue = new Set<AssumptionName>();
  const note = (name: AssumptionName, isSo: boolean) => void (isSo && untrue.add(name));

  const accounts = await storedValues<Account>(node, 'accounts');
  for (const account of accounts.values()) {
    const now = recoveredAccount(ledger, account);
    const left: readonly (readonly [usage: bigint | undefined, lastSlot: bigint | undefined])[] = [
      [now.net_usage, account.latest_consume_time],
      [now.free_net_usage, account.latest_consume_free_time],
      [now.account_resource?.energy_usage, account.account_resource?.latest_consume_time_for_energy],
      ...[...now.free_asset_net_usageV2].map(
        ([id, usage]) => [usage, account.latest_asset_operation_timeV2.get(id)] as const,
      ),
    ];
    note(
      'usages',
      left.some(([usage = 0n, lastSlot = 0n]) => usage > 0n && lastSlot < slot),
    );
  }
  for (const [
    ,
    { public_free_asset_net_usage: usage, public_latest_free_net_time: lastSlot },
  ] of tables.assets.entries())
    note('usages', usage > 0n && lastSlot < slot);
  const publicUsage = dayUsage(
    ledger.long('PUBLIC_NET_USAGE'),
    0n,
    ledger.long('PUBLIC_NET_TIME'),
    slot,
    rulesOf(ledger),
  );
  note('publicBandwidth', publicUsage > 0n);
  note('runningVotes', tables.votes.entries().length > 0);
  const changes = [...uncountedVotes(ledger).values()];
  note('runningTally', !isSince('4.8.1', release) && changes.some((votes) => votes !== 0n));
  const cycle = ledger.long('CURRENT_CYCLE_NUMBER');
  const settled = await storedValues<VoterSettlement>(node, 'voterSettlements');
  for (const [voter, { votes }] of accounts) {
    const { beginCycle, endCycle } = settled.get(voter) ?? { beginCycle: 0n, endCycle: -1n };
    // What began otherwise than with a snapshot of this cycle is summed up in other parts, each rounded.
    note('olderRewards', votes.length > 0 && (beginCycle !== cycle || endCycle !== cycle + 1n));
  }
  // In the cycle in which accumulators begin, those before are read for a little longer.
  const accumulatesFrom = ledger.long('NEW_REWARD_ALGORITHM_EFFECTIVE_CYCLE');
  note('olderRewards', accumulatesFrom > cycle && accumulatesFrom < MAX_LONG);
  for (const { poolSun, brokerage, nextBrokerage } of (
    await storedValues<WitnessRewards>(node, 'witnessRewards')
  ).values())
    note('runningRewards', poolSun > 0n || brokerage !== nextBrokerage);
  for (const { energy_factor, energy_usage, update_cycle } of (
    await storedValues<ContractState>(node, 'contractStates')
  ).values())
    note('energyStateCycle', energy_factor + energy_usage > 0n && update_cycle < cycle);
  note(
    'adaptiveEnergy',
    ledger.long('TOTAL_ENERGY_AVERAGE_USAGE') +
      ledger.long('BLOCK_ENERGY_USAGE') +
      ledger.long('TRANSACTION_FEE_POOL') >
      0n,
  );
  note('accountNames', (await storedValues(node, 'accountNames')).size > 0);
  note('marketCounters', (await uncountedTraders(node)).size > 0);
  return untrue;
}

/** Accounts that have placed more orders than their open ones tell: the ids of their next orders no fork knows. */
export async function uncountedTraders(node: Node): Promise<Set<string>> {
  const orders = await storedValues<MarketOrder>(node, 'marketOrders');
  const traders = await storedValues<MarketAccountOrder>(node, 'marketAccounts');
  const told = ([owner, { orders: open, total_count }]: readonly [string, MarketAccountOrder]): bigint => {
    const isOpen = (number: bigint) =>
      open.some((id) => {
        const { sell_token_id, buy_token_id } = orders.get(id) as MarketOrder;
        return id === orderIdOf(owner as Address, sell_token_id, buy_token_id, number);
      });
    let placed = total_count;
    while (placed > 0n && !isOpen(placed - 1n)) placed--;
    return placed;
  };
  return new Set([...traders].filter((row) => told(row) !== row[1].total_count).map(([owner]) => owner));
}

interface Allowed {
  readonly where: RegExp;
  readonly path: RegExp;
  /** Absent: rows that say otherwise what comes to the same. */
  readonly by?: readonly AssumptionName[];
  /** How far apart the values may be: so many units, or a part of the larger one; absent: as far as they like. */
  readonly within?: { readonly units: bigint; readonly oneIn?: bigint };
}

const FEW = { units: 2n } as const;
/** What they cost, where they are Energy that is burned for. */
const PRICED = { units: 2_000n } as const;
/** A sun for each witness that somebody votes for. */
const VOTES = { units: 30n } as const;
/** What a factor that differs by 1/10,000 makes of the Energy of a call, or a unit of usage of what can be lent. */
const NEARLY = { units: 30n, oneIn: 1_000n } as const;

const USAGES =
  /^(account_resource\.)?(net|free_net|energy)_(usage|window_size|window_optimized)$|^free_asset_net_usage(V2)?\./;
const ACCOUNT = /(store account, |, account 41)/;
const ENERGY_PAID = /^(fee|receipt\.energy_(usage|fee|usage_total|penalty_total)|receipt\.origin_energy_usage)$/;
const COMES_OUT = /^(contractResult\.|internal_transactions\..*callValue$)/;

const ALLOWED: readonly Allowed[] = [
  // A usage that has recovered, an empty stake, cycles by another count, usages of tokens by name, which nobody looks at.
  { where: /store account, /, path: USAGES },
  { where: /store account, /, path: /^frozenV2\./ },
  { where: /store asset-issue/, path: /^public_free_asset_net_usage$/ },
  { where: /, account 41/, path: /^(free_asset_net_usage|asset)\./ },
  { where: /store DelegatedResourceAccountIndex, /, path: /^timestamp$/ },
  {
    where: /store properties, (BLOCK_FILLED_SLOTS|CURRENT_CYCLE_NUMBER|NEW_REWARD_ALGORITHM_EFFECTIVE_CYCLE)/,
    path: /^$/,
  },
  { where: /store properties, TOTAL_(TRANSACTION_COST|CREATE_ACCOUNT_COST|CREATE_WITNESS_FEE)/, path: /^$/ },
  { where: /store delegation, (end-)?41[0-9a-f]{40}$/, path: /^$/ },
  { where: /store delegation, .*-(vi|account-vote)$/, path: /^/ },
  { where: /store contract-state, /, path: /^update_cycle$/ },
  // What a fork begins above counts as solid.
  { where: /store properties, LATEST_SOLIDIFIED_BLOCK_NUM/, path: /^$/ },

  { where: /, account 41|resources of/, path: /(usage|Used)/i, by: ['usages'], within: FEW },
  { where: /, transaction /, path: /^\d+\.left\./, by: ['usages'], within: FEW },
  { where: /, account 41/, path: /window_size$/, by: ['usages'] },
  { where: /, transaction /, path: COMES_OUT, by: ['usages'], within: NEARLY },
  { where: /, transaction /, path: ENERGY_PAID, by: ['usages'], within: PRICED },
  { where: /, transaction /, path: /^\d+\.(amount|units)$/, by: ['usages'], within: PRICED },
  { where: ACCOUNT, path: /^balance$/, by: ['usages'], within: PRICED },
  { where: /store properties, BURN_TRX_AMOUNT/, path: /^$/, by: ['usages'], within: PRICED },

  { where: /store contract-state, /, path: /^energy_factor$/, by: ['energyStateCycle'], within: FEW },
  { where: /store contract-state, /, path: /^energy_usage$/, by: ['energyStateCycle'], within: NEARLY },
  { where: /, transaction /, path: ENERGY_PAID, by: ['energyStateCycle'], within: NEARLY },
  { where: /, transaction /, path: /^\d+\.(amount|units|left\..*)$/, by: ['energyStateCycle'], within: NEARLY },
  { where: ACCOUNT, path: /balance$|energy_usage$/, by: ['energyStateCycle'], within: NEARLY },
  { where: /resources of/, path: /^EnergyUsed$/, by: ['energyStateCycle'], within: NEARLY },
  { where: /store properties, BURN_TRX_AMOUNT/, path: /^$/, by: ['energyStateCycle'], within: NEARLY },

  { where: /store properties, PUBLIC_NET_USAGE/, path: /^$/, by: ['publicBandwidth'] },
  { where: /store votes, /, path: /^old_votes\./, by: ['runningVotes'] },
  { where: /store delegation, .*-reward$/, path: /^$/, by: ['runningRewards', 'runningVotes'] },
  { where: /store delegation, .*-brokerage$/, path: /^$/, by: ['runningRewards'] },
  { where: ACCOUNT, path: /^(allowance|balance)$/, by: ['runningRewards', 'runningVotes'] },
  { where: /, transaction /, path: /^withdraw_amount$/, by: ['runningRewards', 'runningVotes'] },
  { where: /, transaction /, path: COMES_OUT, by: ['runningRewards', 'runningVotes'] },
  { where: ACCOUNT, path: /^(allowance|balance)$/, by: ['olderRewards'], within: VOTES },
  { where: /, transaction /, path: /^withdraw_amount$/, by: ['olderRewards'], within: VOTES },
  { where: /, transaction /, path: COMES_OUT, by: ['olderRewards'], within: VOTES },

  // Who is elected, and in which order: from the first maintenance on every block.
  { where: /list of witnesses|store witness|store properties, /, path: /^/, by: ['runningTally'] },
  { where: /^block \d+$/, path: /^$/, by: ['runningTally'] },
  { where: ACCOUNT, path: /^(allowance|balance)$/, by: ['runningTally'] },
  { where: /, transaction /, path: /^withdraw_amount$/, by: ['runningTally'] },
  { where: /, transaction /, path: COMES_OUT, by: ['runningTally'] },

  { where: /, transaction /, path: /^orderId$/, by: ['marketCounters'] },
  { where: /store market_/, path: /^/, by: ['marketCounters'] },

  { where: /store properties, (TOTAL_ENERGY_|BLOCK_ENERGY|TRANSACTION_FEE_POOL)/, path: /^$/, by: ['adaptiveEnergy'] },
  { where: /resources of/, path: /^(Total)?EnergyLimit$/, by: ['adaptiveEnergy'] },
  // The share of the fee pool that was paid out.
  { where: ACCOUNT, path: /^(allowance|balance)$/, by: ['adaptiveEnergy'] },
];

/** Numbers of a value; of what a contract returned its words. */
function numbersOf(value: unknown): readonly bigint[] {
  if (typeof value !== 'string') return [BigInt((value as bigint | number | undefined) ?? 0n)];
  return (value.match(/[0-9a-f]{1,64}/g) ?? []).map((word) => BigInt(`0x${word}`));
}

function areWithin({ units, oneIn }: NonNullable<Allowed['within']>, { expected, actual }: Difference): boolean {
  const [known, ours] = [numbersOf(expected), numbersOf(actual)];
  return (
    known.length === ours.length &&
    known.every((one, i) => {
      const other = ours[i] as bigint;
      const [low, high] = one < other ? [one, other] : [other, one];
      return high - low <= units + (oneIn === undefined ? 0n : high / oneIn);
    })
  );
}

function isAllowed(where: string, difference: Difference, untrue: ReadonlySet<AssumptionName>): boolean {
  return ALLOWED.some(
    (allowed) =>
      allowed.where.test(where) &&
      allowed.path.test(difference.path) &&
      (allowed.by === undefined || allowed.by.some((name) => untrue.has(name))) &&
      (allowed.within === undefined || areWithin(allowed.within, difference)),
  );
}

/** What no assumption allows. */
export function unexplained<One extends Compared>(found: readonly One[], untrue: ReadonlySet<AssumptionName>): One[] {
  return found.flatMap((one) => {
    const differences = one.differences.filter((difference) => !isAllowed(one.where, difference, untrue));
    return differences.length === 0 && one.differences.length > 0 ? [] : [{ ...one, differences }];
  });
}
