/** Compares the state in the memory of a node, below its pending transactions, with the rows on its disk. */

import type { State } from '../../../../src/state/state.js';
import type { Table } from '../../../../src/state/table.js';
import type { TableSpec } from '../../../../src/state/table-spec.js';
import { TABLES } from '../../../../src/state/tables.js';
import { isSameValue, keysOfTable, valueInState, valueOnDisk } from '../disk/row-values.js';
import type { Rows } from '../disk/virtual-disk.js';

type TableName = keyof typeof TABLES;

/** @returns keys of rows that differ */
export function rowsThatDiffer(state: State, rows: Rows): readonly string[] {
  const differing: string[] = [];
  for (const [name, spec] of Object.entries(TABLES) as [TableName, TableSpec<unknown>][]) {
    const keys = keysOfTable(rows, spec);
    const table = state.tables[name] as unknown as Table<string, unknown>;
    if (spec.resident) for (const [key] of table.entries()) keys.add(spec.prefix + key);
    for (const key of keys)
      if (!isSameValue(valueInState(state, spec, key), valueOnDisk(rows, key))) differing.push(key);
  }
  return differing;
}
