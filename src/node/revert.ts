/** Going back over committed blocks: in memory row by row, on the disk in one batch with the head. */

import type { Ledger } from '../ledger/ledger.js';
import type { BlockId } from '../primitives/ids.js';
import { type PreImage, restorePreImages } from '../state/pre-images.js';
import type { StoreWrite } from '../state/store.js';
import type { TableSpec } from '../state/table-spec.js';
import { TABLES } from '../state/tables.js';
import type { Commits } from './commits.js';
import { type HistoryIndex, INDEXED_TO } from './history-index.js';

/** Makes `height` the head again, which was block `id` then. Nothing may be pending. */
export function takeBack(ledger: Ledger, commits: Commits, history: HistoryIndex, height: number, id: BlockId): void {
  const { state } = ledger;
  const touched = new Map<string, PreImage>();
  const touch = (table: keyof typeof TABLES, key: string) => {
    const row = `${table}:${key}`;
    if (!touched.has(row)) touched.set(row, { table, key, before: state.tables[table].get(key) });
  };
  if (height < ledger.headNumber) touch('meta', INDEXED_TO);
  // Made from the blocks, so before they are gone.
  const writes: StoreWrite[] = [...history.removalsOf(height, ledger.headNumber)];
  // Collected first: each is found from the head's height, which goes back with the rows.
  for (const { to, images } of [...commits.down(height)]) {
    for (const { table, key } of images) touch(table, key);
    restorePreImages(state, images);
    writes.push(commits.removal(to));
  }
  if (ledger.headId !== id) {
    throw new Error(`revert: height ${height} is ${ledger.headId}, the snapshot was of ${id}`);
  }
  for (const { table, key } of touched.values()) {
    const spec = TABLES[table] as TableSpec<unknown>;
    const value = state.tables[table].get(key);
    writes.push({ key: spec.prefix + key, value: value === undefined ? undefined : spec.encode(value) });
  }
  if (writes.length > 0) commits.write(writes, [...touched.values()]);
}
