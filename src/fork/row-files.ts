/**
 * Rows of a fork as the text of files: which file a row is in, and how rows, and what a fork starts from, are written and
 * read.
 */

import { ASSUMPTIONS } from '../ledger/blocks/fork-assumptions.js';
import { type BlockId, isAddress } from '../primitives/ids.js';
import { toBase58 } from '../protocol/address.js';
import { BlockHeader } from '../protocol/generated/tron.js';
import type { FetchedRow, WantedRow } from '../state/fork/remote-rows.js';
import { TABLES } from '../state/tables.js';
import type { ForkStart, TableName } from './fork-start.js';
import { readRowText, rowText } from './row-text.js';

/** A row in a file. */
export interface FileRow {
  readonly table: TableName;
  readonly key: string;
  /** Of `storage`. */
  readonly slot?: string;
  readonly block: number;
  /** As `row-text.ts` writes it; null: the network has no such row. */
  readonly value: unknown;
}

export interface KeptRow extends FetchedRow {
  readonly slot?: string | undefined;
}

const FORMAT = 1;
const ROWS_OF_A_PART = 200;

export interface StartFile {
  readonly head: {
    readonly number: number;
    readonly id: string;
    readonly timestampMs: string;
    readonly header: string;
  };
  readonly genesis: { readonly id: string; readonly timestampMs: string };
  readonly assumptions: readonly string[];
  readonly rows: readonly FileRow[];
}

export function startText({ head, genesis, rows, assumptions }: ForkStart): string {
  const file: StartFile = {
    head: {
      number: head.number,
      id: head.id,
      timestampMs: String(head.timestampMs),
      header: Buffer.from(BlockHeader.encode(head.header)).toString('hex'),
    },
    genesis: { id: genesis.id, timestampMs: String(genesis.timestampMs) },
    assumptions,
    rows: [...rows].sort(byId).map(inFile),
  };
  return `${JSON.stringify({ format: FORMAT, ...file }, undefined, 2)}\n`;
}

/** @throws Error for a row that cannot be read */
export function startIn({ head, genesis, rows, assumptions }: StartFile): ForkStart {
  return {
    head: {
      number: head.number,
      id: head.id as BlockId,
      timestampMs: BigInt(head.timestampMs),
      header: BlockHeader.decode(Buffer.from(head.header, 'hex')),
    },
    genesis: { id: genesis.id as BlockId, timestampMs: BigInt(genesis.timestampMs) },
    rows: rows.map(rowIn),
    assumptions: ASSUMPTIONS.map(({ name }) => name).filter((name) => assumptions.includes(name)),
  };
}

/** @throws Error for what is no such file */
export function contentIn<File>(text: string): File {
  let file: File & { readonly format?: number };
  try {
    file = JSON.parse(text);
  } catch {
    throw new Error('it is no JSON');
  }
  if (file.format === FORMAT) return file;
  throw new Error('it is of another format');
}

/** @throws Error for one that cannot be read */
export function rowIn({ table, key, slot, block, value }: FileRow): KeptRow {
  if (!Object.hasOwn(TABLES, table)) throw new Error(`it has a row of a table "${table}"`);
  try {
    const bytes = value === null ? undefined : readRowText(table, value);
    return { table, key, ...(slot !== undefined && { slot }), readAtBlock: block, value: bytes };
  } catch (error) {
    throw new Error(`its row ${key} of ${table} cannot be read (${(error as Error).message})`);
  }
}

/** As `JSON.stringify` would write it, some rows at a time: a large file is never one text. */
export function* rowsText(rows: Iterable<KeptRow>): Iterable<string> {
  const sorted = [...rows].sort(byId);
  yield `{\n  "format": ${FORMAT},\n  "rows": [`;
  for (let from = 0; from < sorted.length; from += ROWS_OF_A_PART) {
    const texts = sorted
      .slice(from, from + ROWS_OF_A_PART)
      .map((row) => `\n${JSON.stringify(inFile(row), undefined, 2)}`.replace(/\n/g, '\n    '));
    yield `${from === 0 ? '' : ','}${texts.join(',')}`;
  }
  yield `${sorted.length === 0 ? '' : '\n  '}]\n}\n`;
}

export const idOf = ({ table, key }: Pick<WantedRow, 'table' | 'key'>): string => `${table}:${key}`;

const byId = (a: KeptRow, b: KeptRow): number => (idOf(a) < idOf(b) ? -1 : 1);

export function inFile({ table, key, slot, readAtBlock, value }: KeptRow): FileRow {
  return {
    table,
    key,
    ...(slot !== undefined && { slot }),
    block: readAtBlock,
    value: value === undefined ? null : rowText(table, value),
  };
}

export function fileOf({ table, key, slot }: WantedRow): string {
  switch (table) {
    case 'storage':
      return slot === undefined ? 'storage.json' : `storage/${toBase58(slot.contract)}.json`;
    case 'accounts':
      return isAddress(key) ? `accounts/${toBase58(key)}.json` : 'accounts.json';
    case 'contracts':
    case 'abis':
    case 'codes':
    case 'contractStates':
      return isAddress(key) ? `contracts/${toBase58(key)}.json` : 'contracts.json';
    default:
      return `${table}.json`;
  }
}
