/**
 * A typed table of the chain's state: rows read on demand, decoded once, changed through the journal.
 *
 * Owns the decoded rows and the rule that a value is never mutated, only replaced. Does not own undoing (`journal.ts`),
 * bytes on disk (`store.ts`) or what the rows mean (`tables.ts` declares them, the ledger uses them).
 */

import { lowerBound } from '../primitives/lower-bound.js';
import type { Journal, JournaledTable } from './journal.js';
import { MissingRow, type RowsMissed } from './missing-row.js';
import type { RowSource, TableSpec } from './table-spec.js';

/** What reading needs; `Table` and the rows of an older view both are. */
export interface ReadableTable<Key extends string, Value> {
  get(key: Key): Value | undefined;
  has(key: Key): boolean;
  /** All rows in ascending order of keys. Resident tables only. */
  entries(): readonly (readonly [key: Key, value: Value])[];
  /** Rows whose key begins with `prefix`, in ascending order, at most `limit`. Resident tables only. */
  range(prefix: string, limit?: number): readonly (readonly [key: Key, value: Value])[];
}

const KEPT_WITHOUT_PAST = 256;
const FORGOTTEN_AT_ONCE = 256;

export class Table<Key extends string, Value> implements ReadableTable<Key, Value> {
  /** Decoded rows; `undefined` remembers that a row is absent. */
  readonly #rows = new Map<string, Value | undefined>();
  #sorted: readonly (readonly [Key, Value])[] | undefined;
  /** Keys of a resident table in order: made when first asked for, and kept in order from then on. */
  #keys: Key[] | undefined;
  /** False for a resident table that nobody has asked yet: a state over a view costs what is read of it. */
  #scanned: boolean;
  /** For a resident table of which only the rows that were changed here are in memory. */
  #liesOver: boolean;
  /** Rows that could not be dropped the last time: trying again has to be worth it. */
  #keptAtTrim = 0;
  /** What is noted of rows that are missing, while somebody goes on without them. */
  missed: RowsMissed | undefined;
  /** Rows that were written and never read: taken back they are as unknown as they were. */
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
    this.#rows.set(key, value);
    return value;
  }

  has(key: Key): boolean {
    return this.get(key) !== undefined;
  }

  set(key: Key, value: Value): void {
    this.journal.record(this as JournaledTable, key, this.get(key));
    this.#put(key, value);
  }

  /**
   * Sets a row that cannot be there yet, because its key counts something up: nothing is read for it. `set` would ask the
   * disk for a previous value that does not exist, once for every such row.
   */
  add(key: Key, value: Value): void {
    if (!this.#scanned) this.#scan();
    this.journal.record(this as JournaledTable, key, undefined);
    this.#put(key, value);
  }

  /** The same for a row that is elsewhere, where nobody needs to know what it was. */
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

  /** The last row that is not after `key`. Resident tables only. */
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

  /** Puts a value back without a record of it. Only the journal calls this. */
  restore(key: string, value: Value | undefined): void {
    if (!this.#scanned) this.#scan();
    if (value === undefined && this.#unread?.has(key)) this.#rows.delete(key);
    else this.#put(key, value);
  }

  /** The same where the source has what is taken back until that is written. */
  replace(key: string, value: Value | undefined): void {
    if (!this.#scanned) this.#scan();
    this.#put(key, value);
  }

  /** To be called when that is written: rows that nobody has read may be elsewhere. */
  forgetUnread(): void {
    for (const key of this.#unread ?? []) if (this.#rows.get(key) === undefined) this.#rows.delete(key);
  }

  /** Holds more rows than are kept across blocks. */
  get isLarge(): boolean {
    const { resident, bornAt, keptRows = 100_000 } = this.spec;
    const isPast = bornAt !== undefined && this.source.keptBlocks !== undefined;
    return !resident && this.#rows.size - this.#keptAtTrim > (isPast ? KEPT_WITHOUT_PAST : keptRows);
  }

  /** Drops the oldest rows of a resident table that tells of blocks, where nobody can ask for those blocks. */
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

  /** Starts anew: rows can be read again from the source, except those that `changed` since the last seal. */
  trim(changed: Iterable<string>): void {
    const kept = Array.from(changed, (key) => [key, this.#rows.get(key)] as const);
    this.#rows.clear();
    for (const [key, value] of kept) this.#rows.set(key, value);
    this.#keptAtTrim = kept.length;
  }

  /** What is in the source, and what was known of it, is no more. */
  forget(): void {
    this.#rows.clear();
    this.#keys = this.#sorted = this.#unread = undefined;
    this.#scanned = true;
  }

  #scan(): void {
    this.#scanned = true;
    for (const [key, value] of this.source.scan(this.spec)) this.#rows.set(key, value);
  }

  /** Takes in what lies below: somebody wants all of it. */
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
      this.#rows.set(key, value);
      return;
    }
    this.#sorted = undefined;
    const present = this.#rows.has(key);
    if (this.#keys !== undefined && present !== (value !== undefined)) {
      // One splice is a memory move; sorting anew at each change would make a book of n price levels cost n log n.
      const at = lowerBound(this.#keys, key);
      if (present) this.#keys.splice(at, 1);
      else this.#keys.splice(at, 0, key as Key);
    }
    if (value === undefined) this.#rows.delete(key);
    else this.#rows.set(key, value);
  }
}
