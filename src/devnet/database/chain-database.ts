/**
 * The database of a data directory: opened if it is intact, otherwise refused with a message. Shared by opening,
 * checking and upgrading.
 */

import { existsSync, readdirSync, renameSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ParametersError } from '../../errors/operation-error.js';
import { isNoSpace, NoRoomError } from '../../node/storage/commits.js';
import { formatOf, type LevelDatabase } from '../../node/storage/level-store.js';
import { IncompatibleDatabaseError, IncompleteTableError, otherFormat } from '../../node/storage/open-chain.js';
import { OptionError } from '../../options/option-error.js';
import { libraryOptions } from '../../options/settings.js';
import {
  CHAIN_FOLDER,
  type DataDirectory,
  foreignEntries,
  isClosed,
  isOfScenario,
  isOwnName,
  openDataDirectory,
  removeAbandoned,
  UnusableDirectoryError,
} from '../../platform/data-directory.js';
import type { DamagedFile, DatabaseFiles, LogFile } from '../../platform/leveldb-files.js';
import type { Log } from '../../platform/log.js';
import { DamagedStoreError, damageAdvice } from '../../state/row-checksum.js';
import type { Store } from '../../state/store.js';
import { FORMAT_KEY, FORMAT_VERSION } from '../../state/tables.js';
import type { UnverifiedTables } from './unverified-tables.js';

/**
 * The folder in which an upgrade makes the new database. When it is complete, the old one is moved away, and this one
 * takes its place.
 */
export const FRESH_FOLDER = 'chain.upgrade';

/** Completes an upgrade whose process was killed between these two moves. */
function finishUpgrade(directory: string): void {
  const [chain, fresh] = [path.join(directory, CHAIN_FOLDER), path.join(directory, FRESH_FOLDER)];
  if (!existsSync(chain) && existsSync(fresh)) renameSync(fresh, chain);
}

/** Whether a directory has a chain of any format. */
export function holdsChain(directory: string): boolean {
  return [path.join(directory, CHAIN_FOLDER), path.join(directory, FRESH_FOLDER)].some(holdsFiles);
}

/**
 * The absolute path of a directory with a chain.
 *
 * @throws OptionError for any other path
 */
export function directoryOfChain(directory: string): string {
  const absolute = path.resolve(directory);
  if (holdsChain(absolute)) return absolute;
  if (existsSync(absolute) && statSync(absolute).isFile())
    throw databaseRefusal(
      `is ${absolute}, which is a file`,
      `To replay a recording or a dump and compare every block, use sunup run ${directory}`,
    );
  throw databaseRefusal(`is ${absolute}, which has no chain`, 'Use the directory that --db named');
}

function holdsFiles(directory: string): boolean {
  const isFolder = existsSync(directory) && statSync(directory).isDirectory();
  return isFolder && readdirSync(directory).some((name) => /^(CURRENT|\d+\.(ldb|log))$/.test(name));
}

/** The files of a LevelDB database, and the folder in which its repair keeps unusable files. */
const LEVELDB_FILE = /^(CURRENT|LOCK|LOG|LOG\.old|MANIFEST-\d+|\d+\.(ldb|sst|log|dbtmp)|lost)$/;

/** Files that do not belong to a chain. A chain that was killed at its start may have left some of its own. */
function foreignFiles(directory: string): readonly string[] {
  const inChain = foreignEntries(path.join(directory, CHAIN_FOLDER), (name) => LEVELDB_FILE.test(name));
  return [
    ...foreignEntries(directory, (name, isFolder) => isOwnName(name, isFolder)),
    ...inChain.map((name) => path.join(CHAIN_FOLDER, name)),
  ];
}

const MAX_NAMED = 3;

/** A chain starts in an empty folder: mixed with other files, it could be deleted with them. */
function requireOwnFolder(directory: string): void {
  if (holdsChain(directory)) return;
  const names = foreignFiles(directory);
  if (names.length === 0) return;
  const others = names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : '';
  throw databaseRefusal(
    `is ${directory}, which has no chain, but other files: ${names.slice(0, MAX_NAMED).join(', ')}${others}`,
    `Use a new or empty directory, for example ${path.join(directory, 'sunup-chain')}`,
  );
}

/**
 * The directory of the options, or a temporary one.
 *
 * @throws OptionError for a directory that cannot hold a chain
 */
export function openDirectory(db: string | undefined): DataDirectory {
  try {
    const directory = openDataDirectory(db);
    if (!directory.temporary) requireOwnFolder(directory.path);
    return directory;
  } catch (error) {
    throw refusalOf(error, db === undefined ? tmpdir() : path.resolve(db));
  }
}

/** Whether a database has no row: the process or the machine ended before the first block was stored. */
export async function isEmpty(store: Store): Promise<boolean> {
  for await (const _ of store.rows('')) return false;
  return true;
}

/** Removes temporary directories of killed nodes. After a failure, the next start tries again. */
export async function removeAbandonedDirectories(log: Log | undefined): Promise<void> {
  const { isInUse } = await import('../../platform/leveldb.js');
  const isOpen = async (directory: string) =>
    existsSync(path.join(directory, CHAIN_FOLDER, 'CURRENT')) && (await isInUse(directory));
  try {
    await removeAbandoned(isOpen);
  } catch (error) {
    log?.error('temporary directories of killed nodes could not be removed', error);
  }
}

/** An opened database with its format. */
export interface FoundDatabase {
  readonly database: LevelDatabase;
  /** Undefined: it is empty. */
  readonly format: number | undefined;
}

/**
 * Opens or creates the database of a directory. All of its files are verified first: LevelDB could misread a damaged
 * file.
 *
 * @param folder the folder in the directory
 * @throws OptionError if it is damaged, in use, or cannot be opened
 */
export function openDatabase(directory: string, folder = CHAIN_FOLDER): Promise<FoundDatabase> {
  return openAfter(directory, folder, () => refuseDamaged(directory, folder));
}

/** @returns the logs */
async function refuseDamaged(directory: string, folder: string): Promise<readonly LogFile[]> {
  const { damaged, logs } = await verified(directory, folder);
  refuseDamage(directory, folder, damaged);
  return logs;
}

/** Larger databases are verified while they are read: 1 GB takes more than a second. */
const VERIFIED_AT_ONCE_BYTES = 32 * 2 ** 20;

/** A database that a node reads. */
export interface ServedDatabase extends FoundDatabase {
  /** The tables to verify before they are read; absent: all are verified. */
  readonly unverified?: UnverifiedTables | undefined;
}

/**
 * As {@link openDatabase}, but a large database opens before all of its tables are verified.
 *
 * @throws OptionError if it is damaged, in use, or cannot be opened
 */
export async function openDatabaseToServe(directory: string): Promise<ServedDatabase> {
  let unverified: UnverifiedTables | undefined;
  const found = await openAfter(directory, CHAIN_FOLDER, async () => {
    await requireNotInUse(directory, CHAIN_FOLDER);
    const { databaseFiles } = await import('../../platform/leveldb-files.js');
    const { tables, logs, damaged } = await databaseFiles(path.join(directory, CHAIN_FOLDER));
    refuseDamage(directory, CHAIN_FOLDER, damaged);
    const bytes = tables.reduce((sum, table) => sum + table.bytes, 0);
    if (bytes > VERIFIED_AT_ONCE_BYTES) {
      const { damagedLeftovers, hasUnverified, UnverifiedTables } = await import('./unverified-tables.js');
      // LevelDB, when it merges a damaged table, may end the process by an assertion of its own. The next start would
      // meet it again, so it verifies all tables first and names the damaged one.
      const mayHaveEndedByDamage = hasUnverified(directory) && !isClosed(directory);
      if (!mayHaveEndedByDamage) {
        refuseDamage(directory, CHAIN_FOLDER, damagedLeftovers(directory, tables));
        unverified = UnverifiedTables.of(directory, tables);
        // Without this row the database would look empty.
        const what = unverified?.beforeReading(FORMAT_KEY, FORMAT_KEY);
        if (what !== undefined) throw new DamagedStoreError(directory, what);
      }
    }
    return unverified === undefined ? await refuseDamaged(directory, CHAIN_FOLDER) : logs;
  });
  return { ...found, unverified };
}

/** Opens a database of which {@link damageOf} has found nothing. @throws OptionError if it cannot be opened */
export function openVerified(directory: string): Promise<FoundDatabase> {
  const logs = () => logsOf(path.join(path.resolve(directory), CHAIN_FOLDER));
  return openAfter(directory, CHAIN_FOLDER, logs);
}

/** @param verify throws if the database is not to be opened; @returns its logs */
async function openAfter(
  directory: string,
  folder: string,
  verify: () => Promise<readonly LogFile[]>,
): Promise<FoundDatabase> {
  const { openLevelDb } = await import('../../platform/leveldb.js');
  let database: LevelDatabase | undefined;
  try {
    finishUpgrade(directory);
    const logs = await verify();
    database = (await openLevelDb(directory, folder)) as unknown as LevelDatabase;
    await complete(database, logs);
    const format = formatOf(database, directory);
    return { database: openingCompletely(database, path.join(directory, folder)), format };
  } catch (error) {
    await database?.close();
    throw refusalOf(error, directory);
  }
}

async function logsOf(files: string): Promise<readonly LogFile[]> {
  const { databaseFiles } = await import('../../platform/leveldb-files.js');
  return (await databaseFiles(files)).logs;
}

/** A store whose disk failed opens its database again. */
function openingCompletely(database: LevelDatabase, files: string): LevelDatabase {
  const open = database.open.bind(database);
  database.open = async () => {
    const logs = await logsOf(files);
    await open();
    await complete(database, logs);
  };
  return database;
}

async function complete(database: LevelDatabase, logs: readonly LogFile[]): Promise<void> {
  // A new database has none.
  if (logs.length === 0) return;
  const { completeLog } = await import('./complete-log.js');
  await completeLog(database, logs);
}

/** @throws OptionError that names the first damaged file */
function refuseDamage(directory: string, folder: string, [first]: readonly DamagedFile[]): void {
  if (first === undefined) return;
  throw databaseRefusal(`is damaged: ${path.join(folder, first.file)} ${first.what}`, damageAdvice(directory));
}

/**
 * The damaged files of a database, if any.
 *
 * @throws DatabaseInUseError if another process writes them
 */
export async function damageOf(directory: string, folder = CHAIN_FOLDER): Promise<readonly DamagedFile[]> {
  return (await verified(directory, folder)).damaged;
}

async function verified(directory: string, folder: string): Promise<Pick<DatabaseFiles, 'logs' | 'damaged'>> {
  const [{ verifiedFiles }, { damagedLeftovers, forgetUnverified }] = await Promise.all([
    import('../../platform/leveldb-files.js'),
    import('./unverified-tables.js'),
  ]);
  await requireNotInUse(directory, folder);
  const files = await verifiedFiles(path.join(directory, folder));
  if (folder !== CHAIN_FOLDER) return files;
  const damaged = [...files.damaged, ...damagedLeftovers(directory)];
  if (damaged.length === 0) forgetUnverified(directory);
  return { ...files, damaged };
}

/** @throws DatabaseInUseError */
export async function requireNotInUse(directory: string, folder: string): Promise<void> {
  const { inUse, isInUse } = await import('../../platform/leveldb.js');
  if (existsSync(path.join(directory, folder, 'CURRENT')) && (await isInUse(directory, folder))) throw inUse(directory);
}

/** @throws OptionError if it has another format than this Sunup writes */
export function requireFormat(format: number | undefined, directory: string): void {
  if (format !== undefined && format !== FORMAT_VERSION) throw refusalOf(otherFormat(format), directory);
}

/** Converts an error of a database into one about `--db` or the responsible option; bugs stay as they are. */
export function refusalOf(error: unknown, directory: string): unknown {
  if (error instanceof IncompatibleDatabaseError) return otherChain(error, directory);
  if (error instanceof DamagedStoreError)
    return databaseRefusal(`cannot be opened: ${error.message}`, damageAdvice(directory));
  if (error instanceof IncompleteTableError)
    return databaseRefusal(`is damaged: ${error.message}`, damageAdvice(directory));
  if (error instanceof UnusableDirectoryError) {
    return databaseRefusal(`is ${directory}, which ${error.message}`, 'Use another directory');
  }
  if (error instanceof NoRoomError)
    return databaseRefusal(
      `is ${directory}, which has no disk space left`,
      'Free some space, or use another directory',
    );
  // The first blocks would have invalid times.
  if (error instanceof ParametersError)
    return new OptionError('genesis', `starts too late: ${error.message}`, 'Use an earlier time');
  const { name, code, message, file } = innermost(error);
  if (isNoSpace(error)) {
    return databaseRefusal(
      `is ${directory}, which has no disk space left`,
      'Free some space, or use another directory',
    );
  }
  if (name === 'DatabaseInUseError')
    return databaseRefusal(`is ${message}`, 'Stop that process, or use another directory');
  if (code === 'LEVEL_CORRUPTION') return databaseRefusal(`is damaged: ${message}`, damageAdvice(directory));
  if (typeof code === 'string' && code.startsWith('LEVEL_'))
    return databaseRefusal(`is ${directory}, which cannot hold a database: ${message}`, 'Use another directory');
  if (file !== undefined && directory !== '' && !path.relative(directory, file).startsWith('..'))
    return databaseRefusal(`is ${directory}, which cannot be used: ${message}`, 'Use another directory');
  return error;
}

/** Errors of LevelDB, and of the system where its package makes the folder, are inside of the package's error. */
function innermost(error: unknown): {
  readonly name: string;
  readonly code: unknown;
  readonly message: string;
  /** Of a call of the file system that has failed. */
  readonly file: string | undefined;
} {
  const outer = error as NodeJS.ErrnoException;
  const inner = (outer.cause ?? outer) as NodeJS.ErrnoException;
  const file = inner.syscall === undefined ? undefined : inner.path;
  return { name: outer.name, code: inner.code ?? outer.code, message: inner.message, file };
}

export function databaseRefusal(problem: string, hint: string): OptionError {
  return new OptionError('db', problem, hint);
}

function isPlain(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

/** Names the initial option that differs, if there is one. */
function otherChain({ message, hint, differing }: IncompatibleDatabaseError, directory: string): OptionError {
  if (isOfScenario(directory)) {
    return databaseRefusal(
      `is ${directory}, which holds the chain of a scenario (sunup run --db), with other accounts, witnesses and times`,
      `Use another directory for a node. To continue the scenario, convert the chain with sunup record FILE --from ${directory} and add steps`,
    );
  }
  const [first, ...others] = differing;
  if (first === undefined) return databaseRefusal(`is ${directory}: ${message}`, hint.replace('DIR', directory));
  const { option, stated, kept } = first;
  const secret = libraryOptions.some(([name, { begins }]) => name === option && begins === 'secret');
  const also = others.length === 0 ? '' : ` (nor is ${others.map((one) => one.option).join(', ')})`;
  // The default of an option that older databases do not have is stored as an empty text.
  const byDefault = libraryOptions.find(([name]) => name === option)?.[1].default;
  const nothing = isPlain(byDefault) ? String(byDefault) : option === 'networkStake' ? 'none' : 'not given';
  const problem =
    secret || also !== ''
      ? `is not the value that the chain in ${directory} was created with${also}`
      : `is ${stated || nothing}, but the chain in ${directory} was created with ${kept || (isPlain(byDefault) ? byDefault : 'none')}`;
  const begunWith = secret ? undefined : flagsOf(differing);
  const give = begunWith === undefined ? 'Use' : `Give ${begunWith}, or use`;
  return new OptionError(
    option,
    problem,
    `A database keeps the options that it was created with. ${give} another --db directory`,
  );
}

/** The initial options as flags; undefined if a value is not a single plain word. */
function flagsOf(differing: IncompatibleDatabaseError['differing']): string | undefined {
  const flags = differing.map(({ option, kept }) => {
    const row = libraryOptions.find(([name]) => name === option)?.[1];
    const value = kept || (isPlain(row?.default) ? String(row?.default) : '');
    return row?.begins === 'shown' && row.flag !== undefined && PLAIN_WORD.test(value) ? `${row.flag} ${value}` : '';
  });
  return flags.includes('') ? undefined : flags.join(' ');
}

const PLAIN_WORD = /^[\w.]{1,40}$/;
