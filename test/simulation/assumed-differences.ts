/**
 * Which of a fork's assumptions can show at a block of the chain that it is a fork of, worked out from that chain's whole
 * state; and what each of them may change. A difference that none of those allows is one that the fork must not have.
 */

import type { Difference } from '../../scripts/verify/difference.js';
import type { AssumptionName } from '../../src/ledger/blocks/fork-assumptions.js';
import { queryReward } from '../../src/ledger/epoch/voter-rewards.js';
import type { Node } from '../../src/node/node.js';
import type { Address } from '../../src/primitives/ids.js';
import type { ContractState } from '../../src/protocol/generated/smart-contract.js';
import type { Account, MarketAccountOrder } from '../../src/protocol/generated/tron.js';
import { fixedWindowUsage } from '../../src/resources/recovery.js';
import type { TableSpec } from '../../src/state/table-spec.js';
import { TABLES, type WitnessRewards } from '../../src/state/tables.js';
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

/** What of the table of assumptions is not so on this chain, at its head. The head has to be durable. */
export async function untrueAssumptions(node: Node): Promise<Set<AssumptionName>> {
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
  const publicUsage = fixedWindowUsage(
    ledger.long('PUBLIC_NET_USAGE'),
    0n,
    ledger.long('PUBLIC_NET_TIME'),
    slot,
    86_400_000n / ledger.config.slotMs,
  );
  note('publicBandwidth', publicUsage > 0n);
  note('runningVotes', tables.votes.entries().length > 0);
  ledger.state.dryRun(() => {
    for (const voter of accounts.keys()) {
      const { allowance = 0n } = tables.accounts.get(voter) ?? {};
      note('olderRewards', queryReward(ledger, voter as Address) > allowance);
    }
  });
  for (const { poolSun, brokerage, nextBrokerage } of (
    await storedValues<WitnessRewards>(node, 'witnessRewards')
  ).values())
    note('runningRewards', poolSun > 0n || brokerage !== nextBrokerage);
  for (const { energy_factor, energy_usage, update_cycle } of (
    await storedValues<ContractState>(node, 'contractStates')
  ).values())
    note('energyStateCycle', energy_factor + energy_usage > 0n && update_cycle < ledger.long('CURRENT_CYCLE_NUMBER'));
  note(
    'adaptiveEnergy',
    ledger.long('TOTAL_ENERGY_AVERAGE_USAGE') +
      ledger.long('BLOCK_ENERGY_USAGE') +
      ledger.long('TRANSACTION_FEE_POOL') >
      0n,
  );
  note('accountNames', (await storedValues(node, 'accountNames')).size > 0);
  for (const { orders, total_count } of (await storedValues<MarketAccountOrder>(node, 'marketAccounts')).values())
    note('marketCounters', total_count !== BigInt(orders.length));
  return untrue;
}

interface Allowed {
  readonly where: RegExp;
  readonly path: RegExp;
  /** Absent: only ever seen in the rows, and always allowed. */
  readonly by?: readonly AssumptionName[];
  /** How far apart the values may be. */
  readonly most?: bigint;
}

const REWARDED = ['runningRewards', 'runningVotes'] as const;
const USAGES =
  /^(account_resource\.)?(net|free_net|energy)_(usage|window_size|window_optimized)$|^free_asset_net_usage(V2)?\./;

/** What is different in the rows alone, and what it can change. */
const ALLOWED: readonly Allowed[] = [
  // Rows that say otherwise what comes to the same: a usage that has recovered, an empty stake, cycles by another count.
  { where: /store account, /, path: USAGES },
  { where: /store account, /, path: /^frozenV2\./ },
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

  { where: /, account 41|resources of/, path: /(usage|Used)/i, by: ['usages'], most: 2n },
  { where: /, account 41/, path: /window_size$/, by: ['usages'] },
  { where: /store contract-state, /, path: /^energy_factor$/, by: ['energyStateCycle'], most: 1n },
  { where: /store properties, PUBLIC_NET_USAGE/, path: /^$/, by: ['publicBandwidth'] },
  { where: /store delegation, .*-reward$/, path: /^$/, by: REWARDED },
  { where: /(store account, |, account 41)/, path: /^(allowance|balance)$/, by: REWARDED },
  { where: /(store account, |, account 41)/, path: /^(allowance|balance)$/, by: ['olderRewards'], most: 30n },
  { where: /, transaction /, path: /^withdraw_amount$/, by: ['olderRewards'], most: 30n },
  {
    where: /, transaction /,
    path: /^(withdraw_amount|contractResult\.|internal_transactions\..*callValue)/,
    by: REWARDED,
  },
  { where: /store properties, (TOTAL_ENERGY_|BLOCK_ENERGY|TRANSACTION_FEE_POOL)/, path: /^$/, by: ['adaptiveEnergy'] },
  { where: /resources of/, path: /^(Total)?EnergyLimit$/, by: ['adaptiveEnergy'] },
  // The share of the fee pool that was paid out.
  { where: /(store account, |, account 41)/, path: /^(allowance|balance)$/, by: ['adaptiveEnergy'] },
];

function isAllowed(
  where: string,
  { path, expected, actual }: Difference,
  untrue: ReadonlySet<AssumptionName>,
): boolean {
  return ALLOWED.some((allowed) => {
    if (!allowed.where.test(where) || !allowed.path.test(path)) return false;
    if (allowed.by !== undefined && !allowed.by.some((name) => untrue.has(name))) return false;
    if (allowed.most === undefined) return true;
    const apart = BigInt((expected as bigint | undefined) ?? 0n) - BigInt((actual as bigint | undefined) ?? 0n);
    return (apart < 0n ? -apart : apart) <= allowed.most;
  });
}

/** What no assumption allows. */
export function unexplained<One extends Compared>(found: readonly One[], untrue: ReadonlySet<AssumptionName>): One[] {
  return found.flatMap((one) => {
    const differences = one.differences.filter((difference) => !isAllowed(one.where, difference, untrue));
    return differences.length === 0 && one.differences.length > 0 ? [] : [{ ...one, differences }];
  });
}
