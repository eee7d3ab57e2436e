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

/** What is not made by a compiler, or is made of what is found elsewhere. */
const PASSED_OVER: ReadonlySet<string> = new Set(['node_modules', 'cache', 'build-info']);

/**
 * All files `*.json` in a folder and below it, in order of their names; a file's name stands for itself.
 *
 * @throws what the file system says of a folder that is not there
 */
export function jsonFiles(folderOrFile: string, most: number): JsonFiles {
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
          ? !PASSED_OVER.has(entry.name) && !entry.name.startsWith('.')
          : entry.isFile() && entry.name.endsWith('.json') && !entry.name.endsWith('.dbg.json'),
      )
      .map(({ name }) => name)
      .sort();
    for (const name of entries.reverse()) waiting.push(path.join(place, name));
  }
  return { files, cutShort: false };
}

export function readText(file: string): string {
  return readFileSync(file, 'utf8');
}
