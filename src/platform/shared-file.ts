/**
 * A file that several processes change. A process that changes it holds `FILE.lock`, reads the file again, and replaces
 * it whole. (A data directory has a lock of its own, LevelDB's: `leveldb.ts`.)
 */

import { closeSync, lstatSync, openSync, rmSync } from 'node:fs';

/** Nobody holds it for longer than it takes to write a file. */
const ABANDONED_MS = 10_000;
const LOOK_AGAIN_MS = 5;

/** Waits for the lock and blocks the process meanwhile. */
export function withLock<Result>(file: string, change: () => Result): Result {
  const lock = `${file}.lock`;
  while (!tookLock(lock)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_AGAIN_MS);
  try {
    return change();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** Waits for the lock without blocking: the same process may hold it. */
export async function inTurn<Result>(file: string, change: () => Promise<Result>): Promise<Result> {
  const lock = `${file}.lock`;
  while (!tookLock(lock)) await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  try {
    return await change();
  } finally {
    rmSync(lock, { force: true });
  }
}

function tookLock(lock: string): boolean {
  try {
    closeSync(openSync(lock, 'wx'));
    return true;
  } catch (error) {
    // Windows says so of a file that is just being removed.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST' && code !== 'EPERM') throw error;
  }
  if (isAbandoned(lock)) rmSync(lock, { force: true });
  return false;
}

/** Of a process that was killed while it held it. One of the future, or that leads elsewhere, was put there by nobody who holds it. */
function isAbandoned(lock: string): boolean {
  const found = lstatSync(lock, { throwIfNoEntry: false });
  if (found === undefined) return false;
  return found.isSymbolicLink() || Math.abs(Date.now() - found.mtimeMs) > ABANDONED_MS;
}
