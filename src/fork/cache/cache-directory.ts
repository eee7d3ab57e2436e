/**
 * Stores the rows that a fork has read in readable files, for commits: one file for each account and contract, one for
 * the storage of a contract, one for each other table, and `start.json`. Sorted and stable: the same rows give the
 * same bytes. Each row has the block at which it was read. If `start.json` is deleted, the fork starts again after a
 * later block. Rows in the files are then too old, but they show what was read last time: related rows of a contract
 * are fetched together. Parallel test processes share a folder: the first one sets the start, and writers merge with
 * the rows of others.
 */

import { mkdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { FileRow, KeptRow } from '../../chain-file/rows.js';
import { textOfFile } from '../../platform/file-text.js';
import { inTurn } from '../../platform/shared-file.js';
import { turn } from '../../platform/turns.js';
import type { FetchedRow, RemoteRows, WantedRow } from '../../state/remote-rows.js';
import { FolderError, RemoteError } from '../network/remote-error.js';
import type { LiveRow, LiveRows } from '../rows/live-rows.js';
import type { ForkStart, TableName } from '../terms/fork-start.js';
import { requireUsable } from '../terms/usable-start.js';
import {
  belongsInto,
  fileOf,
  idOf,
  parseContent,
  parseRows,
  parseStart,
  rowsText,
  type StartFile,
  startText,
} from './row-files.js';

interface RowsFile {
  readonly rows: Map<string, KeptRow>;
  /** Rows of an earlier start: only their names are used. */
  readonly older: readonly KeptRow[];
  /** Number of `rows` that are on the disk. */
  written: number;
  /** The content of the file on the disk that `rows` includes: another process may have replaced the file. */
  seen: string | undefined;
}

/** What the files contain of wanted rows. */
export interface Known {
  /** Wanted rows that the files contain. */
  readonly rows: readonly FetchedRow[];
  readonly missing: readonly WantedRow[];
  /** Rows that were read together with the missing ones last time. */
  readonly related: readonly WantedRow[];
}

const NEW_PART = 16;
/** Files are kept in memory to add rows. A file larger than this limit is the only one that is kept. */
const MAX_HELD_BYTES = 16 * 1024 * 1024;
const BYTES_OF_A_ROW = 400;
/** A million slots. */
const MAX_FILE_BYTES = 256 * 1024 * 1024;
const MAX_RELATED_ROWS = 4_096;
/** While a file is parsed, other work runs between two of these parts. */
const ROWS_IN_A_TURN = 100;

export class CacheDirectory {
  /** Parsed files by name, most recently used last. */
  readonly #files = new Map<string, Promise<RowsFile>>();
  /** Size of each, as far as it has been parsed. */
  readonly #heldBytes = new Map<string, number>();
  /** Number of writers that add rows. Meanwhile no file is released. */
  #adding = 0;
  /** The block before the fork's first one. */
  #forkedBlock = 0;
  /** Ends when all pending writes are done. */
  #writing: Promise<void> = Promise.resolve();

  constructor(
    readonly directory: string,
    private readonly maxHeldBytes = MAX_HELD_BYTES,
  ) {}

  async read(wanted: readonly WantedRow[]): Promise<Known> {
    const byFile = new Map<string, WantedRow[]>();
    for (const row of wanted) {
      const name = fileOf(row);
      const others = byFile.get(name);
      if (others === undefined) byFile.set(name, [row]);
      else others.push(row);
    }
    const rows: FetchedRow[] = [];
    const missing: WantedRow[] = [];
    const related: WantedRow[] = [];
    for (const [name, ofFile] of byFile) {
      const file = await this.#file(name);
      const unknown = ofFile.filter((row) => !file.rows.has(idOf(row)));
      if (unknown.length < ofFile.length) for (const row of file.rows.values()) rows.push(row);
      if (unknown.length > 0) related.push(...relatedRows(file, unknown));
      missing.push(...unknown);
    }
    this.#evict();
    return { rows, missing, related: related.slice(0, MAX_RELATED_ROWS) };
  }

  /**
   * Adds rows. A file is written when a sixteenth of it is new, so that a large contract is not rewritten for each
   * slot; `flush` writes the rest.
   */
  async write(rows: readonly LiveRow[]): Promise<void> {
    this.#adding++;
    try {
      const changed = new Map<string, RowsFile>();
      for (const { slot, ...row } of rows) {
        const name = fileOf({ ...row, slot });
        const file = await this.#file(name);
        // A row never changes after it was read.
        if (file.rows.has(idOf(row))) continue;
        file.rows.set(idOf(row), { ...row, slot: slot && `0x${slot.slot.toString(16)}` });
        this.#heldBytes.set(name, (this.#heldBytes.get(name) ?? 0) + bytesOf(row));
        changed.set(name, file);
      }
      for (const [name, file] of changed)
        if ((file.rows.size - file.written) * NEW_PART >= file.written) await this.#writeRows(name, file);
    } finally {
      this.#adding--;
    }
    this.#evict();
  }

  async flush(): Promise<void> {
    this.#adding++;
    try {
      for (const [name, reading] of this.#files) {
        const file = await reading;
        if (file.rows.size !== file.written) await this.#writeRows(name, file);
      }
      await this.#writing;
    } finally {
      this.#adding--;
    }
  }

  async #writeRows(name: string, file: RowsFile): Promise<void> {
    await this.#write(name, async () => {
      await this.#merge(name, file);
      const rows = [...file.rows.values()];
      return { parts: rowsText(rows), written: (seen) => Object.assign(file, { written: rows.length, seen }) };
    });
  }

  /** Merges rows that other processes have written since this file was read. */
  async #merge(name: string, file: RowsFile): Promise<void> {
    if ((await this.#stampOf(name)) === file.seen) return;
    for (const [id, row] of (await this.#read(name)).rows) file.rows.set(id, row);
    this.#heldBytes.set(
      name,
      [...file.rows.values()].reduce((sum, row) => sum + bytesOf(row), 0),
    );
  }

  async #stampOf(name: string): Promise<string | undefined> {
    try {
      const { ino, mtimeNs, size } = await stat(path.join(this.directory, name), { bigint: true });
      return `${ino} ${mtimeNs} ${size}`;
    } catch {
      return undefined;
    }
  }

  /** Releases files that are on the disk unchanged, least recently used first. */
  #evict(): void {
    if (this.#adding > 0) return;
    let held = 0;
    for (const bytes of this.#heldBytes.values()) held += bytes;
    for (const [name, reading] of this.#files) {
      if (held <= this.maxHeldBytes) return;
      const bytes = this.#heldBytes.get(name);
      if (bytes === undefined) continue;
      held -= bytes;
      void reading.then((file) => {
        if (this.#adding > 0 || file.rows.size !== file.written || this.#files.get(name) !== reading) return;
        this.#files.delete(name);
        this.#heldBytes.delete(name);
      });
    }
  }

  async readStart(): Promise<ForkStart | undefined> {
    const text = await this.#text('start.json');
    if (text === undefined) return undefined;
    const start = await this.#undamaged('start.json', () => {
      const read = parseStart(parseContent<StartFile>(text), text);
      requireUsable(read);
      return read;
    });
    this.#forkedBlock = start.head.number;
    return start;
  }

  /** @returns the fork's start: the given one, unless another process wrote one first */
  async writeStart(start: ForkStart): Promise<ForkStart> {
    let begun = start;
    await this.#write('start.json', async () => {
      const faster = await this.readStart();
      if (faster === undefined) return { parts: [startText(start)] };
      begun = faster;
      return undefined;
    });
    this.#forkedBlock = begun.head.number;
    return begun;
  }

  /** Parsed once for concurrent readers. */
  #file(name: string): Promise<RowsFile> {
    const known = this.#files.get(name);
    if (known !== undefined) {
      this.#files.delete(name);
      this.#files.set(name, known);
      return known;
    }
    const reading = this.#read(name);
    this.#files.set(name, reading);
    // A damaged file is read again: its user may have deleted it.
    reading.catch(() => this.#files.delete(name));
    return reading;
  }

  async #read(name: string): Promise<RowsFile> {
    const seen = await this.#stampOf(name);
    const text = await this.#text(name);
    const rows = new Map<string, KeptRow>();
    const older: KeptRow[] = [];
    let bytes = 0;
    if (text !== undefined)
      await this.#undamaged(name, async () => {
        let count = 0;
        const content = parseContent<{ readonly rows: FileRow[] }>(text);
        for (const row of parseRows(content, text, (one) => belongsInto(name, one))) {
          bytes += bytesOf(row);
          if (row.readAtBlock < this.#forkedBlock) older.push(row);
          else rows.set(idOf(row), row);
          if (++count % ROWS_IN_A_TURN === 0) await turn();
        }
      });
    this.#heldBytes.set(name, bytes);
    return { rows, older, written: rows.size, seen };
  }

  async #text(name: string): Promise<string | undefined> {
    try {
      return await textOfFile(path.join(this.directory, name), MAX_FILE_BYTES);
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return undefined;
      const file = path.join(this.directory, name);
      throw new FolderError(
        file,
        'its rows',
        `it cannot be read (${message})`,
        'Set another folder with --fork-cache.',
      );
    }
  }

  async #requireInside(folder: string): Promise<void> {
    const expected = path.join(await realpath(this.directory), path.relative(this.directory, folder));
    if ((await realpath(folder)) !== expected) throw new Error(`${folder} is a link to another place`);
  }

  async #undamaged<Content>(name: string, read: () => Content | Promise<Content>): Promise<Content> {
    try {
      return await read();
    } catch (error) {
      const why = (error as Error).message;
      throw new FolderError(path.join(this.directory, name), 'its rows', why, 'Delete the file, or the whole folder.');
    }
  }

  /** Written beside and renamed: a file is complete or absent. One write at a time. */
  #write(name: string, change: () => Promise<Change | undefined>): Promise<void> {
    const file = path.join(this.directory, name);
    const write = async () => {
      const changed = await change();
      if (changed === undefined) return;
      // A folder from foreign sources may contain links: nothing outside of it is written.
      await rm(`${file}.new`, { force: true });
      await writeFile(`${file}.new`, changed.parts, { flag: 'wx' });
      await rename(`${file}.new`, file);
      changed.written?.(await this.#stampOf(name));
    };
    const written = this.#writing.then(async () => {
      try {
        await mkdir(path.dirname(file), { recursive: true });
        await this.#requireInside(path.dirname(file));
        await inTurn(file, write);
      } catch (error) {
        if (error instanceof RemoteError) throw error;
        const why = `it cannot be written (${(error as Error).message})`;
        throw new FolderError(file, 'its rows', why, 'Free some space, or set another folder with --fork-cache.');
      }
    });
    // The writer gets the error; later writes are tried nevertheless.
    this.#writing = written.catch(() => {});
    return written;
  }
}

/** Result of a write. */
interface Change {
  readonly parts: Iterable<string>;
  /** Receives the file's name. */
  readonly written?: (stamp: string | undefined) => void;
}

/** Rows from the files if present; others from the remote, and then into the files. */
export class CachedRows implements RemoteRows {
  constructor(
    private readonly cache: CacheDirectory,
    private readonly remote: LiveRows,
  ) {}

  async fetch(wanted: readonly WantedRow[]): Promise<readonly FetchedRow[]> {
    const { rows, missing, related } = await this.cache.read(wanted);
    if (missing.length === 0) return rows;
    const fetched = await this.remote.fetch([...missing, ...related]);
    await this.cache.write(fetched);
    return [...new Map([...rows, ...fetched].map((row) => [idOf(row), row])).values()];
  }
}

const bytesOf = ({ value }: FetchedRow): number => BYTES_OF_A_ROW + (value?.length ?? 0);

/** Only for one contract or account; tables that share a file have no related rows. */
function relatedRows({ older }: RowsFile, wanted: readonly WantedRow[]): WantedRow[] {
  const known = new Set(wanted.map(idOf));
  const contract = wanted[0]?.slot?.contract;
  return older
    .filter((row) => !known.has(idOf(row)))
    .flatMap(({ table, key, slot }): WantedRow[] => {
      if (slot === undefined) return OWN_FILES.has(table) ? [{ table, key }] : [];
      return contract === undefined ? [] : [{ table, key, slot: { contract, slot: BigInt(slot) } }];
    });
}

const OWN_FILES: ReadonlySet<TableName> = new Set(['accounts', 'contracts', 'abis', 'codes', 'contractStates']);
