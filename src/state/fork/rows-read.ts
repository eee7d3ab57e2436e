/** Records which rows of non-resident tables are read: a source for another state. */

import type { RowName } from '../remote-rows.js';
import type { State } from '../state.js';
import type { Table } from '../table.js';
import type { RowSource, TableSpec } from '../table-spec.js';
import type { TABLES } from '../tables.js';

export class RowsRead implements RowSource {
  /** In the order of the first read. */
  readonly names: RowName[] = [];

  constructor(private readonly state: State) {}

  read<Value>(spec: TableSpec<Value>, key: string): Value | undefined {
    this.names.push({ table: spec.name as keyof typeof TABLES, key });
    return this.#table(spec).get(key);
  }

  scan<Value>(spec: TableSpec<Value>): Iterable<readonly [string, Value]> {
    return this.#table(spec).entries();
  }

  atOrBefore<Value>(spec: TableSpec<Value>, key: string): readonly [string, Value] | undefined {
    return this.#table(spec).atOrBefore(key);
  }

  #table<Value>({ name }: TableSpec<Value>): Table<string, Value> {
    return this.state.tables[name as keyof typeof TABLES] as unknown as Table<string, Value>;
  }
}
