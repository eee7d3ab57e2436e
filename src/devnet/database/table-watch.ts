/**
 * Watches the table files of a running node's database. LevelDB writes each table once, so a later change comes from
 * elsewhere. Row checksums detect a changed value when it is read. A row with a changed key looks as if it had never
 * existed; only the checksums of the table show that.
 */

import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { CHAIN_FOLDER } from '../../platform/data-directory.js';
import { damageOfTable } from '../../platform/leveldb-files.js';

const CHECK_INTERVAL_MS = 2_000;
/** A table counts as complete this long after its last write. */
const AT_REST_MS = 5_000;

export class TableWatch {
  readonly #folder: string;
  /** Complete tables by name, with time and size. */
  readonly #seen = new Map<string, string>();
  readonly #timer: NodeJS.Timeout;

  /** @param onDamage called once with the changed table */
  constructor(
    directory: string,
    private readonly onDamage: (what: string) => void,
  ) {
    this.#folder = path.join(directory, CHAIN_FOLDER);
    for (const [name, version] of this.#tables()) this.#seen.set(name, version);
    this.#timer = setInterval(() => this.check(), CHECK_INTERVAL_MS);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  check(): void {
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

  /** LevelDB removes tables whose rows are in newer ones. */
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
      return; // `disk.ts` watches for a removed directory.
    }
    for (const name of names) {
      if (!/\.(ldb|sst)$/.test(name)) continue;
      const stats = statSync(path.join(this.#folder, name), { throwIfNoEntry: false });
      if (stats !== undefined)
        yield [name, `${stats.size} ${stats.mtimeMs} ${stats.ino}`, Date.now() - stats.mtimeMs > AT_REST_MS];
    }
  }
}
