/** The JSON files of folders, searched repeatedly while tools write into them. */

import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

export interface JsonFile {
  readonly path: string;
  readonly bytes: number;
  /** Changes on every write of the file. */
  readonly version: string;
}

export interface JsonFiles {
  readonly files: readonly JsonFile[];
  /** The folder has more than `most` files; the rest was left out. */
  readonly cutShort: boolean;
}

/** Folders without compiler output. */
const PASSED_OVER: ReadonlySet<string> = new Set(['node_modules', 'cache']);
/** Folders that repeat artifacts and sources. */
const BUILDS = 'build-info';

/**
 * All files `*.json` in a folder and its subfolders, sorted by name; the name of a file returns that file.
 *
 * @param wanted whether files with whole builds are included
 * @throws errors of the file system
 */
export function jsonFiles(folderOrFile: string, most: number, wanted: 'artifacts' | 'builds'): JsonFiles {
  const files: JsonFile[] = [];
  const waiting = [folderOrFile];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const stats = statSync(place, { throwIfNoEntry: place === folderOrFile });
    if (stats === undefined) continue; // Removed after its folder was read.
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

/** Undefined if it is no file, cannot be read, or is larger than `most` bytes. */
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
