import { expect } from 'vitest';
import type { Remote } from '../../src/fork/start/open-remote.js';
import type { TableName } from '../../src/fork/terms/fork-start.js';
import type { Ledger } from '../../src/ledger/ledger.js';
import { queryReward } from '../../src/ledger/voting/voter-rewards.js';
import { uncountedVotes } from '../../src/ledger/voting/votes.js';
import type { Node } from '../../src/node/node.js';
import type { Address } from '../../src/primitives/ids.js';
import type { Account as AccountRow, Votes } from '../../src/protocol/generated/tron.js';
import { keccak256OfHex } from '../../src/protocol/hashes.js';
import { caughtUp } from '../../src/resources/dynamic-energy.js';
import type { FetchedRow, WantedRow } from '../../src/state/remote-rows.js';
import type { TableSpec } from '../../src/state/table-spec.js';
import { TABLES } from '../../src/state/tables.js';
import { storageRowKey } from '../../src/tvm/storage.js';
import { recoveredAccount } from '../../src/wallet/accounts.js';
import { COMPARED, plain } from './served-rows.js';
import { word } from './simulated-chain.js';

async function storedRows(node: Node, table: TableName): Promise<Map<string, unknown>> {
  const spec = TABLES[table] as unknown as TableSpec<unknown>;
  const rows = new Map<string, unknown>();
  for await (const { key, value } of node.chain.store.rows(spec.prefix)) {
    rows.set(key.slice(spec.prefix.length), spec.decode(value));
  }
  return rows;
}

const decoded = ({ table, value }: FetchedRow): unknown =>
  value === undefined ? undefined : (TABLES[table] as unknown as TableSpec<unknown>).decode(value);

async function read(remote: Remote, wanted: readonly WantedRow[]): Promise<Map<string, FetchedRow>> {
  const rows = await remote.rows.fetch(wanted);
  return new Map(rows.map((row) => [`${row.table}:${row.key}`, row]));
}

/** Slots that the contracts of the histories use: their first ones, and those of mappings by account. */
function slotsOf(accounts: readonly string[]): bigint[] {
  const first = Array.from({ length: 8 }, (_, i) => BigInt(i));
  const mapped = accounts.flatMap((owner) =>
    first.slice(0, 6).map((slot) => BigInt(`0x${keccak256OfHex(word(owner as Address) + word(slot))}`)),
  );
  return [...first, ...mapped];
}

export const compared = new Map<string, number>();
const count = (name: string, many = 1) => compared.set(name, (compared.get(name) ?? 0) + many);

export async function expectSameRows(node: Node, remote: Remote): Promise<void> {
  for (const [table, seen] of Object.entries(COMPARED) as [keyof typeof COMPARED, (row: never) => unknown][]) {
    const rows = await storedRows(node, table);
    const fetched = await read(
      remote,
      [...rows.keys()].map((key) => ({ table, key })),
    );
    for (const [key, stored] of rows) {
      const row = fetched.get(`${table}:${key}`);
      const got = row && decoded(row);
      const of = (value: unknown) => plain(value === undefined ? undefined : seen(value as never));
      expect(of(got), `${table} ${key}`).toEqual(of(stored));
      expect(row?.readAtBlock, `${table} ${key}`).toBe(node.chain.headNumber);
      count(table);
    }
  }
}

const AHEAD = [0n, 1n, 7n, 300n, 9_000n, 30_000n];

/** Usages recover as those of the network do, to one unit, and exactly what was used lately. */
export async function expectSameUsages(node: Node, remote: Remote): Promise<void> {
  const { ledger } = node.chain;
  const rows = await storedRows(node, 'accounts');
  const fetched = await read(
    remote,
    [...rows.keys()].map((key) => ({ table: 'accounts', key })),
  );
  const usages = (account: AccountRow, ahead: bigint): bigint[] => {
    const later = Object.create(ledger, { headSlot: { value: ledger.headSlot + ahead } }) as Ledger;
    const now = recoveredAccount(later, account);
    return [now.net_usage, now.free_net_usage, now.account_resource?.energy_usage ?? 0n];
  };
  for (const [key, stored] of rows as Map<string, AccountRow>) {
    const got = decoded(fetched.get(`accounts:${key}`)!) as AccountRow;
    for (const ahead of AHEAD) {
      const [a, b] = [usages(stored, ahead), usages(got, ahead)];
      a.forEach((usage, i) => {
        const difference = usage - b[i]!;
        expect(
          difference < 0n ? -difference : difference,
          `usage ${i} of ${key} in ${ahead} slots`,
        ).toBeLessThanOrEqual(ahead === 0n ? 0n : 1n);
        if (usage > 0n && ahead === 0n) count('usages');
      });
    }
    // A usage of the block before the head, smaller than a day has slots, is the only one that comes to its answer.
    if (stored.latest_consume_free_time >= ledger.headSlot - 1n && stored.free_net_usage > 0n) {
      expect(got.free_net_usage, key).toBe(stored.free_net_usage);
      count('recent usages');
    }
  }
}

export async function expectSameStorage(node: Node, remote: Remote): Promise<void> {
  const { tables } = node.chain.ledger.state;
  const contracts = await storedRows(node, 'contracts');
  const accounts = [...(await storedRows(node, 'accounts')).keys()].slice(0, 20);
  const wanted = [...contracts].flatMap(([address, contract]) =>
    slotsOf(accounts).map((slot): WantedRow => {
      const key = storageRowKey(address as Address, contract as never, slot);
      return { table: 'storage', key, slot: { contract: address as Address, slot } };
    }),
  );
  const fetched = await read(remote, wanted);
  for (const { key } of wanted) {
    const row = fetched.get(`storage:${key}`)!;
    expect(decoded(row), key).toBe(tables.storage.get(key));
    if (row.value !== undefined) count('storage');
  }
}

/** Factors as the network's own next cycle would have them; what is owed, to the sun. */
export async function expectSameStanding(node: Node, remote: Remote): Promise<void> {
  const { ledger } = node.chain;
  const { tables } = ledger.state;
  const terms = {
    cycle: ledger.long('CURRENT_CYCLE_NUMBER'),
    threshold: ledger.long('DYNAMIC_ENERGY_THRESHOLD'),
    increaseFactor: ledger.long('DYNAMIC_ENERGY_INCREASE_FACTOR'),
    maxFactor: ledger.long('DYNAMIC_ENERGY_MAX_FACTOR'),
  };
  const cycle = BigInt(
    decoded(remote.start.rows.find(({ table, key }) => table === 'longs' && key === 'CURRENT_CYCLE_NUMBER')!) as bigint,
  );
  const contracts = [...(await storedRows(node, 'contracts')).keys()];
  const states = await read(
    remote,
    contracts.map((key) => ({ table: 'contractStates', key })),
  );
  for (const address of contracts) {
    const stored = tables.contractStates.get(address as Address);
    const got = decoded(states.get(`contractStates:${address}`)!) as typeof stored;
    const known = caughtUp(stored, terms);
    const here = caughtUp(got, { ...terms, cycle });
    expect([here.energy_usage, here.energy_factor], address).toEqual([known.energy_usage, known.energy_factor]);
    count('contractStates');
  }

  const accounts = (await storedRows(node, 'accounts')) as Map<string, AccountRow>;
  const settled = await read(
    remote,
    [...accounts.keys()].map((key) => ({ table: 'voterSettlements', key })),
  );
  ledger.state.dryRun(() => {
    const due = new Map([...accounts.keys()].map((key) => [key, queryReward(ledger, key as Address)]));
    for (const row of remote.start.rows) if (row.table === 'longs') tables.longs.set(row.key, decoded(row) as bigint);
    for (const { table, key } of [...settled.values()]) {
      const value = decoded(settled.get(`${table}:${key}`)!);
      if (table !== 'voterSettlements' && table !== 'rewardHistory') continue;
      if (value === undefined) tables[table].delete(key);
      else tables[table].set(key, value as never);
    }
    for (const [key, sun] of due) {
      expect(queryReward(ledger, key as Address), `reward of ${key}`).toBe(sun);
      if (sun > (accounts.get(key)?.allowance ?? 0n)) count('rewards');
    }
  });
}

/** Properties that are not read, by the names of the assumptions that they belong to. */
export const NOT_SERVED: ReadonlySet<string> = new Set([
  'PUBLIC_NET_USAGE',
  'PUBLIC_NET_TIME',
  'CURRENT_CYCLE_NUMBER',
  'NEW_REWARD_ALGORITHM_EFFECTIVE_CYCLE',
  'BLOCK_FILLED_SLOTS',
  'BLOCK_FILLED_SLOTS_INDEX',
  'BLOCK_ENERGY_USAGE',
  'TOTAL_ENERGY_AVERAGE_TIME',
  'TOTAL_TRANSACTION_COST',
  'TOTAL_CREATE_ACCOUNT_COST',
  'TOTAL_CREATE_WITNESS_FEE',
  'LATEST_SOLIDIFIED_BLOCK_NUM',
]);

const STARTED = [
  ...(['assets', 'longs', 'texts', 'witnesses', 'proposals', 'exchanges'] as const),
  ...(['marketOrders', 'marketPairs', 'marketPrices'] as const),
];

export function expectSameStart({ chain: { ledger } }: Node, { start }: Remote): void {
  const { tables } = ledger.state;
  expect(start.head.id).toBe(ledger.headId);
  expect(start.genesis).toEqual({ id: ledger.config.genesisId, timestampMs: ledger.config.genesisTimestampMs });
  const rows = new Map(start.rows.map((row) => [`${row.table}:${row.key}`, decoded(row)]));
  for (const table of STARTED) {
    for (const [key, value] of rows) {
      const [of, name] = [key.slice(0, key.indexOf(':')), key.slice(key.indexOf(':') + 1)];
      if (of !== table || NOT_SERVED.has(name)) continue;
      const here = tables[table].get(name as never);
      const seen = table === 'assets' ? COMPARED.assets : (row: unknown) => row;
      expect(seen(value as never), key).toEqual(seen(here as never));
      count(`start: ${table}`);
    }
    if (table.startsWith('marketP') || table === 'assets')
      expect([...rows.keys()].filter((key) => key.startsWith(`${table}:`)).length).toBe(tables[table].entries().length);
  }
  expect(rows.size).toBeGreaterThan(100);
  const cast = [...rows].filter(([key]) => key.startsWith('votes:')).map(([, row]) => row as Votes);
  const sums = new Map<string, bigint>();
  for (const { old_votes, new_votes } of cast) {
    for (const { vote_address, vote_count } of old_votes) sums.set(vote_address, -vote_count);
    for (const { vote_address, vote_count } of new_votes) sums.set(vote_address, vote_count);
  }
  const known = [...uncountedVotes(ledger)].filter(([, votes]) => votes !== 0n);
  expect([...sums].sort()).toEqual(known.sort());
  if (known.length > 0) count('start: votes');
}
