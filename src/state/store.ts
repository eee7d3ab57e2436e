/**
 * What the state asks of a disk: an ordered key-value store with synchronous point reads and atomic batches.
 *
 * Implementations: `memory-store.ts` here, LevelDB in `node/storage/level-store.ts` (handed in from above, so that nothing in
 * this layer opens a file). Keys are ASCII: a table's prefix, then the row's key.
 */

import type { FetchedRow } from './remote-rows.js';
import type { FetchedValue } from './table-spec.js';

/** Bytes that are made when somebody wants them: rows in memory that are soon changed again, or taken back, never are. */
export class LazyBytes {
  #make: (() => Uint8Array) | undefined;
  #bytes: Uint8Array | undefined;

  /** @param make gives the same whenever it is called: it looks at values, which do not change */
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
   * So many blocks later nothing is known of a block any more, and of values from before nothing ever: nothing goes back,
   * and no older height is read. Undefined: all is kept.
   */
  readonly keptBlocks?: number | undefined;
  /** Of which tables there may be rows that are not here (`fork/forked-store.ts`): their prefixes. Undefined: of none. */
  readonly elsewhere?: ReadonlySet<string>;
  /** What another chain had under a key when it was read there; undefined: it was not. */
  fetched?(key: string): FetchedValue | undefined;
  /** All that another chain had, as it was read; undefined: nothing is elsewhere. */
  fetchedRows?(): AsyncIterable<FetchedRow>;
  /** Takes in what somebody else has read of the other chain, for what is not known yet. */
  keepFetched?(rows: readonly FetchedRow[]): Promise<void>;
  /** Why nothing that this store says can be trusted any more: from then on it answers and takes nothing. */
  readonly damage?: Error | undefined;
  /** Sees every batch handed to `write`, also one that is still on its way to the disk. */
  get(key: string): Uint8Array | undefined;
  /**
   * All or nothing. Batches take effect in the order of the calls; the promise settles when the store has accepted it.
   * With one that it has no room for it refuses all that follow, until `retry`.
   */
  write(batch: readonly StoreWrite[]): Promise<void>;
  /** Rows whose key starts with `prefix`, in ascending order of keys; `reverse` descending; `from` starts at that key. */
  rows(prefix: string, options?: { reverse?: boolean; from?: string; limit?: number }): AsyncIterable<StoreRow>;
  /** After a refusal: rows are read again as if the refused batches had never been. */
  forgetRefused?(): void;
  /** Whether batches are accepted again. */
  retry?(): Promise<boolean>;
  close(): Promise<void>;
}
