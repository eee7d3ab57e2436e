/**
 * How many rows each table has, and a sum over their keys: what a checksum within a row cannot see is a row that is
 * gone, or one that came back.
 *
 * A tally is a row like others: written in the block's batch, taken back by its pre-images. It changes only when a row
 * comes or goes, so most blocks change three or four of them. `sunup check` compares them with what is there.
 */

import { crc32cOfLatin1 } from '../primitives/crc32c.js';
import type { State } from './state.js';
import type { Tally } from './tables.js';

const SUM_LIMIT = 2 ** 48;

export const EMPTY_TALLY: Tally = { rows: 0, keySum: 0 };

/** The tally with a row more (`by` 1) or less (`by` -1). */
export function counted(tally: Tally, key: string, by: 1 | -1): Tally {
  const sum = tally.keySum + by * crc32cOfLatin1(key);
  return { rows: tally.rows + by, keySum: sum < 0 ? sum + SUM_LIMIT : sum % SUM_LIMIT };
}

/** Brings the tallies up to what the journal holds since it was sealed. To be called once, right before sealing. */
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
