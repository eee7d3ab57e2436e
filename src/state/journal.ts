/**
 * The undo log of all tables: every change records the replaced value. A mark is the log's length. A VM frame, a
 * failed transaction and the pool are marks: a revert pops the log and restores the values. Sealing a block converts
 * the log into the block's pre-images.
 */

import type { TableSpec } from './table-spec.js';

/** What the journal and its readers need of a table, whatever its row type. */
export interface JournaledTable {
  readonly spec: TableSpec<unknown>;
  get(key: string): unknown;
  restore(key: string, value: unknown): void;
}

export interface JournalEntry {
  readonly table: JournaledTable;
  readonly key: string;
  readonly previous: unknown;
}

/** An opaque position in the journal; pass it to `revert`. */
export type Mark = number;

/** The value of a row before a block, or before the pending transactions. */
export interface RowBefore {
  readonly table: JournaledTable;
  readonly key: string;
  readonly before: unknown;
}

/** Version of the tables' content: equal versions of one journal mean equal rows. */
export type ContentVersion = number;

export class Journal {
  readonly #entries: JournalEntry[] = [];
  #version: ContentVersion = 0;
  #lastVersion: ContentVersion = 0;
  /** First values of each row since the last seal, built lazily and discarded when the log is popped below it. */
  #first = new Map<JournaledTable, Map<string, unknown>>();
  #indexed = 0;

  mark(): Mark {
    return this.#entries.length;
  }

  record(table: JournaledTable, key: string, previous: unknown): void {
    this.#entries.push({ table, key, previous });
    this.#version = ++this.#lastVersion;
  }

  /** Changes since `mark`, in order. */
  since(mark: Mark): readonly JournalEntry[] {
    return this.#entries.slice(mark);
  }

  get version(): ContentVersion {
    return this.#version;
  }

  /** Rows were restored beyond the log: values derived from the content are invalid. */
  contentReplaced(): void {
    this.#version = ++this.#lastVersion;
  }

  /**
   * Reverts everything since `mark`, when the content had `version`: values derived from that version are valid again.
   */
  revertTo(mark: Mark, version: ContentVersion): void {
    this.revert(mark);
    this.#version = version;
  }

  revert(mark: Mark): void {
    const entries = this.#entries;
    if (mark > entries.length) throw new Error(`journal: mark ${mark} lies above the log (${entries.length})`);
    if (mark < entries.length) this.contentReplaced();
    while (entries.length > mark) {
      const entry = entries.pop() as JournalEntry;
      entry.table.restore(entry.key, entry.previous);
    }
    if (this.#indexed > mark) {
      this.#first = new Map();
      this.#indexed = 0;
    }
  }

  /** Rows changed since the last seal, with their values then. */
  changes(): RowBefore[] {
    this.#index();
    const rows: RowBefore[] = [];
    for (const [table, keys] of this.#first) for (const [key, before] of keys) rows.push({ table, key, before });
    return rows;
  }

  /** The same, and empties the log. */
  seal(): RowBefore[] {
    const rows = this.changes();
    this.#entries.length = 0;
    this.#first = new Map();
    this.#indexed = 0;
    return rows;
  }

  /** The value of a row at the last seal, if it was changed since: `{ before }`, else undefined. */
  sealed(table: JournaledTable, key: string): { readonly before: unknown } | undefined {
    if (this.#entries.length === 0) return undefined;
    this.#index();
    const keys = this.#first.get(table);
    return keys?.has(key) ? { before: keys.get(key) } : undefined;
  }

  /** Keys of `table` that were changed since the last seal. */
  changedKeys(table: JournaledTable): Iterable<string> {
    this.#index();
    return this.#first.get(table)?.keys() ?? [];
  }

  #index(): void {
    for (; this.#indexed < this.#entries.length; this.#indexed++) {
      const { table, key, previous } = this.#entries[this.#indexed] as JournalEntry;
      let keys = this.#first.get(table);
      if (keys === undefined) {
        keys = new Map();
        this.#first.set(table, keys);
      }
      if (!keys.has(key)) keys.set(key, previous);
    }
  }
}
