/** A row of a network's state in a readable file, with the block at which it was read. */

import type { FetchedRow, RowName } from '../state/remote-rows.js';
import { TABLES } from '../state/tables.js';
import { negativeInRow } from './negative-numbers.js';
import { readRowText, rowText } from './row-text.js';

/** A row in a file. */
export interface FileRow {
  readonly table: RowName['table'];
  readonly key: string;
  /** Only for `storage`. */
  readonly slot?: string;
  readonly block: number;
  /** In the format of `row-text.ts`; null: the network has no such row. */
  readonly value: unknown;
}

export interface KeptRow extends FetchedRow {
  readonly slot?: string | undefined;
}

export const isMember = (value: unknown): value is object => typeof value === 'object' && value !== null;
export const isBlockNumber = (value: unknown): boolean =>
  Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) < 2 ** 48;

/** @throws Error if it cannot be read */
export function rowIn(row: FileRow): KeptRow {
  if (!isMember(row) || typeof row.key !== 'string') throw new Error('it has an entry that is not a row');
  const { table, key, slot, block, value } = row;
  if (!isBlockNumber(block)) throw new Error(`its row ${key} of ${table} has no block number`);
  if (slot !== undefined && !/^0x[0-9a-f]{1,64}$/.test(String(slot)))
    throw new Error(`its row ${key} of ${table} has a slot that is not hex`);
  if (!Object.hasOwn(TABLES, table)) throw new Error(`it has a row of the unknown table "${table}"`);
  try {
    const bytes = value === null ? undefined : readRowText(table, value);
    const negative = bytes && negativeInRow(table, TABLES[table].decode(bytes));
    if (negative !== undefined) throw new Error(`its ${negative}`);
    return { table, key, ...(slot !== undefined && { slot }), readAtBlock: block, value: bytes };
  } catch (error) {
    throw new Error(`its row ${key} of ${table} cannot be read (${(error as Error).message})`);
  }
}

export function inFile({ table, key, slot, readAtBlock, value }: KeptRow): FileRow {
  return {
    table,
    key,
    ...(slot !== undefined && { slot }),
    block: readAtBlock,
    value: value === undefined ? null : rowText(table, value),
  };
}
