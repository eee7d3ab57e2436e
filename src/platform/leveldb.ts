/**
 * Opens LevelDB databases; the only place that does. A separate module, so that a chain in memory does not load the
 * native addon.
 */

import path from 'node:path';
import { Level } from 'level';
import { CHAIN_FOLDER } from './data-directory.js';

export type LevelDb = Level<string, Uint8Array>;

/** Another process has this database open. */
export class DatabaseInUseError extends Error {
  override readonly name = 'DatabaseInUseError';
}

/** Opens or creates the database in `folder` of `directory`. @throws DatabaseInUseError */
export async function openLevelDb(directory: string, folder = CHAIN_FOLDER): Promise<LevelDb> {
  const database = levelDb(directory, folder);
  try {
    await database.open();
  } catch (error) {
    throw isLocked(error) ? inUse(directory) : error;
  }
  return database;
}

/**
 * Whether a process, this one included, has an existing database open. LevelDB takes the lock first and then fails
 * because of `errorIfExists`, so nothing is read or written.
 */
export async function isInUse(directory: string, folder = CHAIN_FOLDER): Promise<boolean> {
  try {
    await levelDb(directory, folder).open({ errorIfExists: true });
  } catch (error) {
    return isLocked(error);
  }
  throw new Error(`${path.join(directory, folder)} should contain a database, but is empty`);
}

export function inUse(directory: string): DatabaseInUseError {
  return new DatabaseInUseError(`${directory} is in use by another process`);
}

/**
 * LevelDB's default of 1,000 is reached at 2 GB. A lookup of an absent row then opens tables: 40 to 50 µs instead of 6 to
 * 10 µs with four times as many tables. An open table takes about 35 kB, and beyond the first thousand a file descriptor;
 * LevelDB uses a fifth of those that the process may have, and opens the other tables for each read.
 */
const MAX_OPEN_TABLES = 10_000;

function levelDb(directory: string, folder: string): LevelDb {
  return new Level(path.join(directory, folder), {
    keyEncoding: 'utf8',
    valueEncoding: 'view',
    maxOpenFiles: MAX_OPEN_TABLES,
  });
}

function isLocked(error: unknown): boolean {
  return ((error as Error).cause as { readonly code?: string } | undefined)?.code === 'LEVEL_LOCKED';
}
