/**
 * Watches the table files of a running node's database. LevelDB writes each table once, so a later change comes from
 * elsewhere. Row checksums detect a changed value when it is read. A row with a changed key looks as if it had never
 * existed; only the checksums of the table show that.
 */

import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { CHAIN_FOLDER } from '../../platform/data-directory.js';
import { damageOfTable } from '../../platform/leveldb-table.js';

const CHECK_INTERVAL_MS = 2_000;
/** A table counts as complete this long after its last write. */
const AT_REST_MS = 5_000;

/** Tables that are looked at in one turn: less than a millisecond. */
const TABLES_A_TURN = 200;

export class TableWatch {
  readonly #folder: string;
  /** Complete tables by name, with time and size. */
  readonly #seen = new Map<string, string>();
  readonly #timer: NodeJS.Timeout;
  /** The rest of a round that takes several turns. */
  #round: Iterator<void> | undefined;
  #stopped = false;

  /** @param onDamage called once with the changed table */
  constructor(
    directory: string,
    private readonly onDamage: (what: string) => void,
  ) {
    this.#folder = path.join(directory, CHAIN_FOLDER);
    for (const [name, version] of this.#tables(this.#names())) this.#seen.set(name, version);
    this.#timer = setInterval(() => {
      this.#round ??= this.#looks();
      this.#goOn();
    }, CHECK_INTERVAL_MS);
    this.#timer.unref();
  }

  stop(): void {
    this.#stopped = true;
    clearInterval(this.#timer);
  }

  #goOn(): void {
    if (this.#stopped || this.#round === undefined) return;
    if (this.#round.next().done) this.#round = undefined;
    else setImmediate(() => this.#goOn());
  }

  /** One round over all tables, in turns. */
  *#looks(): Generator<void> {
    const names = this.#names();
    for (let at = 0; at < names.length; at += TABLES_A_TURN) {
      if (at > 0) yield;
      for (const table of this.#tables(names.slice(at, at + TABLES_A_TURN))) if (!this.#isWhole(...table)) return;
    }
    const present = new Set(names);
    for (const name of this.#seen.keys()) if (!present.has(name)) this.#seen.delete(name);
  }

  #isWhole(name: string, version: string, isAtRest: boolean): boolean {
    const seen = this.#seen.get(name);
    if (seen === version || (seen === undefined && !isAtRest)) return true;
    const damage = seen === undefined ? undefined : this.#damageOf(name);
    if (damage === undefined) {
      this.#seen.set(name, version);
      return true;
    }
    this.stop();
    this.onDamage(`${path.join(CHAIN_FOLDER, name)} ${damage}`);
    return false;
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

  #names(): readonly string[] {
    try {
      return readdirSync(this.#folder).filter((name) => /\.(ldb|sst)$/.test(name));
    } catch {
      return []; // `disk.ts` watches for a removed directory.
    }
  }

  *#tables(names: readonly string[]): Iterable<[name: string, version: string, isAtRest: boolean]> {
    for (const name of names) {
      const stats = statSync(path.join(this.#folder, name), { throwIfNoEntry: false });
      if (stats !== undefined)
        yield [name, `${stats.size} ${stats.mtimeMs} ${stats.ino}`, Date.now() - stats.mtimeMs > AT_REST_MS];
    }
  }
}
