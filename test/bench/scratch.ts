/** Directories that a bench's databases lie in, and LevelDB stores in them. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type LevelDatabase, LevelStore } from '../../src/node/storage/level-store.js';
import { openLevelDb } from '../../src/platform/leveldb.js';

/** Runs `work` in a directory that is there for it alone. */
export async function inScratchDirectory<Result>(work: (directory: string) => Promise<Result>): Promise<Result> {
  const directory = mkdtempSync(path.join(tmpdir(), 'sunup-bench-'));
  try {
    return await work(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

export async function levelStore(directory: string): Promise<LevelStore> {
  return new LevelStore((await openLevelDb(directory)) as unknown as LevelDatabase);
}
