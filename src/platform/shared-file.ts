/**
 * A file that several processes change. A process that changes it holds `FILE.lock`, reads the file again, and replaces
 * it whole. (A data directory has a lock of its own, LevelDB's: `leveldb.ts`.)
 */

import { closeSync, lstatSync, openSync, rmSync } from 'node:fs';

/** Limit for holding the lock; writing a file takes less. */
const ABANDONED_MS = 10_000;
const LOOK_AGAIN_MS = 5;

/** Waits synchronously for the lock. */
export function withLock<Result>(file: string, change: () => Result): Result {
  const lock = `${file}.lock`;
  while (!tookLock(lock)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_AGAIN_MS);
  try {
    return change();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** Waits for the lock; the holder may be in the same process. */
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
    // On Windows this means that the file is being removed.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST' && code !== 'EPERM') throw error;
  }
  if (isAbandoned(lock)) rmSync(lock, { force: true });
  return false;
}

/** The lock of a killed process. A lock with a future time, or a link, was not made by a holder. */
function isAbandoned(lock: string): boolean {
  const found = lstatSync(lock, { throwIfNoEntry: false });
  if (found === undefined) return false;
  return found.isSymbolicLink() || Math.abs(Date.now() - found.mtimeMs) > ABANDONED_MS;
}
