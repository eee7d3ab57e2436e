/**
 * Reads pages of the history index: positions of one or several lists in chain order, at a cost that does not depend
 * on the lists' length.
 */

import {
  blockOfKey,
  comparePlaces,
  HISTORY_PREFIX,
  type List,
  listKey,
  type Place,
  placesOf,
} from '../../ledger/history/lists.js';
import type { Store } from '../../state/store.js';

export interface PlaceQuery {
  /** A position in several lists is returned once. */
  readonly lists: readonly List[];
  /** Range of blocks, both included. */
  readonly from: number;
  readonly to: number;
  readonly descending: boolean;
  /** Continues after this position. */
  readonly after?: Place | undefined;
}

/** Positions of the lists, in order. Reads lazily: the caller may leave the loop. */
export async function* placesIn(store: Store, query: PlaceQuery): AsyncGenerator<Place> {
  const sign = query.descending ? -1 : 1;
  const readers = query.lists.map((list) => placesOfList(store, list, query));
  try {
    const heads = (await Promise.all(readers.map((reader) => reader.next()))).map(({ value }) => value);
    for (let last: Place | undefined; ; ) {
      let next: Place | undefined;
      let from = -1;
      heads.forEach((head, i) => {
        if (head !== undefined && (next === undefined || sign * comparePlaces(head, next) < 0)) {
          next = head;
          from = i;
        }
      });
      if (next === undefined) return;
      heads[from] = (await readers[from]?.next())?.value;
      if (last === undefined || comparePlaces(last, next) !== 0) yield next;
      last = next;
    }
  } finally {
    for (const reader of readers) await reader.return(undefined);
  }
}

/** A row has one to hundreds of positions: few are read at first, more if they were not enough. */
const FIRST_ROWS = 4;
const MAX_ROWS = 64;

async function* placesOfList(
  store: Store,
  list: List,
  { from, to, descending: reverse, after }: PlaceQuery,
): AsyncGenerator<Place, undefined> {
  const sign = reverse ? -1 : 1;
  const startBlock = reverse ? Math.min(to, after?.block ?? to) : Math.max(from, after?.block ?? from);
  let limit = FIRST_ROWS;
  for (let start: string | undefined = listKey(list, startBlock); start !== undefined; ) {
    const rows = [];
    for await (const row of store.rows(HISTORY_PREFIX + list, { reverse, from: start, limit })) rows.push(row);
    for (const { key, value } of rows) {
      const block = blockOfKey(key);
      if (block < from || block > to) return undefined;
      const places = placesOf(block, value);
      if (reverse) places.reverse();
      for (const place of places) if (after === undefined || sign * comparePlaces(place, after) > 0) yield place;
    }
    const last = rows.at(-1);
    start = last === undefined || rows.length < limit ? undefined : behind(list, blockOfKey(last.key), reverse);
    limit = Math.min(MAX_ROWS, 4 * limit);
  }
  return undefined;
}

function behind(list: List, block: number, reverse: boolean): string | undefined {
  if (reverse) return block === 0 ? undefined : listKey(list, block - 1);
  return listKey(list, block + 1);
}

export interface Page<Item> {
  readonly items: readonly Item[];
  /** Position of the last item; present if there are more. */
  readonly last?: Place;
}

/**
 * The first `limit` items after the query's position.
 *
 * @param load the item at a position; undefined to skip it
 */
export async function readPage<Item>(
  store: Store,
  query: PlaceQuery,
  limit: number,
  load: (place: Place) => Item | undefined,
): Promise<Page<Item>> {
  const items: Item[] = [];
  let last: Place | undefined;
  for await (const place of placesIn(store, query)) {
    const item = load(place);
    if (item === undefined) continue;
    // One more than wanted: a cursor is returned only if more items follow.
    if (items.length === limit) return { items, last: last as Place };
    items.push(item);
    last = place;
  }
  return { items };
}
