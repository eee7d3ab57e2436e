/** Text form of a fork's rows: assignment to files, and writing and reading of rows and of the start. */

import { type FileRow, inFile, isBlockNumber, isMember, type KeptRow, rowIn } from '../../chain-file/rows.js';
import { ASSUMPTIONS } from '../../ledger/genesis/fork-assumptions.js';
import { isHex } from '../../primitives/hex.js';
import { type BlockId, isAddress } from '../../primitives/ids.js';
import { toBase58 } from '../../protocol/address.js';
import { BlockHeader } from '../../protocol/generated/tron.js';
import type { WantedRow } from '../../state/remote-rows.js';
import type { ForkStart } from '../terms/fork-start.js';
import { START_TABLES } from '../terms/start-ledger.js';

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

/**
 * @param text the file's content
 * @throws Error if it cannot be read
 */
export function parseStart({ head, genesis, rows, assumptions }: StartFile, text: string): ForkStart {
  if (
    !isMember(head) ||
    !isBlockNumber(head.number) ||
    !isId(head.id) ||
    !isNumber(head.timestampMs) ||
    !isHexText(head.header)
  )
    throw new Error(`its "head" is not a block${lineOf(text, '"head"')}`);
  if (!isMember(genesis) || !isId(genesis.id) || !isNumber(genesis.timestampMs))
    throw new Error(`its "genesis" is not a block${lineOf(text, '"genesis"')}`);
  if (!Array.isArray(assumptions)) throw new Error(`its "assumptions" are not a list${lineOf(text, '"assumptions"')}`);
  return {
    head: {
      number: head.number,
      id: head.id as BlockId,
      timestampMs: BigInt(head.timestampMs),
      header: BlockHeader.decode(Buffer.from(head.header, 'hex')),
    },
    genesis: { id: genesis.id as BlockId, timestampMs: BigInt(genesis.timestampMs) },
    rows: [...parseRows({ rows }, text, ({ table }) => START_TABLES.some((one) => one === table))],
    assumptions: ASSUMPTIONS.map(({ name }) => name).filter((name) => assumptions.includes(name)),
  };
}

/** @throws Error for another kind of file */
export function parseContent<File>(text: string): File {
  let file: File & { readonly format?: number };
  try {
    file = JSON.parse(text);
  } catch (error) {
    throw new Error(`it is not JSON${positionText(text, (error as Error).message)}`);
  }
  if (file?.format === FORMAT) return file;
  throw new Error('it has another format');
}

/**
 * Reads the rows of a file one by one: a million take half a minute.
 *
 * @param isIn whether a row belongs there
 * @throws Error with the invalid row and its line
 */
export function* parseRows(
  { rows }: { readonly rows: readonly FileRow[] },
  text: string,
  isIn: (row: KeptRow) => boolean,
): Iterable<KeptRow> {
  if (!Array.isArray(rows)) throw new Error(`its "rows" are not a list${lineOf(text, '"rows"')}`);
  for (const row of rows as readonly FileRow[]) {
    let read: KeptRow;
    try {
      read = rowIn(row);
      if (!isIn(read)) throw new Error(`its row ${read.key} of ${read.table} belongs in another file`);
    } catch (error) {
      throw new Error(`${(error as Error).message}${lineOf(text, `"key": ${JSON.stringify(row?.key)}`)}`);
    }
    yield read;
  }
}

const lineOf = (text: string, words: string): string => {
  const at = text.indexOf(words);
  return lineAt(text, at);
};

/** V8 reports a position, or shows the text around it. */
function positionText(text: string, message: string): string {
  const position = /end of JSON/.test(message) ? text.length : /position (\d+)/.exec(message)?.[1];
  const around = /\.\.\."(.*)"\.\.\. is not/s.exec(message)?.[1];
  const at = position ?? (around === undefined ? -1 : text.indexOf(around));
  return lineAt(text, Number(at));
}

/** Beyond this, lines are not counted: there may be as many as bytes. */
const MAX_LINE_SEARCH = 16 * 1024 * 1024;

/** @param at negative: unknown */
function lineAt(text: string, at: number): string {
  if (at < 0 || at > MAX_LINE_SEARCH) return '';
  let line = 1;
  for (let end = text.indexOf('\n'); end >= 0 && end < at; end = text.indexOf('\n', end + 1)) line++;
  return ` (line ${line})`;
}

const isHexText = (value: unknown): boolean => typeof value === 'string' && isHex(value);
const isId = (value: unknown): boolean => isHexText(value) && (value as string).length === 64;
const isNumber = (value: unknown): boolean => typeof value === 'string' && /^\d{1,18}$/.test(value);

/** As `JSON.stringify` would write it, in parts: a large file is never a single string. */
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

/** Whether a row belongs into a file. Only the file's name tells the contract of a storage word. */
export function belongsInto(name: string, { table, key }: KeptRow): boolean {
  return table === 'storage' ? name.startsWith('storage') : fileOf({ table, key }) === name;
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
