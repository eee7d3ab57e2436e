/**
 * LevelDB reads its log when it is opened. It takes an error of the disk for the end of the log, keeps what it has read
 * until then in a table, and deletes the log: blocks that clients were told of would be gone without a word. Its option
 * that refuses such a log (`paranoid_checks`) is none of its Node binding. So the log is read before, with its
 * checksums, and what LevelDB has missed is written again.
 */

import type { LevelDatabase } from '../../node/storage/level-store.js';
import { type LogOperation, operationsOf } from '../../platform/leveldb-batch.js';
import type { LogFile } from '../../platform/leveldb-files.js';
import { records } from '../../platform/leveldb-log.js';

type Rows = Pick<LevelDatabase, 'getSync' | 'batch'>;

/** @param logs read before the database was opened, the oldest first */
export async function completeLog(database: Rows, logs: readonly LogFile[]): Promise<void> {
  if (logs.every((_, i) => hasEnd(database, logs.slice(i)))) return;
  const operations = database.batch();
  for (const { key, value } of operationsIn(logs)) {
    if (value === undefined) operations.del(key);
    else operations.put(key, value);
  }
  await operations.write({ sync: true });
}

function* operationsIn(logs: readonly LogFile[]): Iterable<LogOperation> {
  for (const { bytes } of logs) for (const record of records(bytes)) yield* operationsOf(record);
}

/** Whether the rows of the first log's last batches are there: LevelDB reads a beginning of each log. */
function hasEnd(database: Rows, [log, ...later]: readonly LogFile[]): boolean {
  const rows = new Map<string, Buffer | undefined>();
  for (const record of log?.last ?? []) for (const { key, value } of operationsOf(record)) rows.set(key, value);
  for (const { key, value } of operationsIn(later)) if (rows.has(key)) rows.set(key, value);
  return [...rows].every(([key, value]) => isSame(database.getSync(key), value));
}

function isSame(stored: Uint8Array | undefined, value: Buffer | undefined): boolean {
  return stored === undefined ? value === undefined : value?.equals(stored) === true;
}
