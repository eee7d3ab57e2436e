/** The JSON files of folders, found again and again while tools write into them. */

import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

export interface JsonFile {
  readonly path: string;
  readonly bytes: number;
  /** Changes whenever the file is written. */
  readonly version: string;
}

export interface JsonFiles {
  readonly files: readonly JsonFile[];
  /** There were more than `most`; the rest was left out. */
  readonly cutShort: boolean;
}

/** What is not made by a compiler. */
const PASSED_OVER: ReadonlySet<string> = new Set(['node_modules', 'cache']);
/** Holds again what artifacts hold, and the sources. */
const BUILDS = 'build-info';

/**
 * All files `*.json` in a folder and below it, in order of their names; a file's name stands for itself.
 *
 * @param wanted whether those that hold whole builds are among them
 * @throws what the file system says of a folder that is not there
 */
export function jsonFiles(folderOrFile: string, most: number, wanted: 'artifacts' | 'builds'): JsonFiles {
  const files: JsonFile[] = [];
  const waiting = [folderOrFile];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const stats = statSync(place, { throwIfNoEntry: place === folderOrFile });
    if (stats === undefined) continue; // Gone since its folder was read.
    if (!stats.isDirectory()) {
      if (files.length === most) return { files, cutShort: true };
      files.push({ path: place, bytes: stats.size, version: `${stats.mtimeMs} ${stats.size}` });
      continue;
    }
    const entries = readdirSync(place, { withFileTypes: true })
      .filter((entry) =>
        entry.isDirectory()
          ? !PASSED_OVER.has(entry.name) &&
            !entry.name.startsWith('.') &&
            (wanted === 'builds' || entry.name !== BUILDS)
          : entry.isFile() && entry.name.endsWith('.json') && !entry.name.endsWith('.dbg.json'),
      )
      .map(({ name }) => name)
      .sort();
    for (const name of entries.reverse()) waiting.push(path.join(place, name));
  }
  return { files, cutShort: false };
}

/** Undefined for what is no file, cannot be read, or is larger than `most` bytes. */
export function readBytes(file: string, most: number): Uint8Array | undefined {
  try {
    const stats = statSync(file);
    return stats.isFile() && stats.size <= most ? readFileSync(file) : undefined;
  } catch {
    return undefined;
  }
}

export function readText(file: string): string {
  return readFileSync(file, 'utf8');
}
