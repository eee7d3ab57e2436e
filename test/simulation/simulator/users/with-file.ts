/** A file of this machine, for options that name one; nobody sees its name. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** @param work with the path of a file that does not exist yet, and is removed after it */
export async function withFile<Result>(work: (file: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(path.join(tmpdir(), 'sunup-simulated-'));
  try {
    return await work(path.join(folder, 'file'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
