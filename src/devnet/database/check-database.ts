/** `sunup check DIR`: reads everything in a data directory and reports faults. */

import { type CheckOptions, type CheckReport, checkDatabase, type Finding } from '../../node/steps/check.js';
import { type LevelDatabase, LevelStore } from '../../node/storage/level-store.js';
import { WRITTEN_KEYS_PREFIX } from '../../node/storage/written-keys.js';
import { OptionError } from '../../options/option-error.js';
import { damageOf, directoryOfChain, openVerified, refusalOf, requireFormat } from './chain-database.js';

/** @throws OptionError for a directory without a chain, of another format, or in use */
export async function checkDirectory(directory: string, options: CheckOptions): Promise<CheckReport> {
  const absolute = directoryOfChain(directory);
  const files = await damageOf(absolute).catch((error: unknown) => {
    throw refusalOf(error, absolute);
  });
  if (files.length > 0) return reportOfFiles(files.map(({ file, what }) => ({ table: 'files', key: file, what })));
  const { database, format } = await openVerified(absolute);
  try {
    requireFormat(format, absolute);
    if (await hasNoRow(database)) throw new OptionError('db', `is ${absolute}, whose database is empty`);
    const store = new LevelStore(database, { place: absolute });
    return await checkDatabase(database, store, options);
  } finally {
    await database.close();
  }
}

/** As `isEmpty`, but without verification: a damaged row is a row, and the check names it. */
async function hasNoRow(database: LevelDatabase): Promise<boolean> {
  for await (const _ of database.iterator({ lt: WRITTEN_KEYS_PREFIX, limit: 1 })) return false;
  return true;
}

/** Opening a database with damaged files would change them, so its rows are not checked. */
function reportOfFiles(findings: readonly Finding[]): CheckReport {
  const nothing = { rows: 0, blocks: 0, transactions: 0, headId: undefined, replayed: false };
  return { ...nothing, findings, findingCount: findings.length };
}
