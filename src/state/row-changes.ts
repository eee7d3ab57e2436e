/**
 * At which places of the chain each row has changed: an index over the pre-images, so that a row of any height is found
 * without going over what lies between it and the head.
 *
 * Owns the index: a list of places for each row, in pages of which a change rewrites only the newest. The rows lie beside
 * the state's, are written and taken back in the same batches, and execution never reads them. Does not own what a row
 * was (`pre-images.ts`). Tables whose rows say themselves since when they are there have no index (`bornAt`).
 */

import { varint } from '../primitives/varint.js';
import { LazyBytes, type Store, type StoreWrite } from './store.js';
import type { TableSpec } from './table-spec.js';
import { TABLES } from './tables.js';

/** Where something was committed: a block, or an operation after one. Later places are greater. */
export type ChangePlace = number;

/** More operations than come after one block. */
const STEPS = 2 ** 20;

/** @param step 0 for the block itself, else which of the operations that came after it */
export function changePlace(height: number, step = 0): ChangePlace {
  return height * STEPS + step;
}

/** When rows changed. */
export interface Changes {
  /** The first change of a row after `place`: with it ended what the row was there. Undefined: it is that still. */
  firstAfter(row: string, place: ChangePlace): ChangePlace | undefined;
  /** Keys of a table that can be scanned, of all rows that changed. */
  scannedKeys(prefix: string): Iterable<string>;
}

/** After the block and all operations that followed it. */
export function endOfHeight(height: number): ChangePlace {
  return height * STEPS + STEPS - 1;
}

export function heightOfPlace(place: ChangePlace): number {
  return Math.floor(place / STEPS);
}

export function stepOfPlace(place: ChangePlace): number {
  return place % STEPS;
}

/** Prefix of the index in a store. */
export const CHANGES_PREFIX = 'ch:';

/** Pages of 64: a row that every block changes costs a few hundred bytes more with each, and a look-up few reads. */
const PLACES_PER_PAGE = 64;
const KEPT_PAGES = 50_000;

/** A page does not change; one with a place more takes its place. */
class Page {
  /** As it is stored, up to the place at `#madeTo`. */
  #bytes: Uint8Array;
  #madeTo: ChangePlace;
  /** The places after that. */
  #unmade: readonly ChangePlace[];

  private constructor(
    /** How many pages come before it. */
    readonly number: number,
    /** The oldest page that has not been forgotten. */
    readonly first: number,
    /** How many places it has, and the last of them; -1 where it has none. */
    readonly count: number,
    readonly last: ChangePlace,
    bytes: Uint8Array,
    madeTo: ChangePlace,
    unmade: readonly ChangePlace[],
  ) {
    this.#bytes = bytes;
    this.#madeTo = madeTo;
    this.#unmade = unmade;
  }

  static of(number: number, first: number, places: readonly ChangePlace[]): Page {
    const head = Uint8Array.from([...varint(number), ...varint(first)]);
    return new Page(number, first, places.length, places.at(-1) ?? -1, head, -1, places);
  }

  static decode(bytes: Uint8Array): Page {
    const [number, first] = varints(bytes) as [number, number];
    const places = placesOfPage(bytes);
    const last = places.at(-1) ?? -1;
    return new Page(number, first, places.length, last, bytes, last, []);
  }

  with(place: ChangePlace): Page {
    const { number, first, count } = this;
    return new Page(number, first, count + 1, place, this.#bytes, this.#madeTo, [...this.#unmade, place]);
  }

  /** As it is stored; made when it is read, which a store in memory seldom does before the next place comes. */
  get stored(): LazyBytes {
    return new LazyBytes(() => {
      if (this.#unmade.length > 0) this.#bytes = withPlaces(this.#bytes, this.#madeTo, this.#unmade);
      this.#madeTo = this.last;
      this.#unmade = [];
      return this.#bytes;
    });
  }

  get places(): readonly ChangePlace[] {
    return [...placesOfPage(this.#bytes), ...this.#unmade];
  }
}

/** Tables whose rows can be scanned, and so have to be found when they are gone. */
const SCANNED = (Object.values(TABLES) as TableSpec<unknown>[]).filter(
  ({ resident, bornAt }) => resident && bornAt === undefined,
);

export class RowChanges implements Changes {
  readonly #newest = new Map<string, Page>();
  /** Of the tables that can be scanned: all rows that ever changed, those that are gone too. */
  readonly #scanned = new Map<string, Set<string>>(SCANNED.map(({ prefix }) => [prefix, new Set()]));

  private constructor(private readonly store: Store) {}

  /** @param isNew the store is empty */
  static async open(store: Store, isNew: boolean): Promise<RowChanges> {
    const changes = new RowChanges(store);
    if (isNew) return changes;
    for (const [prefix, keys] of changes.#scanned) {
      const start = CHANGES_PREFIX + prefix;
      for await (const { key } of store.rows(start)) if (!key.includes('#')) keys.add(key.slice(start.length));
    }
    return changes;
  }

  /**
   * A row changes at a place that is later than all of its places so far.
   *
   * @param writes to which the changes of the index are added
   * @param oldest places before it are not asked for any more
   */
  add(prefix: string, key: string, place: ChangePlace, oldest: ChangePlace, writes: StoreWrite[]): void {
    const row = prefix + key;
    let page = this.#page(row);
    if (page.count === PLACES_PER_PAGE) {
      writes.push({ key: pageKey(row, page.number), value: page.stored });
      page = Page.of(page.number + 1, this.#forgetBefore(row, page, oldest, writes), [place]);
    } else {
      page = page.with(place);
    }
    this.#keep(row, page);
    this.#scanned.get(prefix)?.add(key);
    writes.push({ key: CHANGES_PREFIX + row, value: page.stored });
  }

  /** The chain goes back to `place`: later changes of the row have not been. */
  takeBack(prefix: string, key: string, place: ChangePlace, writes: StoreWrite[]): void {
    const row = prefix + key;
    let page = this.#page(row);
    while (page.last > place) {
      const places = page.places.filter((one) => one <= place);
      page = Page.of(page.number, page.first, places);
      if (places.length > 0 || page.number === page.first) break;
      const number = page.number - 1;
      page = this.#older(row, number) ?? NO_PAGE;
      page = Page.of(number, page.first, page.places);
      writes.push({ key: pageKey(row, number), value: undefined });
    }
    const isGone = page.count === 0;
    if (isGone) this.#scanned.get(prefix)?.delete(key);
    this.#keep(row, isGone ? NO_PAGE : page);
    writes.push({ key: CHANGES_PREFIX + row, value: isGone ? undefined : page.stored });
  }

  /** What was written last is not in the store: it is read again. */
  forgetUnwritten(): void {
    this.#newest.clear();
  }

  /** Nothing has ever changed. */
  startOver(): void {
    this.#newest.clear();
    for (const keys of this.#scanned.values()) keys.clear();
  }

  /** Whether older places of a row have been forgotten. */
  isCut(row: string): boolean {
    return this.#page(row).first > 0;
  }

  firstAfter(row: string, place: ChangePlace): ChangePlace | undefined {
    const newest = this.#page(row);
    if (newest.last <= place) return undefined;
    let page = newest;
    let places = page.places;
    // The first page that ends after the place.
    let low = newest.first;
    let high = newest.number;
    while (low < high && (places[0] as number) > place) {
      const middle = (low + high) >>> 1;
      const older = this.#older(row, middle) ?? NO_PAGE;
      if (older.last > place) {
        high = middle;
        page = older;
        places = page.places;
      } else {
        low = middle + 1;
      }
    }
    return places.find((one) => one > place);
  }

  /** Places at which a row changed, from the last one that is not after `place` backwards. */
  *downFrom(row: string, place: ChangePlace): Iterable<ChangePlace> {
    const newest = this.#page(row);
    for (let number = newest.number, page: Page = newest; ; page = this.#older(row, number) ?? NO_PAGE) {
      for (const one of page.places.toReversed()) if (one <= place) yield one;
      if (--number < newest.first) return;
    }
  }

  scannedKeys(prefix: string): Iterable<string> {
    return this.#scanned.get(prefix) ?? [];
  }

  /** Deletes pages that end before `oldest`. @returns the number of the oldest that is left */
  #forgetBefore(row: string, newest: Page, oldest: ChangePlace, writes: StoreWrite[]): number {
    let { first } = newest;
    // Nothing is forgotten where all state is kept: the oldest page need not be read to know it.
    if (heightOfPlace(oldest) === 0) return first;
    for (; first < newest.number; first++) {
      if ((this.#older(row, first) ?? NO_PAGE).last >= oldest) break;
      writes.push({ key: pageKey(row, first), value: undefined });
    }
    return first;
  }

  #page(row: string): Page {
    const known = this.#newest.get(row);
    if (known !== undefined) return known;
    const bytes = this.store.get(CHANGES_PREFIX + row);
    const page = bytes === undefined ? NO_PAGE : Page.decode(bytes);
    this.#keep(row, page);
    return page;
  }

  #older(row: string, number: number): Page | undefined {
    const bytes = this.store.get(pageKey(row, number));
    return bytes && Page.decode(bytes);
  }

  #keep(row: string, page: Page): void {
    if (this.#newest.size >= KEPT_PAGES) this.#newest.clear();
    this.#newest.set(row, page);
  }
}

function pageKey(row: string, number: number): string {
  return `${CHANGES_PREFIX}${row}#${number}`;
}

const NO_PAGE = Page.of(0, 0, []);

/**
 * Places at the end of a page, a few bytes for each: the distance of its height, twice; and one, with the step after it,
 * for an operation. In memory of their own: in a slab of Node's a page would keep alive all that lies around it.
 */
function withPlaces(bytes: Uint8Array, last: ChangePlace, places: readonly ChangePlace[]): Uint8Array {
  const added: number[] = [];
  let before = last < 0 ? 0 : heightOfPlace(last);
  for (const place of places) {
    const distance = heightOfPlace(place) - before;
    const step = stepOfPlace(place);
    added.push(...varint(2 * distance + (step === 0 ? 0 : 1)));
    if (step !== 0) added.push(...varint(step));
    before += distance;
  }
  const longer = new Uint8Array(bytes.length + added.length);
  longer.set(bytes);
  longer.set(added, bytes.length);
  return longer;
}

/** The places of a stored page, in order. @throws Error for bytes that are none */
export function placesOfPage(bytes: Uint8Array): readonly ChangePlace[] {
  const values = varints(bytes).slice(2);
  const places: ChangePlace[] = [];
  let height = 0;
  for (let at = 0; at < values.length; at++) {
    const distance = values[at] as number;
    height += Math.floor(distance / 2);
    places.push(changePlace(height, distance % 2 === 0 ? 0 : values[++at]));
  }
  return places;
}

function varints(bytes: Uint8Array): number[] {
  const values: number[] = [];
  let value = 0;
  let scale = 1;
  for (const byte of bytes) {
    value += (byte & 0x7f) * scale;
    scale *= 128;
    if (byte > 0x7f) continue;
    values.push(value);
    value = 0;
    scale = 1;
  }
  if (values.length < 2 || scale !== 1) throw new Error('not a page of changes');
  return values;
}
