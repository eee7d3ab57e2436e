/** A store that lives as long as the process: the library's default, and the reference for the LevelDB one in tests. */

import { lowerBound } from '../primitives/lower-bound.js';
import { bytesOf, LazyBytes, type RowBytes, type Store, type StoreRow, type StoreWrite } from './store.js';

/** So many rows stay unmade that nobody has asked for, of a hundred small blocks: what tests do and take back is never encoded. */
const UNMADE_ROWS = 4_096;

/**
 * Bytes that stay, as text of one byte a character: a small buffer is a part of a slab of 8 KB that it keeps alive, and an
 * object of a hundred bytes beside it.
 */
type KeptBytes = Uint8Array | string;
/** Larger ones have memory of their own. */
const MOST_IN_SLABS = Buffer.poolSize >>> 1;

function kept(bytes: Uint8Array): KeptBytes {
  if (bytes.length >= MOST_IN_SLABS) return bytes;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
}

function read(row: RowBytes | string): Uint8Array {
  return typeof row === 'string' ? Buffer.from(row, 'latin1') : bytesOf(row);
}

export class MemoryStore implements Store {
  readonly #rows = new Map<string, LazyBytes | KeptBytes>();
  /** Rows of the last batches as they were handed over, the oldest batch first. */
  readonly #unmade: (readonly (readonly [key: string, bytes: LazyBytes])[])[] = [];
  #unmadeRows = 0;
  /** Keys in order, of the namespaces (the part up to the colon) that somebody has scanned. */
  readonly #scanned = new Map<string, KeyOrder>();

  get(key: string): Uint8Array | undefined {
    const row = this.#rows.get(key);
    return row === undefined ? undefined : read(row);
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

  /** What has been written again since, or deleted, is not made. */
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
    // Backwards from the last key with the prefix, or from `from` if that comes before it.
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

  /** Sorted at the first scan of a namespace, and kept in order from then on: until then a write costs what a Map costs. */
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

/** `h:` of `h:f00…`; nothing where the prefix is shorter than that. */
function namespaceOf(key: string): string {
  return key.slice(0, key.indexOf(':') + 1);
}

/** The least text that is above every text with the prefix. */
function above(prefix: string): string {
  return `${prefix}\uffff`;
}

/** Keys in order. New ones are merged in when somebody looks; a list that was handed out is never changed. */
class KeyOrder {
  #sorted: readonly string[] = [];
  #added: string[];

  constructor(keys: string[]) {
    this.#added = keys;
  }

  add(key: string): void {
    this.#added.push(key);
  }

  /** @param exists keys that were deleted may still stand in the list; they go when it is made anew */
  sorted(exists: (key: string) => boolean): readonly string[] {
    if (this.#added.length > 0) {
      const keys = this.#sorted.filter(exists).concat(this.#added.filter(exists));
      // Timsort takes the two runs as they are; a key that was deleted and came again stands there twice.
      this.#sorted = keys.sort().filter((key, at) => key !== keys[at - 1]);
      this.#added = [];
    }
    return this.#sorted;
  }
}
