/**
 * Rows that a fork has read, as files that people can read and keep with their sources: one for each account and contract,
 * one for the storage of a contract, one for each further table, and `start.json`. Sorted and stable: the same rows are
 * the same bytes. Each row says at which block it was read.
 */

import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ASSUMPTIONS } from '../ledger/blocks/fork-assumptions.js';
import type { BlockId } from '../primitives/ids.js';
import { isAddress } from '../primitives/ids.js';
import { toBase58 } from '../protocol/address.js';
import { BlockHeader } from '../protocol/generated/tron.js';
import type { FetchedRow, RemoteRows, WantedRow } from '../state/fork/remote-rows.js';
import { TABLES } from '../state/tables.js';
import type { ForkStart, TableName } from './fork-start.js';
import type { LiveRow, LiveRows } from './live-rows.js';
import { RemoteError } from './remote-error.js';
import { readRowText, rowText } from './row-text.js';

/** A row in a file. */
interface FileRow {
  readonly table: TableName;
  readonly key: string;
  /** Of `storage`. */
  readonly slot?: string;
  readonly block: number;
  /** As `row-text.ts` writes it; null: the network has no such row. */
  readonly value: unknown;
}

interface KeptRow extends FetchedRow {
  readonly slot?: string | undefined;
}

const FORMAT = 1;

const NEW_PART = 16;

export class CacheDirectory {
  /** Files that were read, by their names. */
  readonly #files = new Map<string, Promise<Map<string, KeptRow>>>();
  /** How many rows each has on the disk. */
  readonly #written = new Map<string, number>();
  /** Ends when all that was to be written is. */
  #writing: Promise<void> = Promise.resolve();

  constructor(readonly directory: string) {}

  /** All rows of the file that a row lies in, if it does. */
  async read(wanted: WantedRow): Promise<readonly FetchedRow[] | undefined> {
    const rows = await this.#file(fileOf(wanted));
    return rows.has(idOf(wanted)) ? [...rows.values()] : undefined;
  }

  /**
   * Takes rows in. A file is written when a sixteenth of it is new, so that slot after slot of a large contract is not all
   * of it time and again; `flush` writes the rest.
   */
  async write(rows: readonly LiveRow[]): Promise<void> {
    const changed = new Set<string>();
    for (const { slot, ...row } of rows) {
      const name = fileOf({ ...row, slot });
      const file = await this.#file(name);
      // What was read stays as it was read.
      if (file.has(idOf(row))) continue;
      file.set(idOf(row), { ...row, slot: slot && `0x${slot.slot.toString(16)}` });
      changed.add(name);
    }
    for (const name of changed) {
      const written = this.#written.get(name) ?? 0;
      if (((await this.#file(name)).size - written) * NEW_PART >= written) await this.#writeRows(name);
    }
  }

  async flush(): Promise<void> {
    for (const [name, file] of this.#files) {
      if ((await file).size !== this.#written.get(name)) await this.#writeRows(name);
    }
    await this.#writing;
  }

  async #writeRows(name: string): Promise<void> {
    const file = await this.#file(name);
    this.#written.set(name, file.size);
    await this.#write(name, { rows: [...file.values()].sort(byId).map(inFile) });
  }

  async readStart(): Promise<ForkStart | undefined> {
    const file = await this.#json<StartFile>('start.json');
    if (file === undefined) return undefined;
    const { head, genesis, assumptions } = file;
    return {
      head: {
        number: head.number,
        id: head.id as BlockId,
        timestampMs: BigInt(head.timestampMs),
        header: BlockHeader.decode(Buffer.from(head.header, 'hex')),
      },
      genesis: { id: genesis.id as BlockId, timestampMs: BigInt(genesis.timestampMs) },
      rows: file.rows.map((row) => this.#fromFile(row, 'start.json')),
      assumptions: ASSUMPTIONS.map(({ name }) => name).filter((name) => assumptions.includes(name)),
    };
  }

  async writeStart({ head, genesis, rows, assumptions }: ForkStart): Promise<void> {
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
    await this.#write('start.json', file);
  }

  /** Read once, whoever asks at the same time. */
  #file(name: string): Promise<Map<string, KeptRow>> {
    const known = this.#files.get(name);
    if (known !== undefined) return known;
    const reading = this.#read(name);
    this.#files.set(name, reading);
    // One that is damaged is looked at again: its user may have deleted it.
    reading.catch(() => this.#files.delete(name));
    return reading;
  }

  async #read(name: string): Promise<Map<string, KeptRow>> {
    const file = await this.#json<{ readonly rows: readonly FileRow[] }>(name);
    const rows = new Map((file?.rows ?? []).map((row) => [idOf(row), this.#fromFile(row, name)] as const));
    this.#written.set(name, rows.size);
    return rows;
  }

  #fromFile({ table, key, slot, block, value }: FileRow, name: string): KeptRow {
    if (!Object.hasOwn(TABLES, table)) throw this.#damaged(name, `it has a row of a table "${table}"`);
    try {
      const bytes = value === null ? undefined : readRowText(table, value);
      return { table, key, ...(slot !== undefined && { slot }), readAtBlock: block, value: bytes };
    } catch (error) {
      throw this.#damaged(name, `its row ${key} of ${table} cannot be read (${(error as Error).message})`);
    }
  }

  async #json<File>(name: string): Promise<File | undefined> {
    let text: string;
    try {
      text = await readFile(path.join(this.directory, name), 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
    try {
      const file = JSON.parse(text) as File & { readonly format?: number };
      if (file.format === FORMAT) return file;
    } catch {
      throw this.#damaged(name, 'it is no JSON');
    }
    throw this.#damaged(name, 'it is of another format');
  }

  #damaged(name: string, why: string): RemoteError {
    return new RemoteError(path.join(this.directory, name), 'its rows', why, 'Delete the file, or the whole folder.');
  }

  /** Beside and then in its place: a file is whole or was never there. One after the other. */
  #write(name: string, content: object): Promise<void> {
    const file = path.join(this.directory, name);
    const text = `${JSON.stringify({ format: FORMAT, ...content }, undefined, 2)}\n`;
    const written = this.#writing.then(async () => {
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(`${file}.new`, text);
      await rename(`${file}.new`, file);
    });
    // Whoever wrote is told; what comes after is written nevertheless.
    this.#writing = written.catch(() => {});
    return written;
  }
}

/** Rows from the files as far as they have them; others from the remote, and into the files. */
export class CachedRows implements RemoteRows {
  constructor(
    private readonly cache: CacheDirectory,
    private readonly remote: LiveRows,
  ) {}

  async fetch(wanted: readonly WantedRow[]): Promise<readonly FetchedRow[]> {
    const rows = new Map<string, FetchedRow>();
    const missing: WantedRow[] = [];
    for (const row of wanted) {
      const found = await this.cache.read(row);
      if (found === undefined) missing.push(row);
      for (const one of found ?? []) rows.set(idOf(one), one);
    }
    if (missing.length === 0) return [...rows.values()];
    const fetched = await this.remote.fetch(missing);
    await this.cache.write(fetched);
    for (const one of fetched) rows.set(idOf(one), one);
    return [...rows.values()];
  }
}

interface StartFile {
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

const idOf = ({ table, key }: Pick<WantedRow, 'table' | 'key'>): string => `${table}:${key}`;

const byId = (a: KeptRow, b: KeptRow): number => (idOf(a) < idOf(b) ? -1 : 1);

function inFile({ table, key, slot, readAtBlock, value }: KeptRow): FileRow {
  return {
    table,
    key,
    ...(slot !== undefined && { slot }),
    block: readAtBlock,
    value: value === undefined ? null : rowText(table, value),
  };
}

function fileOf({ table, key, slot }: WantedRow): string {
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
