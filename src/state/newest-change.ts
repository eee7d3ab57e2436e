/** Rows before the newest commit: the only history of a chain with `keptBlocks`, to examine the last block. */

import type { PreImage } from './pre-images.js';
import type { ChangePlace, Changes } from './row-changes.js';
import type { TableSpec } from './table-spec.js';
import { TABLES } from './tables.js';
import type { EarlierValues } from './views.js';

export class NewestChange implements Changes, EarlierValues {
  /** Built lazily; most runs never need it. */
  #before: ReadonlyMap<string, unknown> | undefined;

  constructor(
    /** Height before it. */
    readonly from: number,
    private readonly place: ChangePlace,
    private readonly images: readonly PreImage[],
  ) {}

  firstAfter(row: string, place: ChangePlace): ChangePlace | undefined {
    return place < this.place && this.#rows.has(row) ? this.place : undefined;
  }

  *scannedKeys(prefix: string): Iterable<string> {
    for (const row of this.#rows.keys()) if (row.startsWith(prefix)) yield row.slice(prefix.length);
  }

  rowBefore<Value>(_place: ChangePlace, spec: TableSpec<Value>, key: string): Value | undefined {
    return this.#rows.get(spec.prefix + key) as Value | undefined;
  }

  get #rows(): ReadonlyMap<string, unknown> {
    this.#before ??= new Map(this.images.map(({ table, key, before }) => [TABLES[table].prefix + key, before]));
    return this.#before;
  }
}
