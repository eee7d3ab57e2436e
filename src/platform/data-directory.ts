/** The folder that a chain lives in: the user's, or one of our own that goes when the devnet does. */

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
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

/** Makes `directory` where it does not exist, or a fresh temporary one when none is named. */
export function openDataDirectory(directory: string | undefined): DataDirectory {
  if (directory !== undefined) {
    const absolute = path.resolve(directory);
    mkdirSync(absolute, { recursive: true });
    return { path: absolute, temporary: false, release: () => {} };
  }
  const temporary = mkdtempSync(path.join(tmpdir(), 'sunup-'));
  return { path: temporary, temporary: true, release: () => rmSync(temporary, { recursive: true, force: true }) };
}
