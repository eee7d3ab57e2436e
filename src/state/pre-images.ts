/**
 * A block's pre-images: each changed row with its previous value, stored with the block. They serve as the state diff,
 * for rollbacks, and for older views.
 */

import type { RowBefore, State } from './state.js';
import { bytesOf, LazyBytes, type RowBytes, type StoreWrite } from './store.js';
import type { TableSpec } from './table-spec.js';
import { numberKey, stepKey, TABLES } from './tables.js';

/** A row by table name: it survives the process, unlike a reference to the table. */
export interface PreImage {
  readonly table: keyof typeof TABLES;
  readonly key: string;
  readonly before: unknown;
}

/** @param step 0 for the block itself, else the index of an operation after it (`tables.ts`, `operations`) */
export function preImageKey(blockNumber: number, step = 0): string {
  return step === 0 ? `pre:${numberKey(blockNumber)}` : `pre:${stepKey(blockNumber, step)}`;
}

const NAME_OF_PREFIX = new Map(
  Object.entries(TABLES).map(([name, spec]) => [spec.prefix, name as keyof typeof TABLES] as const),
);

function nameOf(row: RowBefore): keyof typeof TABLES {
  const name = NAME_OF_PREFIX.get(row.table.spec.prefix);
  if (name === undefined) throw new Error(`no table has the prefix ${row.table.spec.prefix}`);
  return name;
}

/** Tables of older formats: `i:` was the index of accounts before `h:`. */
const RETIRED: ReadonlySet<string> = new Set(['i:']);

/** Replaces a length: the row did not exist. */
const ABSENT = 0xffffffff;

export function preImagesOf(rows: readonly RowBefore[]): PreImage[] {
  return rows.map((row) => ({ table: nameOf(row), key: row.key, before: row.before }));
}

/** The batch of a sealed block: the new value of every changed row. */
export function rowWrites(rows: readonly RowBefore[]): StoreWrite[] {
  return rows.map(({ table, key }) => rowWrite(table.spec, key, table.get(key)));
}

/** @param value undefined: the row was deleted */
export function rowWrite<Value>(spec: TableSpec<Value>, key: string, value: Value | undefined): StoreWrite {
  return {
    key: spec.prefix + key,
    value: value === undefined ? undefined : new LazyBytes(() => spec.encode(value)),
  };
}

/** Cache of encoded rows: the pre-image of a row that changes in every block was encoded when it was last written. */
export class WrittenRows {
  static readonly #MOST = 4_096;
  readonly #rows = new Map<string, { readonly value: unknown; readonly bytes: RowBytes }>();

  /** The `writes` of a batch, made of the same rows in order. */
  keep(rows: readonly RowBefore[], writes: readonly StoreWrite[]): void {
    if (this.#rows.size > WrittenRows.#MOST) this.#rows.clear();
    for (const [index, { table, key, before }] of rows.entries()) {
      const { key: fullKey, value: bytes } = writes[index] as StoreWrite;
      // A new row that never changes, such as a transaction's, is not needed again.
      if (before !== undefined && bytes !== undefined) this.#rows.set(fullKey, { value: table.get(key), bytes });
    }
  }

  clear(): void {
    this.#rows.clear();
  }

  /** The encoded previous values of rows. Call it before {@link keep} gets their new values. */
  before(images: readonly PreImage[]): readonly (RowBytes | undefined)[] {
    return images.map(({ table, key, before }) =>
      before === undefined ? undefined : this.#bytesOf(TABLES[table].prefix + key, before),
    );
  }

  /** Undefined if the row was not written lately, or has changed since. Values are immutable. */
  #bytesOf(fullKey: string, value: unknown): RowBytes | undefined {
    const written = this.#rows.get(fullKey);
    return written?.value === value ? written?.bytes : undefined;
  }
}

/**
 * Length-prefixed rows: full key, a flag for absence, bytes.
 *
 * @param before encoded previous values, where known
 */
export function encodePreImages(images: readonly PreImage[], before: readonly (RowBytes | undefined)[]): Uint8Array {
  const values: (Uint8Array | undefined)[] = [];
  let size = 0;
  for (const [index, { table, key, before: value }] of images.entries()) {
    const spec = TABLES[table] as TableSpec<unknown>;
    const known = before[index];
    const bytes = value === undefined ? undefined : known === undefined ? spec.encode(value) : bytesOf(known);
    values.push(bytes);
    size += 6 + spec.prefix.length + key.length + (bytes?.length ?? 0);
  }
  const bytes = Buffer.allocUnsafe(size);
  let at = 0;
  images.forEach(({ table, key }, index) => {
    const { prefix } = TABLES[table];
    const value = values[index];
    at = bytes.writeUInt16BE(prefix.length + key.length, at);
    at = bytes.writeUInt32BE(value === undefined ? ABSENT : value.length, at);
    at += bytes.write(prefix, at, 'latin1');
    at += bytes.write(key, at, 'latin1');
    if (value !== undefined) {
      bytes.set(value, at);
      at += value.length;
    }
  });
  return bytes;
}

export function decodePreImages(bytes: Uint8Array): PreImage[] {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const images: PreImage[] = [];
  for (let at = 0; at < view.length; ) {
    const keyEnd = at + 6 + view.readUInt16BE(at);
    const length = view.readUInt32BE(at + 2);
    const fullKey = view.toString('latin1', at + 6, keyEnd);
    const colon = fullKey.indexOf(':') + 1;
    const prefix = fullKey.slice(0, colon);
    const table = NAME_OF_PREFIX.get(prefix);
    if (table === undefined && !RETIRED.has(prefix)) throw new Error(`pre-images: no table for key ${fullKey}`);
    const absent = length === ABSENT;
    const end = keyEnd + (absent ? 0 : length);
    if (table !== undefined) {
      const spec = TABLES[table] as TableSpec<unknown>;
      const before = absent ? undefined : spec.decode(view.subarray(keyEnd, end));
      images.push({ table, key: fullKey.slice(colon), before });
    }
    at = end;
  }
  return images;
}

/** The stored pre-images of a commit, for reads of single rows. */
export class StoredPreImages {
  /** Offset of a value by the row's full key; undefined: the row did not exist. */
  readonly #values = new Map<string, readonly [start: number, end: number] | undefined>();
  readonly size: number;

  constructor(private readonly bytes: Uint8Array) {
    this.size = bytes.length;
    const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    for (let at = 0; at < view.length; ) {
      const keyEnd = at + 6 + view.readUInt16BE(at);
      const length = view.readUInt32BE(at + 2);
      const end = keyEnd + (length === ABSENT ? 0 : length);
      this.#values.set(view.toString('latin1', at + 6, keyEnd), length === ABSENT ? undefined : [keyEnd, end]);
      at = end;
    }
  }

  /** The row before the commit. @throws Error for a row that the commit did not change */
  before<Value>(spec: TableSpec<Value>, key: string): Value | undefined {
    const row = spec.prefix + key;
    if (!this.#values.has(row)) throw new Error(`pre-images: row ${row} is not among them`);
    const place = this.#values.get(row);
    return place && spec.decode(this.bytes.subarray(...place));
  }
}

/** Restores the rows of a block. Blocks are rolled back from the head down. */
export function restorePreImages(state: State, images: readonly PreImage[]): void {
  for (const { table, key, before } of images) state.tables[table].replace(key, before as never);
  state.journal.contentReplaced();
}
