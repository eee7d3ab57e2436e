/**
 * A row that a fork has fetched is what its network had at the block that is stored with it, and stays so, whatever the
 * network does later.
 */

import assert from 'node:assert/strict';
import type { Address } from '../../../../src/primitives/ids.js';
import type { Account } from '../../../../src/protocol/generated/tron.js';
import { FETCHED_PREFIXES } from '../../../../src/state/fork/forked-store.js';
import type { TableSpec } from '../../../../src/state/table-spec.js';
import { TABLES, tableOfKey } from '../../../../src/state/tables.js';
import { storageRowKey } from '../../../../src/tvm/storage.js';
import { COMPARED, plain } from '../../served-rows.js';
import { fetchedRow, keysWith } from '../disk/row-values.js';
import type { Cold } from '../disk/stored-rows.js';
import type { Town } from '../network/town.js';
import { Violation } from '../run/violation.js';
import type { Host } from '../users/user.js';
import { usagesAt } from './usages.js';

/** So many new ones, and so many of all, are compared with the network at a time. */
const NEW_AT_ONCE = 150;
const COMPARED_AT_ONCE = 24;
/** Half of a word's key is its contract's. */
const PREFIX_LENGTH = 32;

export async function fetchedRowsAreTheNetworks({ world }: Host, cold: () => Promise<Cold>): Promise<void> {
  const { town } = world.network;
  if (town === undefined) return;
  const { rows } = (await cold()).database;
  const { choices, fetched } = world;
  const [prefix] = FETCHED_PREFIXES as readonly [string];
  const keys = keysWith(rows, prefix).map((key) => key.slice(prefix.length));
  const compared = keys.filter((key) => !fetched.has(key)).slice(0, NEW_AT_ONCE);
  for (let i = 0; i < COMPARED_AT_ONCE && keys.length > 0; i++) compared.push(choices.of(keys));
  for (const key of keys) {
    const hex = Buffer.from(rows.get(prefix + key) as Uint8Array).toString('hex');
    const before = fetched.get(key);
    if (before !== undefined && before !== hex)
      throw new Violation("a fetched row is the network's of then", `${key} was ${before}, and is ${hex}`);
    fetched.set(key, hex);
  }
  for (const key of compared) {
    const { value, readAtBlock } = fetchedRow(rows, key);
    if (readAtBlock >= town.replacedFrom) continue;
    const table = tableOfKey(key) as keyof typeof TABLES;
    const spec = TABLES[table] as TableSpec<unknown>;
    const seen = SEEN.get(table);
    if (seen === undefined) continue;
    const { state, headSlot } = town.node.chain.ledgerAt(readAtBlock);
    const there: unknown = state.readSealed(table, key.slice(spec.prefix.length));
    const here = value && spec.decode(value);
    // A destroyed contract leaves its words on the network, where nobody reads them any more.
    if (table === 'storage' && here === undefined && !(await isOfAContract(town, key.slice(spec.prefix.length))))
      continue;
    assert.deepEqual(seen(here), seen(there), `${key} of block ${readAtBlock}`);
    if (table === 'accounts') requireSameUsages(here as Account, there as Account, Number(headSlot), key);
  }
}

/** An answer tells what is left of a usage, rounded. */
function requireSameUsages(here: Account | undefined, there: Account | undefined, slot: number, key: string): void {
  const [ours, theirs] = [usagesAt(here, slot), usagesAt(there, slot)];
  const isSame = ours.every((usage, i) => Math.abs(usage - (theirs[i] as number)) <= 2 + usage / 10_000);
  assert.ok(isSame, `${key}: in slot ${slot}, ${ours} is in use, and ${theirs} on the network`);
}

async function isOfAContract({ node: { chain } }: Town, storageKey: string): Promise<boolean> {
  const { prefix, decode } = TABLES.contracts;
  for await (const { key, value } of chain.store.rows(prefix)) {
    const first = storageRowKey(key.slice(prefix.length) as Address, decode(value), 0n);
    if (first.slice(0, PREFIX_LENGTH) === storageKey.slice(0, PREFIX_LENGTH)) return true;
  }
  return false;
}

/** What of a row of each table is compared. */
const SEEN: ReadonlyMap<string, (row: unknown) => unknown> = new Map([
  ['storage', (row: unknown) => row],
  ...Object.entries(COMPARED).map(
    ([table, seen]) => [table, (row: unknown) => plain(row === undefined ? undefined : seen(row as never))] as const,
  ),
]);
