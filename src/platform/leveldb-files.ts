/**
 * The files of a LevelDB database, by its manifest, and their damage: every block of every table and every record of
 * logs and manifest has a CRC-32C, which LevelDB's Node binding cannot check. Runs before the database is opened,
 * because opening one with a damaged log silently drops everything after the damage. Only files named by the manifest
 * count; unfinished files of a killed process are not part of the database.
 */

import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { Cursor, Damage } from './leveldb-format.js';
import { records } from './leveldb-log.js';
import { damageOfTable, KEY_TRAILER_BYTES } from './leveldb-table.js';

export interface DamagedFile {
  /** Name in the database's directory. */
  readonly file: string;
  readonly what: string;
}

/** A table, and the rows that it may have. Keys are text with one character for each byte. */
export interface TableFile {
  readonly file: string;
  readonly bytes: number;
  /** Tables of a level above 0 have no keys in common. */
  readonly level: number;
  readonly firstKey: string;
  readonly lastKey: string;
}

/** A log whose records are not in a table yet. */
export interface LogFile {
  readonly bytes: Buffer;
  /** Its last records, at most {@link LAST_RECORDS}. */
  readonly last: readonly Buffer[];
}

/** A record may change nothing, such as one that only syncs; not so many of them in a row. */
const LAST_RECORDS = 64;

export interface DatabaseFiles {
  /** The tables, not verified. */
  readonly tables: readonly TableFile[];
  /** The intact ones, the oldest first. */
  readonly logs: readonly LogFile[];
  /** Of the manifest and the logs, which are verified, and of missing files. */
  readonly damaged: readonly DamagedFile[];
}

const NOTHING: DatabaseFiles = { tables: [], logs: [], damaged: [] };

/**
 * The first file that LevelDB writes. Until CURRENT names it, there is no database: a process that was killed in
 * between leaves this file alone, and LevelDB begins again.
 */
const FIRST_MANIFEST = 'MANIFEST-000001';

/** Reads and verifies manifest and logs. Empty for a directory without a database. */
export async function databaseFiles(directory: string): Promise<DatabaseFiles> {
  const names: string[] = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const isOfDatabase = (name: string) => /^(MANIFEST-\d+|\d+\.(ldb|sst|log)|CURRENT)$/.test(name);
  if (!names.some((name) => isOfDatabase(name) && name !== FIRST_MANIFEST)) return NOTHING;
  const read = (name: string) => contentOf(path.join(directory, name));
  const refused = (file: string, what: string): DatabaseFiles => ({ ...NOTHING, damaged: [{ file, what }] });
  if (!names.includes('CURRENT')) return refused('CURRENT', 'is missing');
  const current = (await read('CURRENT')).toString('latin1');
  const manifest = current.slice(0, -1);
  if (!/^MANIFEST-\d+\n$/.test(current) || !names.includes(manifest)) {
    return refused('CURRENT', `does not name a manifest: ${JSON.stringify(current.slice(0, 40))}`);
  }
  const damaged: DamagedFile[] = [];
  const check = async (file: string, look: (bytes: Buffer) => void) => {
    try {
      look(await read(file));
    } catch (error) {
      if (!(error instanceof Damage)) throw error;
      damaged.push({ file, what: error.message });
    }
  };
  const live = new LiveFiles();
  await check(manifest, (bytes) => {
    for (const record of records(bytes)) live.edit(record);
  });
  if (damaged.length > 0) return { ...NOTHING, damaged };
  const logNames = names
    .filter((name) => /^\d+\.log$/.test(name) && live.hasLog(Number.parseInt(name, 10)))
    .sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10));
  const logs: LogFile[] = [];
  for (const log of logNames) {
    await check(log, (bytes) => {
      const last: Buffer[] = [];
      for (const record of records(bytes)) if (last.push(record) > LAST_RECORDS) last.shift();
      logs.push({ bytes, last });
    });
  }
  // LevelDB creates a log before naming it, and treats a missing log as the end of the database.
  if (live.log > 0 && !logNames.some((name) => Number.parseInt(name, 10) === live.log))
    damaged.push({ file: `${stemOf(live.log)}.log`, what: 'is missing' });
  const present = new Set(names);
  const tables: TableFile[] = [];
  for (const [number, table] of live.tables) {
    const file = ENDINGS.map((ending) => `${stemOf(number)}.${ending}`).find((name) => present.has(name));
    if (file === undefined) damaged.push({ file: `${stemOf(number)}.ldb`, what: 'is missing' });
    else tables.push({ file, ...table });
  }
  return { tables, logs, damaged };
}

/** Verifies all files. Nothing is damaged in an intact database, and in a directory without one. */
export async function verifiedFiles(directory: string): Promise<Pick<DatabaseFiles, 'logs' | 'damaged'>> {
  const { tables, logs, damaged } = await databaseFiles(directory);
  const all = [...damaged];
  for (const { file, bytes } of tables) {
    const what = damageOfTable(await contentOf(path.join(directory, file)), bytes);
    if (what !== undefined) all.push({ file, what });
  }
  return { logs, damaged: all };
}

/** Of errors that a read itself has, Node does not say which file it was. */
async function contentOf(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    const { path: named, message } = error as NodeJS.ErrnoException;
    throw named === undefined ? Object.assign(error as Error, { path: file, message: `${message} '${file}'` }) : error;
  }
}

const ENDINGS = ['ldb', 'sst'] as const;

function stemOf(number: number): string {
  return String(number).padStart(6, '0');
}

function keyIn(cursor: Cursor): string {
  const internal = cursor.slice(cursor.number());
  return internal.toString('latin1', 0, internal.length - KEY_TRAILER_BYTES);
}

/** The tables and logs after all edits of a manifest. */
class LiveFiles {
  readonly tables = new Map<number, Omit<TableFile, 'file'>>();
  log = 0;
  #previousLog = 0;

  /** A log with a lower number has already become a table. */
  hasLog(number: number): boolean {
    return number >= this.log || number === this.#previousLog;
  }

  edit(record: Buffer): void {
    const cursor = new Cursor(record);
    while (!cursor.atEnd) {
      const tag = cursor.number();
      if (tag === 1) cursor.skip(cursor.number());
      else if (tag === 2) this.log = cursor.number();
      else if (tag === 9) this.#previousLog = cursor.number();
      else if (tag === 3 || tag === 4) cursor.number();
      else if (tag === 5) {
        cursor.number();
        cursor.skip(cursor.number());
      } else if (tag === 6) {
        cursor.number();
        this.tables.delete(cursor.number());
      } else if (tag === 7) {
        const [level, number, bytes] = [cursor.number(), cursor.number(), cursor.number()];
        this.tables.set(number, { level, bytes, firstKey: keyIn(cursor), lastKey: keyIn(cursor) });
      } else throw new Damage(`has an entry of unknown kind ${tag}`);
    }
  }
}
