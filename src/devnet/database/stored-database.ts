/** Opens the chain of a data directory for reading, while no node runs on it. */

import { LevelStore } from '../../node/storage/level-store.js';
import { openStored, type StoredChain, withFetchedRows } from '../../node/storage/stored-chain.js';
import { OptionError } from '../../options/option-error.js';
import { directoryOfChain, openDatabase, requireFormat } from './chain-database.js';

/** @throws OptionError for a directory without a chain, of another format, or in use */
export async function withStoredChain(directory: string, work: (chain: StoredChain) => Promise<void>): Promise<void> {
  const absolute = directoryOfChain(directory);
  const { database, format } = await openDatabase(absolute);
  try {
    if (format === undefined) throw new OptionError('db', `is ${absolute}, whose database is empty`);
    requireFormat(format, absolute);
    const store = new LevelStore(database, { place: absolute });
    await work(await openStored(withFetchedRows(store)));
  } finally {
    await database.close();
  }
}
