/** A store that lives as long as the process: the library's default, and the reference for the LevelDB one in tests. */

import type { Store, StoreRow, StoreWrite } from './store.js';

export class MemoryStore implements Store {
  readonly #rows = new Map<string, Uint8Array>();

  get(key: string): Uint8Array | undefined {
    return this.#rows.get(key);
  }

  async write(batch: readonly StoreWrite[]): Promise<void> {
    for (const { key, value } of batch) {
      if (value === undefined) this.#rows.delete(key);
      else this.#rows.set(key, value);
    }
  }

  async *rows(
    prefix: string,
    options: { reverse?: boolean; from?: string; limit?: number } = {},
  ): AsyncIterable<StoreRow> {
    // Sorting at each scan keeps writes at the price of a Map; scans are for history pages and digests.
    const keys = [...this.#rows.keys()].filter((key) => key.startsWith(prefix)).sort();
    if (options.reverse) keys.reverse();
    let left = options.limit ?? Number.POSITIVE_INFINITY;
    for (const key of keys) {
      if (options.from !== undefined && (options.reverse ? key > options.from : key < options.from)) continue;
      if (left-- <= 0) return;
      const value = this.#rows.get(key);
      if (value !== undefined) yield { key, value };
    }
  }

  async close(): Promise<void> {
    this.#rows.clear();
  }
}
