/** A store in memory: the library's default, and the reference for the LevelDB store in tests. */

import { lowerBound } from '../primitives/lower-bound.js';
import { bytesOf, LazyBytes, type RowBytes, type Store, type StoreRow, type StoreWrite } from './store.js';

/**
 * Number of rows that are encoded lazily, about a hundred small blocks: rows that tests write and revert are never
 * encoded.
 */
const UNMADE_ROWS = 4_096;

/**
 * Long-lived bytes, as text of one byte per character: a small buffer keeps its 8 KB slab alive and needs an object of
 * a hundred bytes.
 */
type KeptBytes = Uint8Array | string;
/** Larger ones have their own memory. */
const MAX_IN_SLABS = Buffer.poolSize >>> 1;

function kept(bytes: Uint8Array): KeptBytes {
  if (bytes.length >= MAX_IN_SLABS) return bytes;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
}

function read(row: RowBytes | string): Uint8Array {
  return typeof row === 'string' ? Buffer.from(row, 'latin1') : bytesOf(row);
}

export class MemoryStore implements Store {
  readonly #rows = new Map<string, LazyBytes | KeptBytes>();
  /** Rows of the last batches in their original form, oldest batch first. */
  readonly #unmade: (readonly (readonly [key: string, bytes: LazyBytes])[])[] = [];
  #unmadeRows = 0;
  /** Sorted keys of scanned namespaces (the part up to the colon). */
  readonly #scanned = new Map<string, KeyOrder>();

  get(key: string): Uint8Array | undefined {
    const row = this.#rows.get(key);
    return row === undefined ? undefined : read(row);
  }

  writeWithNext(batch: readonly StoreWrite[]): void {
    // Memory refuses nothing.
    void this.write(batch);
  }

  deleteWithNext(keys: readonly string[]): void {
    for (const key of keys) this.#rows.delete(key);
  }

  async write(batch: readonly StoreWrite[]): Promise<void> {
    const unmade: (readonly [string, LazyBytes])[] = [];
    for (const { key, value } of batch) {
      if (value === undefined) this.#rows.delete(key);
      else {
        if (this.#scanned.size > 0 && !this.#rows.has(key)) this.#scanned.get(namespaceOf(key))?.add(key);
        this.#rows.set(key, value instanceof LazyBytes ? value : kept(value));
        if (value instanceof LazyBytes) unmade.push([key, value]);
      }
    }
    if (unmade.length === 0) return;
    this.#unmade.push(unmade);
    this.#unmadeRows += unmade.length;
    while (this.#unmadeRows > UNMADE_ROWS) this.#makeOldest();
  }

  /** Rows that were written again or deleted since are not encoded. */
  #makeOldest(): void {
    const oldest = this.#unmade.shift() ?? [];
    this.#unmadeRows -= oldest.length;
    for (const [key, lazy] of oldest) if (this.#rows.get(key) === lazy) this.#rows.set(key, kept(lazy.bytes));
  }

  async *rows(
    prefix: string,
    options: { reverse?: boolean; from?: string; limit?: number } = {},
  ): AsyncIterable<StoreRow> {
    const { reverse = false, from = prefix } = options;
    let left = options.limit ?? Number.POSITIVE_INFINITY;
    const keys = this.#keysOf(prefix);
    // Backwards from the last key with the prefix, or from `from` if that is before it.
    const end = reverse
      ? Math.min(
          lowerBound(keys, above(prefix)),
          options.from === undefined ? keys.length : lowerBound(keys, `${from}\0`),
        )
      : lowerBound(keys, from > prefix ? from : prefix);
    for (let at = reverse ? end - 1 : end; left > 0; at += reverse ? -1 : 1) {
      const key = keys[at];
      if (key === undefined || !key.startsWith(prefix)) return;
      const value = this.#rows.get(key);
      if (value === undefined) continue;
      left--;
      yield { key, value: read(value) };
    }
  }

  async close(): Promise<void> {
    this.#rows.clear();
    this.#unmade.length = 0;
    this.#unmadeRows = 0;
    this.#scanned.clear();
  }

  /** Sorted at the first scan of a namespace, then kept sorted: before, a write costs as much as in a Map. */
  #keysOf(prefix: string): readonly string[] {
    const namespace = namespaceOf(prefix);
    if (namespace === '') return [...this.#rows.keys()].filter((key) => key.startsWith(prefix)).sort();
    let order = this.#scanned.get(namespace);
    if (order === undefined) {
      order = new KeyOrder([...this.#rows.keys()].filter((key) => key.startsWith(namespace)));
      this.#scanned.set(namespace, order);
    }
    return order.sorted((key) => this.#rows.has(key));
  }
}

/** `h:` of `h:f00…`; undefined if the prefix is shorter. */
function namespaceOf(key: string): string {
  return key.slice(0, key.indexOf(':') + 1);
}

/** The smallest text above every text with the prefix. */
function above(prefix: string): string {
  return `${prefix}\uffff`;
}

/** Sorted keys. New ones are merged on read; a returned list never changes. */
class KeyOrder {
  #sorted: readonly string[] = [];
  #added: string[];

  constructor(keys: string[]) {
    this.#added = keys;
  }

  add(key: string): void {
    this.#added.push(key);
  }

  /** @param exists deleted keys may remain in the list until it is rebuilt */
  sorted(exists: (key: string) => boolean): readonly string[] {
    if (this.#added.length > 0) {
      const keys = this.#sorted.filter(exists).concat(this.#added.filter(exists));
      // Timsort merges the two runs; a key that was deleted and added again occurs twice.
      this.#sorted = keys.sort().filter((key, at) => key !== keys[at - 1]);
      this.#added = [];
    }
    return this.#sorted;
  }
}
