/**
 * LevelDB as a `Store`. The database handle comes from above (`index.ts` opens it), so that nothing here knows a path.
 *
 * Batches are pipelined: a row of a batch that LevelDB has not accepted yet is read from an overlay.
 */

import type { Store, StoreRow, StoreWrite } from '../state/store.js';

/** The part of `level`'s API that we use, with strings as keys and bytes as values. */
export interface LevelDatabase {
  getSync(key: string): Uint8Array | undefined;
  batch(): LevelBatch;
  iterator(options: {
    gte?: string;
    gt?: string;
    lt?: string;
    lte?: string;
    reverse?: boolean;
    limit?: number;
  }): AsyncIterable<[string, Uint8Array]>;
  close(): Promise<void>;
}

/** A batch that is filled row by row: 0.5 µs a row, where one of an array of operations costs 7 (measured). */
export interface LevelBatch {
  put(key: string, value: Uint8Array): unknown;
  del(key: string): unknown;
  write(options?: { sync?: boolean }): Promise<void>;
}

interface InFlight {
  readonly batch: number;
  readonly value: Uint8Array | undefined;
}

export class LevelStore implements Store {
  readonly #inFlight = new Map<string, InFlight>();
  #batches = 0;
  #last: Promise<void> = Promise.resolve();

  /** @param sync whether each batch waits for the disk: survives power loss, not only a killed process. */
  constructor(
    private readonly database: LevelDatabase,
    private readonly sync = false,
  ) {}

  get(key: string): Uint8Array | undefined {
    const flying = this.#inFlight.get(key);
    return flying === undefined ? this.database.getSync(key) : flying.value;
  }

  write(writes: readonly StoreWrite[]): Promise<void> {
    const batch = ++this.#batches;
    for (const { key, value } of writes) this.#inFlight.set(key, { batch, value });
    // LevelDB runs concurrent batches in any order; ours follow one another. A failed one fails all after it.
    this.#last = this.#last.then(async () => {
      const operations = this.database.batch();
      for (const { key, value } of writes) {
        if (value === undefined) operations.del(key);
        else operations.put(key, value);
      }
      await operations.write({ sync: this.sync });
      for (const { key } of writes) if (this.#inFlight.get(key)?.batch === batch) this.#inFlight.delete(key);
    });
    return this.#last;
  }

  async *rows(
    prefix: string,
    options: { reverse?: boolean; from?: string; limit?: number } = {},
  ): AsyncIterable<StoreRow> {
    await this.#last;
    const { reverse = false, from, limit } = options;
    const end =
      prefix === ''
        ? undefined
        : `${prefix.slice(0, -1)}${String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1)}`;
    const inside = from !== undefined && from > prefix && (end === undefined || from < end) ? from : undefined;
    if (from !== undefined && inside === undefined && (reverse ? from < prefix : end !== undefined && from >= end))
      return;
    const range = {
      gte: reverse ? prefix : (inside ?? prefix),
      ...(reverse && inside !== undefined ? { lte: inside } : end === undefined ? {} : { lt: end }),
      reverse,
      ...(limit === undefined ? {} : { limit }),
    };
    for await (const [key, value] of this.database.iterator(range)) yield { key, value };
  }

  async close(): Promise<void> {
    await this.#last.catch(() => undefined);
    await this.database.close();
  }
}
