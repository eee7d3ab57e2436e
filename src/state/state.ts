/**
 * The chain's state: all tables over one journal.
 *
 * Owns marks, reverting and the values of the last seal. Does not own writing to a disk (the chain in `node`
 * hands the sealed rows to a store) or any rule of the protocol.
 */

import { Journal, type JournalEntry, type Mark, type RowBefore } from './journal.js';
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
}
