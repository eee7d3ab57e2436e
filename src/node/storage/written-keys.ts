/**
 * Which keys a store may have: a lookup of an absent row (is this transaction new? does this account exist?) is answered
 * without LevelDB. There it takes 6 to 10 µs, and LevelDB rewrites each table that a hundred such lookups have passed
 * through: with them, transfers to new accounts made it write 10 kB a transaction instead of 3 kB.
 *
 * Bloom filters with two bytes and four bits for each key: of absent keys, 0.2 % are false positives in each filter. When
 * a filter is full the next one begins, four times as large, up to a million keys.
 *
 * The filters survive the process as rows of the store. Each batch has the hashes of its new keys, and from time to time
 * a batch has the filter instead. So the stored filters have every stored key, also after a crash. A node that makes no
 * block reads none of them.
 */

import { CHANGES_PREFIX } from '../../state/row-changes.js';
import type { StoreWrite } from '../../state/store.js';
import { FORMAT_KEY, TABLES } from '../../state/tables.js';

/** Prefix of the rows of the filters, which belong to no table. They are behind all others. */
export const WRITTEN_KEYS_PREFIX = '~keys:';

/** JSON of `StoredState`. */
const STATE_KEY = `${WRITTEN_KEYS_PREFIX}state`;

const BITS_PER_KEY = 16;
const BITS_SET_PER_KEY = 4;
const FIRST_CAPACITY = 2 ** 14;
const CAPACITY_GROWTH = 4;
const MAX_CAPACITY = 2 ** 20;
/** A filter is written after a sixteenth of its capacity: 32 bytes for each new key. */
const SAVES_PER_CAPACITY = 16;
/** How many rows of hashes a start has to read at most. */
const MAX_HASH_ROWS = 4_096;
/** Two numbers of 32 bits. */
const HASH_BYTES = 8;

/** Their keys end in 40 hex digits or more that differ from row to row, and many rows are looked up before they exist. */
const COVERED = [TABLES.transactions, TABLES.accounts, TABLES.storage, TABLES.ethereumIds].map(({ prefix }) => prefix);
/** What the filters of a database cover whose state does not say so. */
const FIRST_COVERED = COVERED.slice(0, 3);
const HASHED_DIGITS = 40;

interface StoredState {
  readonly filters: number;
  /** Keys in the newest filter. */
  readonly keys: number;
  /** Number of the first row of hashes that are not in the newest filter's row. */
  readonly hashesFrom: number;
  /** Prefixes of the tables whose keys are in the filters. A filter that was begun without a table never covers it. */
  readonly covered?: readonly string[];
}

/** The rows of the store. */
export interface StoredRows {
  get(key: string): Uint8Array | undefined;
  /** The error for a row that has to be there. */
  missing(key: string): Error;
}

/** What a batch has to write, too. */
export interface KeyWrites {
  readonly writes: readonly StoreWrite[];
  /** Call it when the store has accepted the batch. */
  accepted(): void;
}

export class WrittenKeys {
  /** Undefined: not read yet. The last one is the newest. */
  readonly #filters: (Filter | undefined)[] = [];
  /** `off`: the database was begun without filters. */
  #progress: 'unread' | 'reading' | 'read' | 'off' = 'unread';
  #covered: readonly string[] = COVERED;
  #hashesFrom = 0;
  #hashesTo = 0;
  #hashesSinceSave = 0;
  /** Filters from this one on are written with the next batch. */
  #saveFrom: number | undefined;
  /** After the last accepted batch. */
  #accepted = { newest: 0, hashesFrom: 0 };

  constructor(private readonly rows: StoredRows) {}

  /** False only for a key that the store does not have. */
  mayHave(key: string): boolean {
    return this.#progress !== 'read' || !this.#covers(key) || this.#has(hashOf(key));
  }

  /** Adds the keys of a batch. */
  add(batch: readonly StoreWrite[]): KeyWrites {
    this.#read();
    if (this.#progress === 'off') return { writes: [], accepted: () => {} };
    const keys = batch.filter(({ key, value }) => value !== undefined && this.#covers(key)).map(({ key }) => key);
    this.#makeRoom(keys.length);
    const newest = this.#filters.at(-1) as Filter;
    const hashes: KeyHash[] = [];
    for (const key of keys) {
      const hash = hashOf(key);
      if (this.#has(hash)) continue;
      newest.add(hash);
      hashes.push(hash);
    }
    this.#hashesSinceSave += hashes.length;
    if (
      this.#hashesSinceSave * SAVES_PER_CAPACITY >= newest.capacity ||
      this.#hashesTo - this.#hashesFrom >= MAX_HASH_ROWS
    )
      this.#saveFrom ??= this.#filters.length - 1;
    const writes = this.#saveFrom === undefined ? this.#hashRow(hashes) : this.#filterRows(this.#saveFrom);
    const reached = { newest: this.#filters.length - 1, hashesFrom: this.#hashesFrom };
    return { writes, accepted: () => (this.#accepted = reached) };
  }

  /** The batches that were not accepted are not stored: what they have added is written with the next one. */
  refused(): void {
    if (this.#filters.length === 0) return;
    this.#saveFrom = this.#accepted.newest;
    this.#hashesFrom = this.#accepted.hashesFrom;
  }

  /** Reads all filters at once. @returns whether there are any */
  readAll(): boolean {
    do this.#read();
    while (this.#progress === 'reading');
    return this.#progress === 'read';
  }

  /** One filter each time, so that no block waits for all of them. The newest is the first. */
  #read(): void {
    if (this.#progress === 'unread') this.#begin();
    else if (this.#progress === 'reading') {
      const index = this.#filters.lastIndexOf(undefined);
      this.#filters[index] = new Filter(this.#filterRow(index));
    }
    if (this.#progress === 'reading' && !this.#filters.includes(undefined)) this.#progress = 'read';
  }

  #begin(): void {
    const row = this.rows.get(STATE_KEY);
    if (row === undefined) {
      this.#progress = this.rows.get(FORMAT_KEY) === undefined ? 'read' : 'off';
      if (this.#progress === 'read') this.#begins(FIRST_CAPACITY);
      return;
    }
    const {
      filters,
      keys,
      hashesFrom,
      covered = FIRST_COVERED,
    } = JSON.parse(Buffer.from(row).toString('latin1')) as StoredState;
    this.#covered = covered;
    const newest = new Filter(this.#filterRow(filters - 1), keys);
    let to = hashesFrom;
    for (let hashes = this.rows.get(hashesKey(to)); hashes !== undefined; hashes = this.rows.get(hashesKey(++to)))
      for (const hash of decodeHashes(hashes)) newest.add(hash);
    this.#filters.length = filters - 1;
    this.#filters.fill(undefined);
    this.#filters.push(newest);
    this.#hashesFrom = hashesFrom;
    this.#hashesTo = to;
    this.#accepted = { newest: filters - 1, hashesFrom };
    this.#hashesSinceSave = newest.keys - keys;
    this.#progress = 'reading';
  }

  /** A row's index of changes may exist without the row, and has the same hash. Its older pages are not covered. */
  #covers(key: string): boolean {
    const from = key.startsWith(CHANGES_PREFIX) ? CHANGES_PREFIX.length : 0;
    return this.#covered.some((prefix) => key.startsWith(prefix, from)) && (from === 0 || !key.includes('#'));
  }

  #filterRow(index: number): Uint8Array {
    const row = this.rows.get(filterKey(index));
    if (row === undefined) throw this.rows.missing(filterKey(index));
    return row;
  }

  #has(hash: KeyHash): boolean {
    // The newest first: it has the keys that are written again and again.
    for (let at = this.#filters.length - 1; at >= 0; at--) if (this.#filters[at]?.has(hash)) return true;
    return false;
  }

  #makeRoom(keys: number): void {
    const newest = this.#filters.at(-1) as Filter;
    if (newest.keys + keys <= newest.capacity) return;
    this.#saveFrom ??= this.#filters.length - 1;
    const capacity = Math.min(newest.capacity * CAPACITY_GROWTH, MAX_CAPACITY);
    this.#begins(Math.max(capacity, 2 ** Math.ceil(Math.log2(keys))));
  }

  #begins(capacity: number): void {
    this.#saveFrom ??= this.#filters.length;
    this.#filters.push(new Filter(new Uint8Array((capacity * BITS_PER_KEY) / 8)));
  }

  #hashRow(hashes: readonly KeyHash[]): StoreWrite[] {
    return hashes.length === 0 ? [] : [{ key: hashesKey(this.#hashesTo++), value: encodeHashes(hashes) }];
  }

  #filterRows(from: number): StoreWrite[] {
    const writes: StoreWrite[] = [];
    for (let index = from; index < this.#filters.length; index++)
      writes.push({ key: filterKey(index), value: (this.#filters[index] as Filter).bytes });
    for (let index = this.#hashesFrom; index < this.#hashesTo; index++)
      writes.push({ key: hashesKey(index), value: undefined });
    this.#hashesFrom = this.#hashesTo;
    this.#hashesSinceSave = 0;
    this.#saveFrom = undefined;
    const { keys } = this.#filters.at(-1) as Filter;
    const [hashesFrom, covered] = [this.#hashesFrom, this.#covered];
    const state: StoredState = { filters: this.#filters.length, keys, hashesFrom, covered };
    writes.push({ key: STATE_KEY, value: Buffer.from(JSON.stringify(state), 'latin1') });
    return writes;
  }
}

class Filter {
  readonly #words: Uint32Array;
  readonly #mask: number;
  readonly capacity: number;

  constructor(
    row: Uint8Array,
    public keys = 0,
  ) {
    // A row may lie anywhere in a larger buffer; words have to be aligned.
    const bytes = new Uint8Array(row);
    this.#words = new Uint32Array(bytes.buffer);
    this.#mask = bytes.length * 8 - 1;
    this.capacity = (bytes.length * 8) / BITS_PER_KEY;
  }

  /** A view: a key that is added before it is written is written, too. */
  get bytes(): Uint8Array {
    return new Uint8Array(this.#words.buffer);
  }

  add({ first, step }: KeyHash): void {
    this.keys++;
    for (let i = 0, at = first; i < BITS_SET_PER_KEY; i++, at += step) {
      const bit = at & this.#mask;
      this.#words[bit >>> 5]! |= 1 << (bit & 31);
    }
  }

  has({ first, step }: KeyHash): boolean {
    for (let i = 0, at = first; i < BITS_SET_PER_KEY; i++, at += step) {
      const bit = at & this.#mask;
      if (((this.#words[bit >>> 5]! >>> (bit & 31)) & 1) === 0) return false;
    }
    return true;
  }
}

/** The positions of a key in a filter: the first, and the distance between two of them. 32 bits each. */
interface KeyHash {
  readonly first: number;
  readonly step: number;
}

function hashOf(key: string): KeyHash {
  const { length } = key;
  return {
    first: Number.parseInt(key.slice(length - 8), 16) >>> 0,
    // An even distance would meet fewer bits.
    step: Number.parseInt(key.slice(length - HASHED_DIGITS, length - HASHED_DIGITS + 8), 16) | 1,
  };
}

function encodeHashes(hashes: readonly KeyHash[]): Uint8Array {
  const bytes = Buffer.allocUnsafe(hashes.length * HASH_BYTES);
  hashes.forEach(({ first, step }, index) => {
    bytes.writeUInt32LE(first, index * HASH_BYTES);
    bytes.writeInt32LE(step, index * HASH_BYTES + 4);
  });
  return bytes;
}

function* decodeHashes(row: Uint8Array): Iterable<KeyHash> {
  const bytes = Buffer.from(row.buffer, row.byteOffset, row.length);
  for (let at = 0; at < bytes.length; at += HASH_BYTES)
    yield { first: bytes.readUInt32LE(at), step: bytes.readInt32LE(at + 4) };
}

function filterKey(index: number): string {
  return `${WRITTEN_KEYS_PREFIX}filter:${padded(index)}`;
}

function hashesKey(index: number): string {
  return `${WRITTEN_KEYS_PREFIX}hashes:${padded(index)}`;
}

/** In the order of the numbers, so that LevelDB appends the rows and deletes them side by side. */
function padded(index: number): string {
  return String(index).padStart(10, '0');
}
