/**
 * The folder that a chain lives in: the user's, or one of our own that goes when the devnet does. A node that was killed
 * leaves its temporary folder behind; the next one to make such a folder removes it.
 *
 * Files in it that are no database: `owner` in a temporary one (whose it is), `closed` in one that was closed (up to
 * which block).
 */

import {
  chmodSync,
  closeSync,
  existsSync,
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
  /** Made for this run only. */
  readonly temporary: boolean;
  /** Deletes a temporary directory; leaves the user's alone. To be called when nothing in it is open any more. */
  release(): void;
}

/** A directory that cannot hold a chain; the message goes on from its name: `… is a file`. */
export class UnusableDirectoryError extends Error {
  override readonly name = 'UnusableDirectoryError';
}

/** Only its owner may read what is in it: keys of devnets have been known to be real ones. */
const MODE = 0o700;

const TEMPORARY = /^sunup-[A-Za-z0-9]{6}$/;
const OWNER = 'owner';

/**
 * Makes `directory` where it does not exist, or a fresh temporary one when none is named.
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
  return { path: temporary, temporary: true, release: () => rmSync(temporary, { recursive: true, force: true }) };
}

/**
 * Temporary directories whose node is gone.
 *
 * @param isOpen whether some process has a database in it open: a process id may be another one's by now, or of
 *   another container that shares the folder
 */
export async function removeAbandoned(isOpen: (directory: string) => Promise<boolean>): Promise<string[]> {
  const removed: string[] = [];
  for (const name of readdirSync(tmpdir()).filter((one) => TEMPORARY.test(one))) {
    const directory = path.join(tmpdir(), name);
    const owner = readOwner(directory);
    if (owner === undefined || isAlive(owner) || (await isOpen(directory))) continue;
    rmSync(directory, { recursive: true, force: true });
    removed.push(directory);
  }
  return removed;
}

/** The process that made a temporary directory; undefined where nobody says so, or it is not ours to read. */
function readOwner(directory: string): number | undefined {
  try {
    const { uid } = statSync(directory);
    if (process.getuid !== undefined && uid !== process.getuid()) return undefined;
    const pid = Number(readFileSync(path.join(directory, OWNER), 'utf8'));
    return Number.isInteger(pid) && pid > 0 ? pid : undefined;
  } catch {
    // Somebody else's folder of the same form, or one that is being removed right now.
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
    // Some file systems can be entered and hold no files of ours: /proc.
    closeSync(openSync(probe, 'wx', 0o600));
    rmSync(probe);
  } catch (error) {
    throw new UnusableDirectoryError(whyUnusable(error as NodeJS.ErrnoException));
  }
}

/** Not mkdir's own way of making parents: Node 20 never comes back from it where there can be none (`/proc/x`). */
function makeDirectories(directory: string): void {
  if (existsSync(directory)) return;
  makeDirectories(path.dirname(directory));
  mkdirSync(directory, { mode: MODE });
}

function whyUnusable({ code, message }: NodeJS.ErrnoException): string {
  switch (code) {
    case 'EEXIST':
    case 'ENOTDIR':
      return 'is a file, or lies in one';
    case 'EACCES':
    case 'EPERM':
      return 'may not be written to by this user';
    case 'EROFS':
      return 'lies on a file system that is read-only';
    case 'ENOSPC':
    case 'EDQUOT':
      return 'lies on a file system that is full';
    case 'ENOENT':
    case 'ENOTSUP':
    case 'EOPNOTSUPP':
      return 'lies on a file system that holds no files';
    default:
      return `cannot be used: ${message}`;
  }
}

const CLOSED = 'closed';

/** Notes that the chain in a directory was closed, and where it ended. */
export function markClosed(directory: string, head: string): void {
  writeFileSync(path.join(directory, CLOSED), `${head}\n`);
}

/** Takes the note away: from here on, an end that leaves none was no orderly one. @returns what it said */
export function takeClosedMark(directory: string): string | undefined {
  const file = path.join(directory, CLOSED);
  try {
    const head = readFileSync(file, 'utf8').trim();
    rmSync(file);
    return head;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return undefined;
  }
}

const SCENARIO = 'scenario';

/** Notes that the chain in a directory is a scenario's, which no node goes on with. */
export function markScenario(directory: string): void {
  writeFileSync(path.join(directory, SCENARIO), 'sunup run --db\n');
}

export function isOfScenario(directory: string): boolean {
  return existsSync(path.join(directory, SCENARIO));
}

/** Where the chain's database lies in a data directory. */
export const CHAIN_FOLDER = 'chain';

const OWN_FILES: readonly string[] = [OWNER, CLOSED, SCENARIO];

/** Whether an entry of a data directory is one that a chain makes: its database, an older one that is kept, a note. */
export function isOwnName(name: string, isFolder: boolean): boolean {
  return isFolder ? name === CHAIN_FOLDER || name.startsWith(`${CHAIN_FOLDER}.`) : OWN_FILES.includes(name);
}

/** What file systems and their browsers put into every folder. Hidden files are passed over in any case. */
const OF_THE_SYSTEM: readonly string[] = ['lost+found', 'Thumbs.db', 'desktop.ini', '$RECYCLE.BIN'];

/** Names in a directory that are not ours, sorted; none where it is no directory that this user may read. */
export function foreignEntries(directory: string, isOurs: (name: string, isFolder: boolean) => boolean): string[] {
  try {
    return readdirSync(directory, { withFileTypes: true })
      .filter(({ name }) => !name.startsWith('.') && !OF_THE_SYSTEM.includes(name))
      .filter((entry) => !isOurs(entry.name, entry.isDirectory()))
      .map(({ name }) => name)
      .sort();
  } catch {
    // What is wrong with it is told when it is opened.
    return [];
  }
}

/** Which folder it is that bears the name; another one of the same name is another one. */
export type FolderIdentity = `${bigint}:${bigint}`;

/** Undefined: there is none. */
export function folderIdentity(directory: string): FolderIdentity | undefined {
  const found = statSync(directory, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev}:${found.ino}`;
}

/** What this user may still write to the file system that a directory lies on. */
export function freeBytes(directory: string): number {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize;
}
