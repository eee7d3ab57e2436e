/** Compares the state in the memory of a node, below its pending transactions, with the rows on its disk. */

import { withoutChecksum } from '../../../../src/state/row-checksum.js';
import type { State } from '../../../../src/state/state.js';
import type { Table } from '../../../../src/state/table.js';
import type { TableSpec } from '../../../../src/state/table-spec.js';
import { TABLES } from '../../../../src/state/tables.js';
import type { Cold } from '../disk/stored-rows.js';

type TableName = keyof typeof TABLES;

/** @returns keys of rows that differ */
export function rowsThatDiffer(state: State, { database }: Pick<Cold, 'database'>): readonly string[] {
  const differing: string[] = [];
  for (const [name, spec] of Object.entries(TABLES) as [TableName, TableSpec<unknown>][]) {
    const rows = new Map<string, Buffer>();
    for (const key of database.keysWith(spec.prefix)) {
      const value = withoutChecksum(key, database.getSync(key) as Uint8Array);
      rows.set(key.slice(spec.prefix.length), Buffer.from(value ?? []));
    }
    const table = state.tables[name] as unknown as Table<string, unknown>;
    const inMemory = spec.resident ? table.entries().map(([key]) => key) : [];
    for (const key of new Set([...rows.keys(), ...inMemory])) {
      const value = state.readSealed(name, key);
      const bytes = value === undefined ? undefined : spec.encode(value);
      const stored = rows.get(key);
      const isSame =
        bytes === undefined || stored === undefined ? bytes === stored : Buffer.compare(bytes, stored) === 0;
      if (!isSame) differing.push(spec.prefix + key);
    }
  }
  return differing;
}
