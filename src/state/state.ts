/**
 * The chain's state: all tables over one journal.
 *
 * Owns marks, reverting and the values of the last seal. Does not own writing to a disk (the chain in `node`
 * hands the sealed rows to a store) or any rule of the protocol.
 */

import { Journal, type JournalEntry, type Mark, type RowBefore } from './journal.js';
import { type MissingRow, RowsMissed } from './missing-row.js';
import type { RowName } from './remote-rows.js';
import { Table } from './table.js';
import type { FetchedValue, RowSource, TableSpec } from './table-spec.js';
import { TABLES } from './tables.js';

type Tables = { readonly [Name in keyof typeof TABLES]: Table<string, ValueOf<(typeof TABLES)[Name]>> };
type ValueOf<Spec> = Spec extends TableSpec<infer Value> ? Value : never;

const NAMES = Object.keys(TABLES) as (keyof typeof TABLES)[];

export type { JournalEntry, Mark, RowBefore };

export class State {
  readonly journal = new Journal();
  readonly tables: Tables;
  /** Prefixes of tables that have rows which nobody here knows of: nobody can count them. */
  readonly elsewhere: ReadonlySet<string> | undefined;
  /** Those that are not whole in memory. */
  readonly #growing: readonly Table<string, unknown>[];
  /** Those of which the oldest rows may be forgotten. */
  readonly #aging: readonly Table<string, unknown>[];

  readonly #source: RowSource;
  #missed: RowsMissed | undefined;

  constructor(source: RowSource) {
    this.#source = source;
    const tables: Record<string, Table<string, unknown>> = {};
    for (const name of NAMES) tables[name] = new Table(TABLES[name] as TableSpec<unknown>, this.journal, source);
    this.tables = tables as unknown as Tables;
    this.elsewhere = source.elsewhere;
    this.#growing = Object.values(tables).filter(({ spec }) => !spec.resident);
    const forgets = source.keptBlocks !== undefined;
    this.#aging = Object.values(tables).filter(({ spec }) => forgets && spec.resident && spec.bornAt !== undefined);
  }

  /** Of a row, prefix and key, that was another chain's (`fork/forked-store.ts`): what it was there, whatever it is here. */
  fetched(fullKey: string): FetchedValue | undefined {
    return this.#source.fetched?.(fullKey);
  }

  mark(): Mark {
    return this.journal.mark();
  }

  revert(mark: Mark): void {
    this.journal.revert(mark);
  }

  /** Tables that have grown large start anew: after a block is sealed and its rows are encoded, and after dry runs. */
  trim(): void {
    for (const table of this.#growing) if (table.isLarge) table.trim(this.journal.changedKeys(table));
    for (const table of this.#aging) table.forgetOld();
  }

  /** Committed rows were put back, and the source has them so. */
  wentBack(): void {
    if (this.elsewhere !== undefined) for (const table of this.#growing) table.forgetUnread();
  }

  /** All rows are gone, also from where they came. */
  startOver(): void {
    for (const table of Object.values(this.tables)) table.forget();
    this.journal.seal();
    this.journal.contentReplaced();
  }

  /** A row as it was at the last seal, whatever pending transactions have done to it since. */
  readSealed<Value>(name: keyof typeof TABLES, key: string): Value | undefined {
    const table = this.tables[name] as unknown as Table<string, unknown>;
    const changed = this.journal.sealed(table, key);
    return (changed ? changed.before : table.get(key)) as Value | undefined;
  }

  /**
   * Runs `work` and takes back whatever it changed: estimates, constant calls, builders' checks.
   * The journal makes this as cheap as what `work` itself touches.
   */
  dryRun<Result>(work: () => Result): Result {
    const mark = this.mark();
    const { version } = this.journal;
    try {
      return work();
    } finally {
      this.journal.revertTo(mark, version);
      // Calls that nobody pays for may ask for any number of rows between two blocks.
      this.trim();
    }
  }

  /**
   * Runs `work`, which can be taken back. On a fork it goes on to its end as if rows that are missing were not there; then
   * everything that it did is undone, also where it failed, and all of them are asked for at once.
   *
   * @param onMiss told of every row that the work goes on without: so that it does not go on for long
   * @throws MissingRow for all that was missed
   */
  gathering<Result>(work: () => Result, onMiss?: () => void): Result {
    if (this.elsewhere === undefined) return work();
    if (this.#missed !== undefined) return this.#missed.telling(onMiss, work);
    const mark = this.mark();
    const missed = new RowsMissed();
    this.#setMissed(missed);
    try {
      return missed.telling(onMiss, work);
    } finally {
      this.#setMissed(undefined);
      const { all } = missed;
      if (all !== undefined) {
        this.revert(mark);
        // What was worked out by what is not there may have changed no row.
        this.journal.contentReplaced();
        // biome-ignore lint/correctness/noUnsafeFinally: what the work came to without its rows says nothing
        throw all;
      }
    }
  }

  /** Where work is about to read many rows, one after the other: a fork asks for all of them at once. @throws MissingRow */
  readAhead(name: keyof typeof TABLES, keys: () => Iterable<string>): void {
    if (this.elsewhere === undefined) return;
    const table = this.tables[name] as Table<string, unknown>;
    this.gathering(() => {
      for (const key of keys()) table.get(key);
    });
  }

  /** Notes a row that work which gathers goes on without. @returns false: nobody gathers, and it is to be thrown */
  goesOnWithout(missing: MissingRow): boolean {
    this.#missed?.note(missing);
    return this.#missed !== undefined;
  }

  /** Whether work that gathers has gone on without a row. */
  get missesRows(): boolean {
    return this.#missed?.any ?? false;
  }

  /** Whether a row counts as absent only because nobody has read it yet. */
  wasMissed(row: RowName): boolean {
    return this.#missed?.has(row) ?? false;
  }

  #setMissed(missed: RowsMissed | undefined): void {
    this.#missed = missed;
    // Words of storage are asked for by those who know of which slot they are (`ledger/smart-contracts/storage-slots.ts`).
    for (const table of this.#growing) if (table.spec !== TABLES.storage) table.missed = missed;
  }
}
