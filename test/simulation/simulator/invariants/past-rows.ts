/**
 * The state of a past height, row by row: it is what the disk had when that height was the newest, and what another process
 * reads that has no view of it yet.
 */

import { UNTALLIED_KEY } from '../../../../src/node/storage/history-index.js';
import { PastViews } from '../../../../src/node/views/past-views.js';
import type { State } from '../../../../src/state/state.js';
import { TABLES } from '../../../../src/state/tables.js';
import { CHANGING_TABLES, isSameValue, keysInView, keysOfTable, valueInView, valueThen } from '../disk/row-values.js';
import type { Cold } from '../disk/stored-rows.js';
import type { Rows } from '../disk/virtual-disk.js';
import { Violation } from '../run/violation.js';
import type { World } from '../run/world.js';
import type { Host } from '../users/user.js';
import { isKept, isPast, type Moment, momentNow } from './moment.js';

/** What the disk had when a height was the newest. */
export interface KeptRows extends Moment {
  readonly rows: Rows;
}

/**
 * Rows of the node, not of its chain: up to where it has indexed. And the same empty blocks may be stored one by one, or,
 * made again after a rollback, as a run.
 */
const NOT_OF_THE_CHAIN = new Set([
  UNTALLIED_KEY,
  ...[TABLES.blocks, TABLES.emptyRuns].map(({ prefix }) => TABLES.tallies.prefix + prefix),
]);
const KEPT_ROWS = 4;
/** Fewer than a node keeps views. */
const WATCHED_HEIGHTS = 3;
const HEIGHTS_BACK = 30;

export async function pastRowsStay({ world }: Host, cold: () => Promise<Cold>): Promise<void> {
  const stored = await cold();
  // One of both, because each reads all rows.
  if (world.choices.chance(0.5)) viewIsFresh(world, stored);
  else await viewIsWhatWas(world, stored);
}

/** The same heights again and again: a view that outlives a rollback would show the blocks that are gone. */
function viewIsFresh(world: World, { ledger, commits, database }: Cold): void {
  const { chain } = world.node;
  const { choices, watchedHeights: heights } = world;
  const { headNumber } = ledger;
  const from = Math.max(commits.stateFrom, chain.commits.stateFrom);
  const height = heights.length === 0 ? headNumber : choices.of(heights);
  if (height >= from && height <= headNumber) {
    const other = new PastViews(ledger, commits).alone(height).state;
    compare(chain.ledgerAt(height).state, [database.rows], height, (spec, key) => valueInView(other, spec, key));
  }
  const next = Math.max(from, headNumber - choices.below(HEIGHTS_BACK));
  if (heights.length < WATCHED_HEIGHTS) heights.push(next);
  else if (choices.chance(0.3)) heights[choices.below(WATCHED_HEIGHTS)] = next;
}

async function viewIsWhatWas(world: World, { ledger, database: { rows: now } }: Cold): Promise<void> {
  const { chain } = world.node;
  const { choices, keptRows } = world;
  const then = keptRows.length === 0 ? undefined : choices.of(keptRows);
  if (then !== undefined && isKept(world, then) && (await isPast(world, then)))
    compare(chain.ledgerAt(then.number).state, [now, then.rows], then.number, (_, key) =>
      NOT_OF_THE_CHAIN.has(key) ? 'any' : valueThen(then.rows, now, key),
    );
  const moment = await momentNow(world);
  // Meanwhile, a block may have come by the clock.
  if (moment?.blockId === ledger.headId) keptRows.push({ ...moment, rows: now });
  if (keptRows.length > KEPT_ROWS) keptRows.splice(choices.below(KEPT_ROWS), 1);
}

/**
 * @param disks whose rows are looked for: also those that are gone, and those that came later
 * @param expected the value of a row at the height
 */
function compare(
  view: State,
  disks: readonly Rows[],
  height: number,
  expected: (spec: (typeof CHANGING_TABLES)[number], key: string) => Uint8Array | undefined | 'any',
): void {
  for (const spec of CHANGING_TABLES) {
    const listed = spec.resident ? keysInView(view, spec) : undefined;
    for (const key of new Set(disks.flatMap((rows) => [...keysOfTable(rows, spec)]))) {
      const [is, was] = [valueInView(view, spec, key), expected(spec, key)];
      if (was === 'any' || (isSameValue(is, was) && (listed === undefined || listed.has(key) === (was !== undefined))))
        continue;
      const lists = listed === undefined || listed.has(key) === (is !== undefined) ? '' : ', and its list differs';
      throw new Violation(
        'the rows of a past height are those of then',
        `at block ${height} the row ${key} was ${shown(was)}, and is ${shown(is)}${lists}`,
      );
    }
  }
}

function shown(value: Uint8Array | undefined): string {
  return value === undefined ? 'not there' : Buffer.from(value).toString('hex').slice(0, 400);
}
