/**
 * The chain's state: all tables over one journal. Owns marks, reverts and the values of the last seal. Writing to a
 * disk is in `node`; it knows no rule of the protocol.
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
  /** Prefixes of tables with rows elsewhere, which cannot be counted. */
  readonly elsewhere: ReadonlySet<string> | undefined;
  /** Non-resident tables. */
  readonly #growing: readonly Table<string, unknown>[];
  /** Tables whose oldest rows may be dropped. */
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

  /**
   * The network's original value of a fetched row, by prefix and key (`fork/forked-store.ts`), whatever its present
   * value.
   */
  fetched(fullKey: string): FetchedValue | undefined {
    return this.#source.fetched?.(fullKey);
  }

  mark(): Mark {
    return this.journal.mark();
  }

  revert(mark: Mark): void {
    this.journal.revert(mark);
  }

  /** Large tables drop their cached rows: after a block is sealed and encoded, and after dry runs. */
  trim(): void {
    for (const table of this.#growing) if (table.isLarge) table.trim(this.journal.changedKeys(table));
    for (const table of this.#aging) table.forgetOld();
  }

  /** Committed rows were restored, also in the source. */
  snapshotReverted(): void {
    if (this.elsewhere !== undefined) for (const table of this.#growing) table.forgetUnread();
  }

  /** The source has lost rows that a fork has fetched: they have to be fetched again, so that it has them. */
  fetchedLost(): void {
    if (this.elsewhere !== undefined) for (const table of this.#growing) table.trim(this.journal.changedKeys(table));
  }

  /** All rows were deleted, also in the source. @returns brings them back, if the source still has them */
  startOver(): () => void {
    const undo = Object.values(this.tables).map((table) => table.forget());
    this.journal.seal();
    this.journal.contentReplaced();
    return () => {
      for (const bringBack of undo) bringBack();
      this.journal.contentReplaced();
    };
  }

  /** A row at the last seal, without the changes of pending transactions. */
  readSealed<Value>(name: keyof typeof TABLES, key: string): Value | undefined {
    const table = this.tables[name] as unknown as Table<string, unknown>;
    const changed = this.journal.sealed(table, key);
    return (changed ? changed.before : table.get(key)) as Value | undefined;
  }

  /**
   * Runs `work` and reverts its changes: for estimates, constant calls and builders' checks. The cost depends only on
   * what `work` touches.
   */
  dryRun<Result>(work: () => Result): Result {
    const mark = this.mark();
    const { version } = this.journal;
    try {
      return work();
    } finally {
      this.journal.revertTo(mark, version);
      // Unpaid calls may read any number of rows between two blocks.
      this.trim();
    }
  }

  /**
   * Runs revertible `work`. On a fork it continues to its end as if missing rows did not exist; then its changes are
   * reverted, also on failure, and all missing rows are fetched together.
   *
   * @param onMiss called for every missing row, to stop long work early
   * @throws MissingRow for all missing rows
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
        // A result that depends on missing rows may have changed no row.
        this.journal.contentReplaced();
        // biome-ignore lint/correctness/noUnsafeFinally: what the work came to without its rows says nothing
        throw all;
      }
    }
  }

  /** Announces rows that work will read one after another: a fork fetches them together. @throws MissingRow */
  readAhead(name: keyof typeof TABLES, keys: () => Iterable<string>): void {
    if (this.elsewhere === undefined) return;
    const table = this.tables[name] as Table<string, unknown>;
    this.gathering(() => {
      for (const key of keys()) table.get(key);
    });
  }

  /** Records a missing row for gathering work. @returns false: no work gathers, and it must be thrown */
  goesOnWithout(missing: MissingRow): boolean {
    this.#missed?.note(missing);
    return this.#missed !== undefined;
  }

  /** Whether gathering work has continued without a row. */
  get missesRows(): boolean {
    return this.#missed?.any ?? false;
  }

  /** Whether a row only counts as absent because it was not fetched. */
  wasMissed(row: RowName): boolean {
    return this.#missed?.has(row) ?? false;
  }

  #setMissed(missed: RowsMissed | undefined): void {
    this.#missed = missed;
    // Storage words are fetched by code that knows their slot (`ledger/smart-contracts/storage-slots.ts`).
    for (const table of this.#growing) if (table.spec !== TABLES.storage) table.missed = missed;
  }
}
