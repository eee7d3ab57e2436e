/**
 * A typed table of the chain's state: rows are read on demand, decoded once, and changed through the journal. Owns the
 * decoded rows; a value is never mutated, only replaced. Undo is in `journal.ts`, bytes on disk in `store.ts`,
 * declarations in `tables.ts`.
 */

import { lowerBound } from '../primitives/lower-bound.js';
import type { Journal, JournaledTable } from './journal.js';
import { MissingRow, type RowsMissed } from './missing-row.js';
import type { RowSource, TableSpec } from './table-spec.js';

/** Read access to a table or to an older view. */
export interface ReadableTable<Key extends string, Value> {
  get(key: Key): Value | undefined;
  has(key: Key): boolean;
  /** All rows in ascending key order. Resident tables only. */
  entries(): readonly (readonly [key: Key, value: Value])[];
  /** Rows whose key starts with `prefix`, in ascending order, at most `limit`. Resident tables only. */
  range(prefix: string, limit?: number): readonly (readonly [key: Key, value: Value])[];
}

const KEPT_WITHOUT_PAST = 256;
const FORGOTTEN_AT_ONCE = 256;

export class Table<Key extends string, Value> implements ReadableTable<Key, Value> {
  /** Decoded rows; `undefined` records that a row does not exist. */
  #rows = new Map<string, Value | undefined>();
  /** Weight of the rows beyond one for each; not less than it is. */
  #extraWeight = 0;
  #sorted: readonly (readonly [Key, Value])[] | undefined;
  /** Sorted keys of a resident table: made lazily, then kept sorted. */
  #keys: Key[] | undefined;
  /** False for a resident table that was not read yet: a state over a view costs only what is read. */
  #scanned: boolean;
  /** For a resident table that has only its changed rows in memory. */
  #liesOver: boolean;
  /** Weight of the rows that could not be dropped last time: dropping is tried again only if it is worthwhile. */
  #keptAtTrim = 0;
  /** Missing rows of gathering work. */
  missed: RowsMissed | undefined;
  /** Rows that were written but never read: after a revert they are unknown again. */
  #unread: Set<string> | undefined;

  constructor(
    readonly spec: TableSpec<Value>,
    private readonly journal: Journal,
    private readonly source: RowSource,
  ) {
    this.#liesOver = spec.resident === true && source.atOrBefore !== undefined && spec.bornAt !== undefined;
    this.#scanned = !spec.resident || this.#liesOver;
  }

  get(key: Key): Value | undefined {
    if (!this.#scanned) this.#scan();
    const known = this.#rows.get(key);
    if (this.#liesOver) return known ?? this.source.read(this.spec, key);
    if (known !== undefined || this.spec.resident || this.#rows.has(key)) return known;
    let value: Value | undefined;
    try {
      value = this.source.read(this.spec, key);
    } catch (thrown) {
      if (this.missed === undefined || !(thrown instanceof MissingRow)) throw thrown;
      this.missed.note(thrown);
      this.#isUnread(key);
      return undefined;
    }
    this.#unread?.delete(key);
    this.#keep(key, value);
    // Queries may read any number of rows while no block is made.
    if (this.isLarge) this.trim(this.journal.changedKeys(this as JournaledTable));
    return value;
  }

  has(key: Key): boolean {
    return this.get(key) !== undefined;
  }

  set(key: Key, value: Value): void {
    this.journal.record(this as JournaledTable, key, this.get(key));
    this.#put(key, value);
  }

  /** Sets a new row whose key is a counter: `set` would read a previous value from the disk that cannot exist. */
  add(key: Key, value: Value): void {
    if (!this.#scanned) this.#scan();
    this.journal.record(this as JournaledTable, key, undefined);
    this.#put(key, value);
  }

  /** The same for a row that may be elsewhere, if its previous value is not needed. */
  addUnread(key: Key, value: Value): void {
    this.#isUnread(key);
    this.add(key, value);
  }

  #isUnread(key: Key): void {
    this.#unread ??= new Set();
    this.#unread.add(key);
  }

  delete(key: Key): void {
    const previous = this.get(key);
    if (previous === undefined) return;
    this.journal.record(this as JournaledTable, key, previous);
    this.#put(key, undefined);
  }

  /** The last row up to `key`. Resident tables only. */
  atOrBefore(key: string): readonly [key: string, value: Value] | undefined {
    const keys = this.#orderedKeys();
    const own = keys[lowerBound(keys, `${key}\0`) - 1];
    const below = this.#liesOver ? this.source.atOrBefore?.(this.spec, key) : undefined;
    return own !== undefined && own >= (below?.[0] ?? '') ? [own, this.#rows.get(own) as Value] : below;
  }

  entries(): readonly (readonly [Key, Value])[] {
    this.#whole();
    this.#sorted ??= this.#orderedKeys().map((key) => [key, this.#rows.get(key) as Value] as const);
    return this.#sorted;
  }

  range(prefix: string, limit = Number.POSITIVE_INFINITY): readonly (readonly [Key, Value])[] {
    this.#whole();
    const keys = this.#orderedKeys();
    const rows: (readonly [Key, Value])[] = [];
    for (let at = lowerBound(keys, prefix); rows.length < limit; at++) {
      const key = keys[at];
      if (!key?.startsWith(prefix)) break;
      rows.push([key, this.#rows.get(key) as Value]);
    }
    return rows;
  }

  /** Restores a value without a record. Only the journal calls this. */
  restore(key: string, value: Value | undefined): void {
    if (!this.#scanned) this.#scan();
    if (value === undefined && this.#unread?.has(key)) this.#rows.delete(key);
    else this.#put(key, value);
  }

  /** The same, if the source has the reverted value until the next write. */
  replace(key: string, value: Value | undefined): void {
    if (!this.#scanned) this.#scan();
    this.#put(key, value);
  }

  /** Call it after that write: unread rows may be elsewhere. */
  forgetUnread(): void {
    for (const key of this.#unread ?? []) if (this.#rows.get(key) === undefined) this.#rows.delete(key);
  }

  /** Whether it holds more rows than are kept across blocks. */
  get isLarge(): boolean {
    const { resident, bornAt, keptRows = 100_000 } = this.spec;
    const isPast = bornAt !== undefined && this.source.keptBlocks !== undefined;
    return !resident && this.#weight - this.#keptAtTrim > (isPast ? KEPT_WITHOUT_PAST : keptRows);
  }

  /** Drops the oldest rows of a resident table of blocks that cannot be read any more. */
  forgetOld(): void {
    const { spec, source } = this;
    const { bornAt } = spec;
    if (bornAt === undefined || source.keptBlocks === undefined) return;
    const keys = this.#orderedKeys();
    const [last, newest] = [keys[FORGOTTEN_AT_ONCE], keys.at(-1)];
    if (last === undefined || newest === undefined) return;
    const blockOf = (key: Key) => bornAt(key, this.#rows.get(key) as Value);
    if (blockOf(last) >= blockOf(newest) - source.keptBlocks) return;
    this.#sorted = undefined;
    for (const key of this.#keys?.splice(0, FORGOTTEN_AT_ONCE) ?? []) this.#rows.delete(key);
  }

  /** Drops cached rows: they can be read again from the source, except those that `changed` since the last seal. */
  trim(changed: Iterable<string>): void {
    const kept = Array.from(changed, (key) => [key, this.#rows.get(key)] as const);
    this.#rows.clear();
    this.#extraWeight = 0;
    for (const [key, value] of kept) this.#keep(key, value);
    this.#keptAtTrim = this.#weight;
  }

  get #weight(): number {
    return this.#rows.size + this.#extraWeight;
  }

  #keep(key: string, value: Value | undefined): void {
    this.#rows.set(key, value);
    const { weightOf } = this.spec;
    if (weightOf !== undefined && value !== undefined) this.#extraWeight += weightOf(value) - 1;
  }

  /** The source and its cached content were deleted. @returns brings the rows back, if the source still has them */
  forget(): () => void {
    const [rows, extraWeight, unread, scanned] = [this.#rows, this.#extraWeight, this.#unread, this.#scanned];
    const hold = (...held: [typeof rows, typeof extraWeight, typeof unread, typeof scanned]) => {
      [this.#rows, this.#extraWeight, this.#unread, this.#scanned] = held;
      this.#keys = this.#sorted = undefined;
    };
    hold(new Map(), 0, undefined, true);
    return () => hold(rows, extraWeight, unread, scanned);
  }

  #scan(): void {
    this.#scanned = true;
    for (const [key, value] of this.source.scan(this.spec)) this.#rows.set(key, value);
  }

  /** Loads all rows from the source. */
  #whole(): void {
    if (!this.#liesOver) return;
    this.#liesOver = false;
    this.#keys = undefined;
    for (const [key, value] of this.source.scan(this.spec)) if (!this.#rows.has(key)) this.#rows.set(key, value);
  }

  #orderedKeys(): readonly Key[] {
    if (!this.spec.resident)
      throw new Error(`table ${this.spec.name} is not resident: it cannot be scanned in a block`);
    if (!this.#scanned) this.#scan();
    this.#keys ??= [...(this.#rows.keys() as MapIterator<Key>)].sort();
    return this.#keys;
  }

  #put(key: string, value: Value | undefined): void {
    if (!this.spec.resident) {
      this.#keep(key, value);
      return;
    }
    this.#sorted = undefined;
    const present = this.#rows.has(key);
    if (this.#keys !== undefined && present !== (value !== undefined)) {
      // One splice is a memory move; sorting at each change would make a book of n price levels cost n log n.
      const at = lowerBound(this.#keys, key);
      if (present) this.#keys.splice(at, 1);
      else this.#keys.splice(at, 0, key as Key);
    }
    if (value === undefined) this.#rows.delete(key);
    else this.#rows.set(key, value);
  }
}
