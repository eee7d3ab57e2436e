/**
 * The state at an earlier height, row by row: the value before the row's first change above the height
 * (`row-changes.ts`, `pre-images.ts`); an unchanged row is the state's own, without pending changes. So a view costs
 * only what is read of it. It stays valid while the chain grows, and until a rollback. Reads change nothing; a `State`
 * over it can run calls on the past.
 */

import type { ChangePlace, Changes } from './row-changes.js';
import type { State } from './state.js';
import type { Table } from './table.js';
import type { FetchedValue, RowSource, TableSpec } from './table-spec.js';
import { numberKey, type TABLES } from './tables.js';

type TableName = keyof typeof TABLES;

/** The source of previous values. */
export interface EarlierValues {
  rowBefore<Value>(place: ChangePlace, spec: TableSpec<Value>, key: string): Value | undefined;
}

export class View implements RowSource {
  /** @param height of a block, or of the last block of a run of empty ones */
  constructor(
    private readonly state: State,
    private readonly changes: Changes,
    private readonly befores: EarlierValues,
    private readonly height: number,
    private readonly place: ChangePlace,
  ) {}

  read<Value>(spec: TableSpec<Value>, key: string): Value | undefined {
    if (spec.bornAt === undefined) {
      const change = this.changes.firstAfter(spec.prefix + key, this.place);
      if (change !== undefined) return this.befores.rowBefore(change, spec, key);
    }
    const value = this.state.readSealed<Value>(spec.name as TableName, key);
    return value !== undefined && spec.bornAt !== undefined && spec.bornAt(key, value) > this.height
      ? undefined
      : value;
  }

  get elsewhere(): ReadonlySet<string> | undefined {
    return this.state.elsewhere;
  }

  fetched(key: string): FetchedValue | undefined {
    return this.state.fetched(key);
  }

  atOrBefore<Value>(spec: TableSpec<Value>, key: string): readonly [string, Value] | undefined {
    const table = this.state.tables[spec.name as TableName] as unknown as Table<string, Value>;
    const row = table.atOrBefore(key);
    if (row === undefined || (spec.bornAt?.(...row) ?? 0) <= this.height) return row;
    return table.atOrBefore(numberKey(this.height));
  }

  *scan<Value>(spec: TableSpec<Value>): Iterable<readonly [string, Value]> {
    const table = this.state.tables[spec.name as TableName];
    const keys = new Set<string>(table.entries().map(([key]) => key));
    for (const key of this.state.journal.changedKeys(table as never)) keys.add(key);
    for (const key of this.changes.scannedKeys(spec.prefix)) keys.add(key);
    for (const key of keys) {
      const value = this.read(spec, key);
      if (value !== undefined) yield [key, value];
    }
  }
}
