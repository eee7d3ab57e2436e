/**
 * A descriptor in reserve. Large packages are read when they are first needed, and by then a process may have no more
 * files: a module that could not be read once fails for ever, because Node keeps its error.
 */

import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';

/** Shared by all chains: descriptors belong to the process. */
let spare: number | undefined;
/** Shared by all chains: packages, by their files. */
const loaded = new Map<string, unknown>();

/** Call it at the start of a process that keeps running. */
export function keepSpareFile(): void {
  try {
    spare ??= openSync(devNull, 'r');
  } catch {
    // Without one in reserve, a load opens its file as ever.
  }
}

/**
 * Loads a package from its file, when it is first asked for. The build puts it around each such `require`
 * (`scripts/build.mjs`).
 *
 * @public
 */
export function loadedOnce(file: string, load: () => unknown): unknown {
  if (!loaded.has(file)) loaded.set(file, spare === undefined ? load() : inPlaceOf(spare, load));
  return loaded.get(file);
}

function inPlaceOf<Loaded>(descriptor: number, load: () => Loaded): Loaded {
  closeSync(descriptor);
  spare = undefined;
  try {
    return load();
  } finally {
    keepSpareFile();
  }
}
