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

function levelDb(directory: string, folder: string): LevelDb {
  return new Level(path.join(directory, folder), {
    keyEncoding: 'utf8',
    valueEncoding: 'view',
  });
}

function isLocked(error: unknown): boolean {
  return ((error as Error).cause as { readonly code?: string } | undefined)?.code === 'LEVEL_LOCKED';
}
