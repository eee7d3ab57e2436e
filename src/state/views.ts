/**
 * The state as it was at an earlier height, folded from the blocks' pre-images.
 *
 * A view holds only the rows that changed since: the value a row had is the one before the first change above the
 * view's height; a row that did not change is the state's own, without what is pending. Reading a view never changes
 * anything; a `State` over a view is a place to run calls on the past.
 */

import type { PreImage } from './pre-images.js';
import type { State } from './state.js';
import type { RowSource, TableSpec } from './table-spec.js';
import type { TABLES } from './tables.js';

type TableName = keyof typeof TABLES;

export class View implements RowSource {
  readonly #folded = new Map<string, unknown>();

  /** A view of `state` as last sealed. Older heights come by folding the blocks above them, in any order of asking. */
  constructor(private readonly state: State) {}

  /** Takes a block into account that was sealed after the view's height. Call in ascending order of blocks. */
  fold(images: readonly PreImage[]): void {
    for (const { table, key, before } of images) {
      const row = `${table}:${key}`;
      if (!this.#folded.has(row)) this.#folded.set(row, before);
    }
  }

  read<Value>(spec: TableSpec<Value>, key: string): Value | undefined {
    const row = `${spec.name}:${key}`;
    if (this.#folded.has(row)) return this.#folded.get(row) as Value | undefined;
    return this.state.readSealed<Value>(spec.name as TableName, key);
  }

  *scan<Value>(spec: TableSpec<Value>): Iterable<readonly [string, Value]> {
    const table = this.state.tables[spec.name as TableName];
    const keys = new Set<string>(table.entries().map(([key]) => key));
    for (const key of this.state.journal.changedKeys(table as never)) keys.add(key);
    const prefix = `${spec.name}:`;
    for (const row of this.#folded.keys()) if (row.startsWith(prefix)) keys.add(row.slice(prefix.length));
    for (const key of keys) {
      const value = this.read(spec, key);
      if (value !== undefined) yield [key, value];
    }
  }
}
