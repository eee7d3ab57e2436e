/** Worker thread of `unverified-tables.ts`: verifies tables in order, and reports each. */

import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { damageOfTable } from '../../platform/leveldb-table.js';

export interface TableToVerify {
  /** Path of the file. */
  readonly place: string;
  readonly bytes: number;
}

/** What was found in the table of this index. */
export interface VerifiedTable {
  readonly index: number;
  readonly damage: string | undefined;
  /** The system could not read it, which is no damage. */
  readonly isUnread: boolean;
}

(workerData as readonly TableToVerify[]).forEach(({ place, bytes }, index) => {
  let content: Buffer | undefined;
  try {
    content = readFileSync(place);
  } catch {
    // The next start verifies it.
  }
  const damage = content && damageOfTable(content, bytes);
  parentPort?.postMessage({ index, damage, isUnread: content === undefined } satisfies VerifiedTable);
});
