/**
 * Opens LevelDB databases. The one place that does, and a module of its own so that a chain in memory does not load the
 * addon.
 */

import path from 'node:path';
import { Level } from 'level';
import { CHAIN_FOLDER } from './data-directory.js';

export type LevelDb = Level<string, Uint8Array>;

/** Another process has this database open. */
export class DatabaseInUseError extends Error {
  override readonly name = 'DatabaseInUseError';
}

/** Opens the database in `folder` of `directory`, or makes it. @throws DatabaseInUseError */
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
 * Whether a database that is there is open somewhere, this process included. LevelDB takes the lock before it sees that
 * the database exists, which it is told to take amiss: so nothing of it is read or written.
 */
export async function isInUse(directory: string, folder = CHAIN_FOLDER): Promise<boolean> {
  try {
    await levelDb(directory, folder).open({ errorIfExists: true });
  } catch (error) {
    return isLocked(error);
  }
  throw new Error(`${path.join(directory, folder)} should hold a database, but is empty`);
}

export function inUse(directory: string): DatabaseInUseError {
  return new DatabaseInUseError(`${directory} is in use by another process`);
}

function levelDb(directory: string, folder: string): LevelDb {
  return new Level(path.join(directory, folder), { keyEncoding: 'utf8', valueEncoding: 'view' });
}

function isLocked(error: unknown): boolean {
  return ((error as Error).cause as { readonly code?: string } | undefined)?.code === 'LEVEL_LOCKED';
}
