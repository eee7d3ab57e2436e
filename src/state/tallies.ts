/**
 * Number of rows and sum over their keys for each table: a checksum within a row cannot detect deleted or reappeared
 * rows. A tally is a row itself: written in the block's batch and reverted by its pre-images. It changes only when a
 * row is added or deleted, so most blocks change three or four tallies. `sunup check` compares them with the stored
 * rows.
 */

import { crc32cOfLatin1 } from '../primitives/crc32c.js';
import type { State } from './state.js';
import type { Tally } from './tables.js';

const SUM_LIMIT = 2 ** 48;

export const EMPTY_TALLY: Tally = { rows: 0, keySum: 0 };

/** The tally with one row more (`by` 1) or less (`by` -1). */
export function counted(tally: Tally, key: string, by: 1 | -1): Tally {
  const sum = tally.keySum + by * crc32cOfLatin1(key);
  return { rows: tally.rows + by, keySum: sum < 0 ? sum + SUM_LIMIT : sum % SUM_LIMIT };
}

/** Updates the tallies with the journal's changes since the last seal. Call it once, right before sealing. */
export function tallyChanges({ journal, tables, elsewhere }: State): void {
  const changed = new Map<string, Tally>();
  for (const { table, key, before } of journal.changes()) {
    if (elsewhere?.has(table.spec.prefix)) continue;
    const by = Number(table.get(key) !== undefined) - Number(before !== undefined);
    if (by === 0) continue;
    const { prefix } = table.spec;
    const tally = changed.get(prefix) ?? tables.tallies.get(prefix) ?? EMPTY_TALLY;
    changed.set(prefix, counted(tally, key, by as 1 | -1));
  }
  for (const [prefix, tally] of changed) tables.tallies.set(prefix, tally);
}
