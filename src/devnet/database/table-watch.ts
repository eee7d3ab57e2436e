/**
 * The tables of a database while a node runs on them. LevelDB writes a table once and never again, so one that has been
 * written to since was written to by somebody else. A row whose value has changed is found when it is read; one whose key
 * has changed looks as if it had never been there, and that only the table's own checksums show.
 */

import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { CHAIN_FOLDER } from '../../platform/data-directory.js';
import { damageOfTable } from '../../platform/leveldb-files.js';

const LOOK_MS = 2_000;
/** So long after its last byte a table is taken for written. */
const AT_REST_MS = 5_000;

export class TableWatch {
  readonly #folder: string;
  /** By name, those that are written: when, and how many bytes. */
  readonly #seen = new Map<string, string>();
  readonly #timer: NodeJS.Timeout;

  /** @param onDamage told once of what has changed */
  constructor(
    directory: string,
    private readonly onDamage: (what: string) => void,
  ) {
    this.#folder = path.join(directory, CHAIN_FOLDER);
    for (const [name, version] of this.#tables()) this.#seen.set(name, version);
    this.#timer = setInterval(() => this.look(), LOOK_MS);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  look(): void {
    const names = new Set<string>();
    for (const [name, version, isAtRest] of this.#tables()) {
      names.add(name);
      const seen = this.#seen.get(name);
      if (seen === version) continue;
      if (seen === undefined) {
        if (isAtRest) this.#seen.set(name, version);
        continue;
      }
      const damage = this.#damageOf(name);
      if (damage !== undefined) {
        this.stop();
        this.onDamage(`${path.join(CHAIN_FOLDER, name)} ${damage}`);
        return;
      }
      this.#seen.set(name, version);
    }
    for (const name of this.#seen.keys()) if (!names.has(name)) this.#seen.delete(name);
  }

  /** LevelDB removes tables whose rows are in others. */
  #damageOf(name: string): string | undefined {
    try {
      return damageOfTable(readFileSync(path.join(this.#folder, name)));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  *#tables(): Iterable<[name: string, version: string, isAtRest: boolean]> {
    let names: readonly string[];
    try {
      names = readdirSync(this.#folder);
    } catch {
      return; // A directory that is gone is looked for elsewhere (`disk.ts`).
    }
    for (const name of names) {
      if (!/\.(ldb|sst)$/.test(name)) continue;
      const stats = statSync(path.join(this.#folder, name), { throwIfNoEntry: false });
      if (stats !== undefined)
        yield [name, `${stats.size} ${stats.mtimeMs} ${stats.ino}`, Date.now() - stats.mtimeMs > AT_REST_MS];
    }
  }
}
