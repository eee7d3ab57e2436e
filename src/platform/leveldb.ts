/**
 * Opens LevelDB databases. The one place that does, and a module of its own so that a chain in memory does not load the
 * addon.
 */

import path from 'node:path';
import { Level } from 'level';

export type LevelDb = Level<string, Uint8Array>;

/** Another process has this database open. */
export class DatabaseInUseError extends Error {
  override readonly name = 'DatabaseInUseError';
}

/** Where the chain's database lies in a data directory. */
export const CHAIN_FOLDER = 'chain';

/** Opens the database in `folder` of `directory`, or makes it. @throws DatabaseInUseError */
export async function openLevelDb(directory: string, folder = CHAIN_FOLDER): Promise<LevelDb> {
  const database: LevelDb = new Level(path.join(directory, folder), { keyEncoding: 'utf8', valueEncoding: 'view' });
  try {
    await database.open();
  } catch (error) {
    const cause = (error as Error).cause as { readonly code?: string } | undefined;
    throw cause?.code === 'LEVEL_LOCKED' ? new DatabaseInUseError(`${directory} is in use by another process`) : error;
  }
  return database;
}
