/**
 * The folder of a chain: the user's, or a temporary one that is deleted with the devnet. A killed node leaves its
 * temporary folder behind; the next node that makes one removes it. Files beside the database: `owner` in a temporary
 * folder (its process), `closed` after an orderly end (the last block), `loading` while a chain is loaded from a file,
 * `before-load` while a chain is replaced by a loaded one (that chain).
 */

import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface DataDirectory {
  /** Absolute. */
  readonly path: string;
  /** A temporary folder of this run. */
  readonly temporary: boolean;
  /** Deletes a temporary directory, not the user's. Call it when all its files are closed. */
  release(): void;
}

/** A directory that cannot hold a chain; the message continues its name: `… is a file`. */
export class UnusableDirectoryError extends Error {
  override readonly name = 'UnusableDirectoryError';
}

/** Only its owner may read the content: keys of devnets are sometimes real ones. */
const MODE = 0o700;

const TEMPORARY = /^sunup-[A-Za-z0-9]{6}$/;
const OWNER = 'owner';

/**
 * Creates `directory` if it does not exist, or a temporary one if none is named.
 *
 * @throws UnusableDirectoryError
 */
export function openDataDirectory(directory: string | undefined): DataDirectory {
  if (directory !== undefined) {
    const absolute = path.resolve(directory);
    makeUsable(absolute);
    return { path: absolute, temporary: false, release: () => {} };
  }
  const temporary = makeTemporary();
  return { path: temporary, temporary: true, release: () => removeFolder(temporary) };
}

/**
 * Temporary directories whose node has ended.
 *
 * @param isOpen whether a process has the database open: the stored process id may belong to another process now, or
 * to another container that shares the folder
 */
export async function removeAbandoned(isOpen: (directory: string) => Promise<boolean>): Promise<string[]> {
  const removed: string[] = [];
  for (const name of readdirSync(tmpdir()).filter((one) => TEMPORARY.test(one))) {
    const directory = path.join(tmpdir(), name);
    const owner = readOwner(directory);
    if (owner === undefined || isAlive(owner) || (await isOpen(directory))) continue;
    if (removeFolder(directory)) removed.push(directory);
  }
  return removed;
}

/** What is not removed now, the next node tries. @returns whether it is gone */
function removeFolder(directory: string): boolean {
  try {
    rmSync(directory, { recursive: true, force: true });
    return true;
  } catch {
    return false;
  }
}

/** The process that made a temporary directory; undefined if unknown or not readable. */
function readOwner(directory: string): number | undefined {
  try {
    const { uid } = statSync(directory);
    if (process.getuid !== undefined && uid !== process.getuid()) return undefined;
    const pid = Number(readFileSync(path.join(directory, OWNER), 'utf8'));
    return Number.isInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    // Another program's folder of the same form, or one that is being removed.
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

function makeTemporary(): string {
  try {
    const directory = mkdtempSync(path.join(tmpdir(), 'sunup-'));
    chmodSync(directory, MODE);
    writeFileSync(path.join(directory, OWNER), `${process.pid}\n`);
    return directory;
  } catch (error) {
    throw new UnusableDirectoryError(whyUnusable(error as NodeJS.ErrnoException));
  }
}

function makeUsable(directory: string): void {
  const probe = path.join(directory, `.sunup-${process.pid}`);
  try {
    makeDirectories(directory);
    // Some file systems accept no files: /proc.
    closeSync(openSync(probe, 'wx', 0o600));
    rmSync(probe);
  } catch (error) {
    throw new UnusableDirectoryError(whyUnusable(error as NodeJS.ErrnoException));
  }
}

/** Without mkdir's `recursive`: in Node 20 it never returns if parents cannot exist (`/proc/x`). */
function makeDirectories(directory: string): void {
  if (existsSync(directory)) return;
  makeDirectories(path.dirname(directory));
  mkdirSync(directory, { mode: MODE });
}

function whyUnusable({ code, message }: NodeJS.ErrnoException): string {
  switch (code) {
    case 'EEXIST':
    case 'ENOTDIR':
      return 'is a file, or is inside one';
    case 'EACCES':
    case 'EPERM':
      return 'is not writable for this user';
    case 'EROFS':
      return 'is on a read-only file system';
    case 'ENOSPC':
    case 'EDQUOT':
      return 'is on a full file system';
    case 'ENOENT':
    case 'ENOTSUP':
    case 'EOPNOTSUPP':
      return 'is on a file system that accepts no files';
    default:
      return `cannot be used: ${message}`;
  }
}

const CLOSED = 'closed';

/** Writes the note that the chain was closed in order, with its last block. */
export function markClosed(directory: string, head: string): void {
  writeFileSync(path.join(directory, CLOSED), `${head}\n`);
}

/** Whether the note is there. */
export function isClosed(directory: string): boolean {
  return existsSync(path.join(directory, CLOSED));
}

/**
 * Call it after a file or folder was moved or removed. Otherwise its old name may be there again after a loss of power,
 * such as a note beside a chain that has gone on.
 */
export function syncDirectory(directory: string): void {
  try {
    const descriptor = openSync(directory, 'r');
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // Windows has no such call.
  }
}

/** @returns the content of the note; undefined: the last end was a crash */
export function closedMark(directory: string): string | undefined {
  try {
    const text = readFileSync(path.join(directory, CLOSED), 'utf8');
    // A full disk, or a loss of power, leaves a part of the note: it says nothing.
    return text.endsWith('\n') ? text.trim() : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return undefined;
  }
}

/** Call it before the chain goes on. */
export function removeClosedMark(directory: string): void {
  if (!isClosed(directory)) return;
  rmSync(path.join(directory, CLOSED));
  syncDirectory(directory);
}

const SCENARIO = 'scenario';

/** Notes that the directory has a scenario's chain, which no node continues. */
export function markScenario(directory: string): void {
  writeFileSync(path.join(directory, SCENARIO), 'sunup run --db\n');
}

export function isOfScenario(directory: string): boolean {
  return existsSync(path.join(directory, SCENARIO));
}

const LOADING = 'loading';

/** Notes that a chain is being loaded into the directory. */
export function markLoading(directory: string): void {
  writeFileSync(path.join(directory, LOADING), 'sunup --load-state\n');
}

export function isLoading(directory: string): boolean {
  return existsSync(path.join(directory, LOADING));
}

export function endLoading(directory: string): void {
  rmSync(path.join(directory, LOADING), { force: true });
}

/** The chain that a load replaces. */
export const BEFORE_LOAD = 'before-load';

/** The database's folder in a data directory. */
export const CHAIN_FOLDER = 'chain';

const OWN_FILES: readonly string[] = [OWNER, CLOSED, SCENARIO, LOADING, BEFORE_LOAD, `${BEFORE_LOAD}.part`];

/** Whether Sunup made an entry of a data directory: the database, a kept older one, or a note. */
export function isOwnName(name: string, isFolder: boolean): boolean {
  return isFolder ? name === CHAIN_FOLDER || name.startsWith(`${CHAIN_FOLDER}.`) : OWN_FILES.includes(name);
}

/** Entries that file systems and file browsers create. Hidden files are always ignored. */
const OF_THE_SYSTEM: readonly string[] = ['lost+found', 'Thumbs.db', 'desktop.ini', '$RECYCLE.BIN'];

/** Foreign names in a directory, sorted; empty if it is no readable directory. */
export function foreignEntries(directory: string, isOurs: (name: string, isFolder: boolean) => boolean): string[] {
  try {
    return readdirSync(directory, { withFileTypes: true })
      .filter(({ name }) => !name.startsWith('.') && !OF_THE_SYSTEM.includes(name))
      .filter((entry) => !isOurs(entry.name, entry.isDirectory()))
      .map(({ name }) => name)
      .sort();
  } catch {
    // Errors are reported when it is opened.
    return [];
  }
}

/** Identity of a folder; a new folder of the same name differs. */
export type FolderIdentity = `${bigint}:${bigint}`;

/** Undefined: no folder. */
export function folderIdentity(directory: string): FolderIdentity | undefined {
  const found = statSync(directory, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev}:${found.ino}`;
}

/** Free space for this user on a directory's file system, in bytes. */
export function freeBytes(directory: string): number {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize;
}
