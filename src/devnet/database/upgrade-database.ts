/**
 * `sunup upgrade DIR`: converts a database of an older format into the current one. Applies its blocks again next to
 * it, compares all rows that both formats have, and then replaces the old database, which is kept.
 */

import { existsSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { NodeSettings } from '../../ledger/config.js';
import type { Beginning } from '../../ledger/genesis/genesis-text.js';
import { differingRows, type ReapplyOptions, reapply } from '../../node/steps/reapply.js';
import { StepError } from '../../node/steps/steps.js';
import { LevelStore } from '../../node/storage/level-store.js';
import { OLDEST_FORMAT, openFormat2, PlainRows } from '../../node/storage/older-formats.js';
import { otherFormat } from '../../node/storage/open-chain.js';
import { beginningOf, initialOptionsOf, openStored, type StoredChain } from '../../node/storage/stored-chain.js';
import { OptionError } from '../../options/option-error.js';
import { CHAIN_FOLDER, syncDirectory } from '../../platform/data-directory.js';
import type { Store } from '../../state/store.js';
import { FORMAT_VERSION, tableOfKey } from '../../state/tables.js';
import { directoryOfChain, type FoundDatabase, FRESH_FOLDER, openDatabase, refusalOf } from './chain-database.js';

export interface Upgrade {
  /** The previous format. */
  readonly from: number;
  readonly to: number;
  readonly headNumber: number;
  readonly headId: string;
  /** The folder with the old database. */
  readonly kept: string;
}

/**
 * @param settings the settings of the chain
 * @returns undefined if the database already has the current format
 * @throws OptionError if it cannot be upgraded; then it is unchanged
 */
export async function upgradeDirectory(
  directory: string,
  settings: NodeSettings,
  progress: ReapplyOptions['progress'],
): Promise<Upgrade | undefined> {
  const absolute = directoryOfChain(directory);
  const old = await openDatabase(absolute);
  const { format } = old;
  if (format === undefined) throw await closing(old, new OptionError('db', `is ${absolute}, whose database is empty`));
  if (format === FORMAT_VERSION) {
    await old.database.close();
    return undefined;
  }
  if (format > FORMAT_VERSION || format < OLDEST_FORMAT) {
    throw await closing(old, refusalOf(otherFormat(format), absolute));
  }
  const head = await converted(old, absolute, settings, progress);
  const kept = freeName(path.join(absolute, `chain.format-${format}`));
  try {
    renameSync(path.join(absolute, CHAIN_FOLDER), kept);
    // Without this move, the next command that opens the directory makes it.
    renameSync(path.join(absolute, FRESH_FOLDER), path.join(absolute, CHAIN_FOLDER));
  } catch (error) {
    const { message } = error as Error;
    throw new OptionError('db', `is ${absolute}, whose upgrade is not complete: ${message}`, 'Run sunup upgrade again');
  }
  syncDirectory(absolute);
  return { from: format, to: FORMAT_VERSION, ...head, kept };
}

/**
 * Makes the new database beside the old one. Both are closed then.
 *
 * @throws OptionError; then there is no new one
 */
async function converted(
  old: FoundDatabase,
  directory: string,
  settings: NodeSettings,
  progress: ReapplyOptions['progress'],
): Promise<{ headNumber: number; headId: string }> {
  const folder = path.join(directory, FRESH_FOLDER);
  let fresh: FoundDatabase | undefined;
  try {
    // Left by an interrupted upgrade.
    rmSync(folder, { recursive: true, force: true });
    fresh = await openDatabase(directory, FRESH_FOLDER);
    const head = await applyAgain(old, fresh, settings, progress);
    await Promise.all([old.database.close(), fresh.database.close()]);
    return head;
  } catch (error) {
    await Promise.allSettled([old.database.close(), fresh?.database.close()]);
    rmSync(folder, { recursive: true, force: true });
    if (!(error instanceof StepError || error instanceof DifferentRowsError)) throw refusalOf(error, directory);
    const hint = 'The database is unchanged. If the chain ran with another --vm-limit, use the same one';
    throw new OptionError('db', `is ${directory}, whose chain gives another result now: ${error.message}`, hint);
  }
}

class DifferentRowsError extends Error {}

async function applyAgain(
  old: FoundDatabase,
  fresh: FoundDatabase,
  settings: NodeSettings,
  progress: ReapplyOptions['progress'],
): Promise<{ headNumber: number; headId: string }> {
  const { before, chain, beginning } = await openOlder(old, settings);
  const store = new LevelStore(fresh.database);
  const made = await reapply(chain, beginning, store, { stated: initialOptionsOf(chain), progress });
  const differing: string[] = [];
  for await (const key of differingRows(before, store, isInBothFormats)) differing.push(key);
  if (differing.length > 0) {
    const [first] = differing as [string];
    throw new DifferentRowsError(
      `${differing.length} ${differing.length === 1 ? 'row differs' : 'rows differ'}, the first is ${first.slice(first.indexOf(':') + 1)} of table ${tableOfKey(first)}`,
    );
  }
  // It takes the place of one that was.
  await store.sync();
  return { headNumber: made.headNumber, headId: made.headId };
}

interface OlderDatabase {
  readonly before: Store;
  readonly chain: StoredChain;
  readonly beginning: Beginning;
}

async function openOlder({ database, format }: FoundDatabase, settings: NodeSettings): Promise<OlderDatabase> {
  if (format === 2) {
    const before = new PlainRows(database);
    return { before, ...(await openFormat2(before, settings)) };
  }
  // Format 3 has no index of changes; its other rows are the same.
  const before = new LevelStore(database);
  return { before, chain: await openStored(before), beginning: beginningOf(before) };
}

/** Not in both formats: the format row, indexes, and pre-images, which have rows that the older format lacks. */
function isInBothFormats(key: string): boolean {
  return !/^(meta|pre|n|i|h|ch):/.test(key);
}

function freeName(name: string): string {
  for (let i = 1; ; i++) {
    const candidate = i === 1 ? name : `${name}.${i}`;
    if (!existsSync(candidate)) return candidate;
  }
}

async function closing(found: FoundDatabase, error: unknown): Promise<unknown> {
  await found.database.close();
  return error;
}
