/** What rows of a fork's network say, without what no interface serves: of the network itself and of its fork it is the same. */

import type { TableName } from '../../src/fork/terms/fork-start.js';
import { isSettled } from '../../src/ledger/stake/delegation-records.js';
import type { Account as AccountRow, DelegatedResource } from '../../src/protocol/generated/tron.js';

const hasLock = (row: DelegatedResource): boolean =>
  row.expire_time_for_bandwidth !== 0n || row.expire_time_for_energy !== 0n;

/** Of every row: what is compared, which leaves out what no interface serves. */
export const COMPARED = {
  accounts: withoutUsages,
  contracts: (row: object) => row,
  abis: (row: { entrys: readonly unknown[] }) => (row.entrys.length === 0 ? undefined : row),
  codes: (row: Uint8Array) => (row.length === 0 ? undefined : Buffer.from(row).toString('hex')),
  // No list has an empty one, which a contract that undelegates leaves behind.
  delegations: (row: DelegatedResource) => (isSettled(row) && !hasLock(row) ? undefined : row),
  delegationPartners: (row: readonly { address: string }[]) => row.map(({ address }) => address).sort(),
  assets: (row: { public_free_asset_net_usage: bigint }) => ({ ...row, public_free_asset_net_usage: 0n }),
  exchanges: (row: object) => row,
  proposals: (row: object) => row,
  marketOrders: (row: object) => row,
  marketAccounts: (row: { orders: readonly string[] }) => (row.orders.length === 0 ? undefined : row.orders),
} as const satisfies Partial<Record<TableName, (row: never) => unknown>>;

const sorted = (map: ReadonlyMap<string, bigint>): unknown => [...map].sort(([a], [b]) => (a < b ? -1 : 1));

/** An account without what recovers, in one order. */
function withoutUsages(account: AccountRow): object {
  const { account_resource: energy, ...others } = account;
  return {
    ...others,
    ...{ net_usage: 0n, net_window_size: 0n, net_window_optimized: false, free_net_usage: 0n },
    energy: energy && { ...energy, energy_usage: 0n, energy_window_size: 0n, energy_window_optimized: false },
    frozenV2: [...account.frozenV2].filter(({ amount }) => amount > 0n).sort((a, b) => a.type - b.type),
    // Balances of tokens by name, and of nothing, are java-tron's own business (`wallet/asset-store.ts`).
    asset: undefined,
    assetV2: sorted(new Map([...account.assetV2].filter(([, amount]) => amount > 0n))),
    latest_asset_operation_timeV2: sorted(account.latest_asset_operation_timeV2),
    free_asset_net_usage: undefined,
    free_asset_net_usageV2: undefined,
  };
}

/** An Energy record that says nothing is no record. */
const isNothing = (value: unknown): boolean =>
  value === undefined ||
  value === 0n ||
  value === false ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (value instanceof Map && value.size === 0);

export function plain(value: unknown): unknown {
  if (value instanceof Map) return [...value].map(([key, member]) => [key, plain(member)]);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value)
    .map(([name, member]) => [name, plain(member)] as const)
    .filter(([, member]) => !isNothing(member));
  return members.length === 0 ? undefined : Object.fromEntries(members);
}
