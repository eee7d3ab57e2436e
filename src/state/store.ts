/**
 * The interface to a disk: an ordered key-value store with synchronous point reads and atomic batches.
 * Implementations: `memory-store.ts` here, LevelDB in `node/storage/level-store.ts` (injected, so that no file is
 * opened in this layer). Keys are ASCII: a table's prefix, then the row's key.
 */

import type { FetchedRow } from './remote-rows.js';
import type { FetchedValue } from './table-spec.js';

/** Lazily encoded bytes: rows in memory that soon change again, or are reverted, are never encoded. */
export class LazyBytes {
  #make: (() => Uint8Array) | undefined;
  #bytes: Uint8Array | undefined;

  /** @param make returns the same on every call, because it reads immutable values */
  constructor(make: () => Uint8Array) {
    this.#make = make;
  }

  get bytes(): Uint8Array {
    if (this.#make !== undefined) {
      this.#bytes = this.#make();
      this.#make = undefined;
    }
    return this.#bytes as Uint8Array;
  }
}

export type RowBytes = Uint8Array | LazyBytes;

export function bytesOf(row: RowBytes): Uint8Array {
  return row instanceof LazyBytes ? row.bytes : row;
}

/** One change of a batch; `value` undefined deletes the row. */
export interface StoreWrite {
  readonly key: string;
  readonly value: RowBytes | undefined;
}

export interface StoreRow {
  readonly key: string;
  readonly value: Uint8Array;
}

export interface Store {
  /**
   * Number of blocks after which a block is deleted; previous values are never kept: no rollback, and no reads of
   * older heights. Undefined: everything is kept.
   */
  readonly keptBlocks?: number | undefined;
  /** Prefixes of the tables with rows elsewhere (`fork/forked-store.ts`). Undefined: none. */
  readonly elsewhere?: ReadonlySet<string>;
  /** The network's value of a key when it was fetched; undefined: not fetched. */
  fetched?(key: string): FetchedValue | undefined;
  /** All fetched rows; undefined: no rows are elsewhere. */
  fetchedRows?(): AsyncIterable<FetchedRow>;
  /** Adds rows that another fork has fetched, if they are unknown here. */
  keepFetched?(rows: readonly FetchedRow[]): Promise<void>;
  /**
   * The same for the rows that a chain with the same beginning has read, while the fork has none of its own above them:
   * they take the place of what this store has fetched.
   */
  replaceFetched?(rows: readonly FetchedRow[]): Promise<void>;
  /** Why the store cannot be trusted any more: from then on it answers and accepts nothing. */
  readonly damage?: Error | undefined;
  /** Sees every batch passed to `write`, also before the disk has it. */
  get(key: string): Uint8Array | undefined;
  /**
   * All or nothing. Batches take effect in the order of the calls; the promise resolves when the store has accepted
   * it. If the disk is full, the store refuses this and all later batches until `retry`.
   */
  write(batch: readonly StoreWrite[]): Promise<void>;
  /** Changes that are in effect from now on. The batch of the next `write` has them, before its own. */
  writeWithNext(batch: readonly StoreWrite[]): void;
  /** Rows that are gone from now on. The batch of the next `write` deletes them, before its own changes. */
  deleteWithNext(keys: readonly string[]): void;
  /** Rows whose key starts with `prefix`, in ascending key order; `reverse` descending; `from` starts at that key. */
  rows(prefix: string, options?: { reverse?: boolean; from?: string; limit?: number }): AsyncIterable<StoreRow>;
  /** After a refusal: rows are read as if the refused batches did not exist. */
  forgetRefused?(): void;
  /** Resolves when all accepted batches survive a loss of power. */
  sync?(): Promise<void>;
  /** Whether batches are accepted again. */
  retry?(): Promise<boolean>;
  close(): Promise<void>;
}
