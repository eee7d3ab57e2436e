/**
 * Tables of a large database that are verified while the node runs, so that it starts as fast as with a small one. A read
 * first verifies the blocks that it depends on, and meanwhile all tables are verified one by one. So a damaged byte
 * is reported and never served, as if all had been verified before the start.
 *
 * LevelDB may merge a table into others before it is verified, and would give a damaged key a new checksum. Each table
 * therefore has a second name in the folder `chain.unverified` until it is verified: there it stays readable when LevelDB
 * has removed it, and after a crash the next start finds it.
 */

import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Worker } from 'node:worker_threads';
import type { TablesVerifier } from '../../node/storage/level-store.js';
import { CHAIN_FOLDER } from '../../platform/data-directory.js';
import type { DamagedFile, TableFile } from '../../platform/leveldb-files.js';
import { damageInParts, damageOfTable, TableInFile } from '../../platform/leveldb-table.js';
import { TableRanges } from './table-ranges.js';
import type { TableToVerify, VerifiedTable } from './table-thread.js';

/** In a data directory. */
export const UNVERIFIED_FOLDER = `${CHAIN_FOLDER}.unverified`;

/** Beside this file in the bundle. In the sources there is none: tables are then verified between other work. */
const THREAD = new URL('./table-thread.js', import.meta.url);

/** The first requests come before the rest is verified. */
const FIRST_PAUSE_MS = 1_000;

/** Whether an earlier node has not verified all tables. */
export function hasUnverified(directory: string): boolean {
  return namesIn(path.join(directory, UNVERIFIED_FOLDER)).length > 0;
}

/** @returns the damage of tables that an earlier node did not verify; without damage they are done with */
export function damagedLeftovers(directory: string, live: readonly TableFile[] = []): DamagedFile[] {
  const folder = path.join(directory, UNVERIFIED_FOLDER);
  const left = namesIn(folder);
  if (left.length === 0) return [];
  const current = new Map(live.map(({ file }) => [file, statSync(path.join(directory, CHAIN_FOLDER, file)).ino]));
  const damaged: DamagedFile[] = [];
  for (const file of left) {
    const place = path.join(folder, file);
    if (statSync(place).ino === current.get(file)) continue;
    const what = damageOfTable(readFileSync(place));
    if (what === undefined) rmSync(place);
    else damaged.push({ file: path.join('..', UNVERIFIED_FOLDER, file), what });
  }
  return damaged;
}

/** Call it when all tables are verified. */
export function forgetUnverified(directory: string): void {
  rmSync(path.join(directory, UNVERIFIED_FOLDER), { recursive: true, force: true });
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

export class UnverifiedTables implements TablesVerifier {
  readonly #folder: string;
  readonly #left: Map<string, TableFile>;
  readonly #ranges: TableRanges;
  readonly #opened = new Map<string, TableInFile>();
  #stopped = false;
  #thread: Worker | undefined;

  private constructor(directory: string, tables: readonly TableFile[]) {
    this.#folder = path.join(directory, UNVERIFIED_FOLDER);
    this.#left = new Map(tables.map((table) => [table.file, table]));
    this.#ranges = new TableRanges(tables);
  }

  /**
   * Call it before LevelDB opens the database.
   *
   * @returns undefined if the file system has no second names: then all tables have to be verified at once
   */
  static of(directory: string, tables: readonly TableFile[]): UnverifiedTables | undefined {
    const folder = path.join(directory, UNVERIFIED_FOLDER);
    try {
      mkdirSync(folder, { recursive: true });
      const present = new Set(namesIn(folder));
      for (const { file } of tables)
        if (!present.has(file)) linkSync(path.join(directory, CHAIN_FOLDER, file), path.join(folder, file));
      return new UnverifiedTables(directory, tables);
    } catch {
      // Whatever the reason is: opening the database will meet it again, if it matters.
      return undefined;
    }
  }

  get isDone(): boolean {
    return this.#left.size === 0;
  }

  beforeReading(from: string, to: string | undefined): string | undefined {
    const [low, high] = [bytesOfKey(from), to === undefined ? undefined : bytesOfKey(to)];
    for (const table of this.#ranges.of(low, high)) {
      if (!this.#left.has(table.file)) continue;
      const damage = this.#openedOf(table).damageBetween(low, high);
      if (damage !== undefined) return nameOf(table, damage);
    }
    return undefined;
  }

  /** Verifies all tables one by one, on a thread if there can be one. @param onDamage called once */
  async verifyRest(onDamage: (what: string) => void): Promise<void> {
    await pause(FIRST_PAUSE_MS);
    const damage = (existsSync(fileURLToPath(THREAD)) && (await this.#verifyOnThread())) || (await this.#verifyHere());
    if (damage !== undefined && !this.#stopped) onDamage(damage);
  }

  /** @returns the damage; undefined if there was none, also if the thread has ended before the last table */
  #verifyOnThread(): Promise<string | undefined> {
    if (this.#stopped) return Promise.resolve(undefined);
    const { Worker } = process.getBuiltinModule('node:worker_threads');
    const tables = [...this.#left.values()];
    const workerData: TableToVerify[] = tables.map((table) => ({ place: this.#placeOf(table), bytes: table.bytes }));
    const thread = new Worker(THREAD, { workerData });
    this.#thread = thread;
    thread.unref();
    return new Promise((resolve) => {
      thread.on('message', ({ index, damage, isUnread }: VerifiedTable) => {
        const table = tables[index] as TableFile;
        if (damage !== undefined) resolve(nameOf(table, damage));
        else if (!isUnread && !this.#stopped) this.#forget(table);
      });
      // Without memory for a thread, for example.
      thread.on('error', () => {});
      thread.on('exit', () => resolve(undefined));
    });
  }

  /** In turns of a millisecond. */
  async #verifyHere(): Promise<string | undefined> {
    for (const table of this.#left.values()) {
      if (this.#stopped) return undefined;
      // A failure of the system is no damage: reads go on to verify this table, and the next start does.
      const content = await readFile(this.#placeOf(table)).catch(() => undefined);
      // The node may have been closed meanwhile.
      if (this.#stopped) return undefined;
      if (content === undefined) continue;
      const damage = await this.#damageInTurns(content, table);
      if (this.#stopped) return undefined;
      if (damage !== undefined) return nameOf(table, damage);
      this.#forget(table);
    }
    return undefined;
  }

  async #damageInTurns(content: Buffer, { bytes }: TableFile): Promise<string | undefined> {
    for (const parts = damageInParts(content, bytes); !this.#stopped; await nextTurn()) {
      const { done, value } = parts.next();
      if (done) return value;
    }
    return undefined;
  }

  #placeOf({ file }: TableFile): string {
    return path.join(this.#folder, file);
  }

  #openedOf(table: TableFile): TableInFile {
    const opened = this.#opened.get(table.file) ?? new TableInFile(this.#placeOf(table), table.bytes);
    this.#opened.set(table.file, opened);
    return opened;
  }

  #forget(table: TableFile): void {
    this.#left.delete(table.file);
    this.#opened.delete(table.file);
    try {
      rmSync(this.#placeOf(table), { force: true });
      if (this.isDone) rmSync(this.#folder, { recursive: true, force: true });
    } catch {
      // Nobody waits for it. A name that stays is verified once more, by the next start.
    }
  }

  /** The next start goes on. */
  stop(): void {
    this.#stopped = true;
    void this.#thread?.terminate();
  }
}

function nameOf({ file }: TableFile, damage: string): string {
  return `${path.join(CHAIN_FOLDER, file)} ${damage}`;
}

const NOT_ASCII = /[^\0-\x7f]/;

/** Text with one character for each byte, which is how LevelDB compares keys. */
function bytesOfKey(key: string): string {
  return NOT_ASCII.test(key) ? Buffer.from(key, 'utf8').toString('latin1') : key;
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
