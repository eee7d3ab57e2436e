/** Rollback over committed blocks: row by row in memory, in one batch with the head on disk. */

import type { Ledger } from '../../ledger/ledger.js';
import type { BlockId } from '../../primitives/ids.js';
import { type PreImage, restorePreImages, rowWrite } from '../../state/pre-images.js';
import { changePlace } from '../../state/row-changes.js';
import type { StoreWrite } from '../../state/store.js';
import type { TableSpec } from '../../state/table-spec.js';
import { TABLES } from '../../state/tables.js';
import type { Commits } from './commits.js';
import { type HistoryIndex, INDEXED_TO } from './history-index.js';

/** A position on the chain: after a block and a number of operations after it. */
export interface Place {
  readonly height: number;
  readonly headId: BlockId;
  readonly operations: number;
}

/**
 * Makes `place` the head again. The pool must be empty.
 *
 * @param withNext a commit follows at once, and the store accepts or refuses both together
 */
export function revertRows(
  ledger: Ledger,
  commits: Commits,
  history: HistoryIndex,
  place: Place,
  { withNext = false } = {},
): void {
  const { height, headId: id, operations } = place;
  const { state } = ledger;
  const touched = new Map<string, PreImage>();
  const touch = (table: keyof typeof TABLES, key: string) => {
    const row = `${table}:${key}`;
    if (!touched.has(row)) touched.set(row, { table, key, before: state.tables[table].get(key) });
  };
  if (height < ledger.headNumber) touch('meta', INDEXED_TO);
  const writes: StoreWrite[] = [...history.wentBackTo(height)];
  // Collected first: each commit is found by the head's height, which changes with the rows.
  for (const commit of [...commits.down(height, operations)]) {
    // Keys may have to be computed from the blocks, so before the blocks are removed.
    for (const key of history.keysOf(commit)) writes.push({ key, value: undefined });
    for (const { table, key } of commit.images) touch(table, key);
    restorePreImages(state, commit.images);
    writes.push(commits.removal(commit));
  }
  if (ledger.headId !== id) {
    throw new Error(`revert: height ${height} is ${ledger.headId}, the snapshot was of ${id}`);
  }
  for (const { table, key } of touched.values()) {
    const spec = TABLES[table] as TableSpec<unknown>;
    const value = state.tables[table].get(key);
    writes.push(rowWrite(spec, key, value));
    if (spec.bornAt === undefined) commits.changes.revertTo(spec.prefix, key, changePlace(height, operations), writes);
  }
  const images = [...touched.values()];
  if (withNext) commits.writeWithNext(writes, images);
  else if (writes.length > 0) commits.write(writes, images);
  state.snapshotReverted();
}
