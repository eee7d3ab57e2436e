/**
 * A descriptor in reserve. Large packages are read when they are first needed, and by then a process may have no more
 * files: a module that could not be read once fails for ever, because Node keeps its error.
 */

import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';

/** Shared by all chains: descriptors belong to the process. */
let spare: number | undefined;

/** Call it at the start of a process that keeps running. */
export function keepSpareFile(): void {
  try {
    spare ??= openSync(devNull, 'r');
  } catch {
    // There is none now: the next load needs none either if it finds one.
  }
}

/**
 * Loads code that is read from a file. The build puts it around each such `require` (`scripts/build.mjs`).
 *
 * @public
 */
export function withSpareFile<Loaded>(load: () => Loaded): Loaded {
  if (spare === undefined) return load();
  closeSync(spare);
  spare = undefined;
  try {
    return load();
  } finally {
    keepSpareFile();
  }
}
