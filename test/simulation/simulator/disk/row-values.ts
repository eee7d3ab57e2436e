/**
 * Rows of the state as they lie on a disk, read without the code of a store: a row of a fork is its own, or the one that
 * was fetched, unless the fork has deleted it.
 */

import { FETCHED_PREFIXES } from '../../../../src/state/fork/forked-store.js';
import { withoutChecksum } from '../../../../src/state/row-checksum.js';
import type { State } from '../../../../src/state/state.js';
import type { TableSpec } from '../../../../src/state/table-spec.js';
import { TABLES } from '../../../../src/state/tables.js';
import type { Rows } from './virtual-disk.js';

const [FETCHED, GONE] = FETCHED_PREFIXES as readonly [string, string];
/** Of the block at which a row was read, before a byte and the network's value. */
const BLOCK_BYTES = 6;

/** Tables whose rows change. Those of the others belong to a block, and stay as long as it does. */
export const CHANGING_TABLES: readonly TableSpec<unknown>[] = (Object.values(TABLES) as TableSpec<unknown>[]).filter(
  ({ bornAt }) => bornAt === undefined,
);

/** Full keys of a table's rows, also of those that a fork has fetched or deleted. */
export function keysOfTable(rows: Rows, { prefix }: Pick<TableSpec<unknown>, 'prefix'>): Set<string> {
  const keys = new Set(keysWith(rows, prefix));
  for (const key of keysWith(rows, FETCHED + prefix)) keys.add(key.slice(FETCHED.length));
  return keys;
}

/** In order. */
export function keysWith(rows: Rows, prefix: string): string[] {
  const keys: string[] = [];
  for (const [key] of rows.entries(prefix)) {
    if (!key.startsWith(prefix)) break;
    keys.push(key);
  }
  return keys;
}

/** A row's value, without its checksum. Undefined: there is no such row. */
export function valueOnDisk(rows: Rows, key: string): Uint8Array | undefined {
  const own = rows.get(key);
  if (own !== undefined) return withoutChecksum(key, own);
  if (rows.has(GONE + key)) return undefined;
  return networkValue(rows, key);
}

/** What the network had when a fork fetched the row. */
function networkValue(rows: Rows, key: string): Uint8Array | undefined {
  return rows.has(FETCHED + key) ? fetchedRow(rows, key).value : undefined;
}

/** A row that a fork has fetched. */
export function fetchedRow(
  rows: Rows,
  key: string,
): { readonly value: Uint8Array | undefined; readonly readAtBlock: number } {
  const stored = withoutChecksum(FETCHED + key, rows.get(FETCHED + key) as Uint8Array) as Uint8Array;
  const readAtBlock = Buffer.from(stored).readUIntBE(0, BLOCK_BYTES);
  return { value: stored.length > BLOCK_BYTES ? stored.subarray(BLOCK_BYTES + 1) : undefined, readAtBlock };
}

/** What a state has there, below pending transactions, in the form of the disk. @param key with the table's prefix */
export function valueInState(state: State, spec: TableSpec<unknown>, key: string): Uint8Array | undefined {
  const value = state.readSealed(spec.name as keyof typeof TABLES, key.slice(spec.prefix.length));
  return value === undefined ? undefined : spec.encode(value);
}

/**
 * What a view has there, in the form of the disk. Inside of a run of empty blocks it has changes above the rows that it
 * reads.
 *
 * @param key with the table's prefix
 */
export function valueInView({ tables }: State, spec: TableSpec<unknown>, key: string): Uint8Array | undefined {
  const value = tables[spec.name as keyof typeof TABLES].get(key.slice(spec.prefix.length) as never);
  return value === undefined ? undefined : spec.encode(value);
}

/** Full keys of the rows that a view lists. Resident tables only. */
export function keysInView({ tables }: State, { name, prefix }: TableSpec<unknown>): Set<string> {
  return new Set(tables[name as keyof typeof TABLES].entries().map(([key]) => prefix + key));
}

export function isSameValue(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  return one === undefined || other === undefined ? one === other : Buffer.compare(one, other) === 0;
}

/** The value of a row `then`. A row of the network that a fork has fetched since had the network's value. */
export function valueThen(then: Rows, now: Rows, key: string): Uint8Array | undefined {
  const isKnown = [key, FETCHED + key, GONE + key].some((one) => then.has(one));
  return isKnown ? valueOnDisk(then, key) : networkValue(now, key);
}
