/**
 * Index of row changes over the pre-images: it finds a row of any height without reading the blocks up to the head.
 * Each row has a list of positions in pages, of which a change rewrites only the newest. Pages are stored beside the
 * state's rows, written and reverted in the same batches; execution never reads them. Previous values are in
 * `pre-images.ts`. Tables whose rows have a block number have no index (`bornAt`).
 */

import { varint } from '../primitives/varint.js';
import { LazyBytes, type Store, type StoreWrite } from './store.js';
import type { TableSpec } from './table-spec.js';
import { TABLES } from './tables.js';

/** Position of a commit: a block, or an operation after one. Later positions are greater. */
export type ChangePlace = number;

/** Above the number of operations after one block. */
const STEPS = 2 ** 20;

/** @param step 0 for the block itself, else the index of an operation after it */
export function changePlace(height: number, step = 0): ChangePlace {
  return height * STEPS + step;
}

/** Read access to the index. */
export interface Changes {
  /** The first change of a row after `place`, which ended its value there. Undefined: unchanged since. */
  firstAfter(row: string, place: ChangePlace): ChangePlace | undefined;
  /** Keys of all rows of a resident table that ever changed. */
  scannedKeys(prefix: string): Iterable<string>;
}

/** After the block and all operations after it. */
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

/**
 * Pages of 64 entries: a row that every block changes costs a few hundred bytes per block, and a lookup takes few
 * reads.
 */
const PLACES_PER_PAGE = 64;
const KEPT_PAGES = 50_000;

/** Pages are immutable; a new position replaces the page. */
class Page {
  /** The stored form, up to the position at `#madeTo`. */
  #bytes: Uint8Array;
  #madeTo: ChangePlace;
  /** Later positions. */
  #unmade: readonly ChangePlace[];

  private constructor(
    /** Number of earlier pages. */
    readonly number: number,
    /** The oldest page that was not deleted. */
    readonly first: number,
    /** Number of positions, and the last one; -1 if empty. */
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

  /** The stored form, encoded lazily: a store in memory rarely reads it before the next change. */
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

/** Resident tables, whose deleted rows must also be found. */
const SCANNED = (Object.values(TABLES) as TableSpec<unknown>[]).filter(
  ({ resident, bornAt }) => resident && bornAt === undefined,
);

export class RowChanges implements Changes {
  readonly #newest = new Map<string, Page>();
  /**
   * For resident tables: all rows that ever changed, deleted ones included. A rollback leaves those whose changes it
   * removes: a store that refuses it has them still, and to ask a view for a row that never was is harmless.
   */
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
   * Records a change of a row, later than all of its earlier ones.
   *
   * @param writes receives the changes of the index
   * @param oldest positions before it are not needed any more
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

  /** The chain is rolled back to `place`: later changes are removed. */
  revertTo(prefix: string, key: string, place: ChangePlace, writes: StoreWrite[]): void {
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
    this.#keep(row, isGone ? NO_PAGE : page);
    writes.push({ key: CHANGES_PREFIX + row, value: isGone ? undefined : page.stored });
  }

  /** The last written page is not in the store: it is read again. */
  forgetUnwritten(): void {
    this.#newest.clear();
  }

  /** No row has ever changed. @returns brings the index back, if the store still has it */
  startOver(): () => void {
    const scanned = new Map(this.#scanned);
    this.#newest.clear();
    for (const prefix of scanned.keys()) this.#scanned.set(prefix, new Set());
    return () => {
      this.#newest.clear();
      for (const [prefix, keys] of scanned) this.#scanned.set(prefix, keys);
    };
  }

  /** Whether older positions of a row were deleted. */
  isCut(row: string): boolean {
    return this.#page(row).first > 0;
  }

  firstAfter(row: string, place: ChangePlace): ChangePlace | undefined {
    const newest = this.#page(row);
    if (newest.last <= place) return undefined;
    let page = newest;
    let places = page.places;
    // The first page that ends after the position.
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

  /** Positions of a row's changes, from the last one up to `place` backwards. */
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

  /** Deletes pages that end before `oldest`. @returns the number of the oldest remaining page */
  #forgetBefore(row: string, newest: Page, oldest: ChangePlace, writes: StoreWrite[]): number {
    let { first } = newest;
    // If the whole history is kept, the oldest page need not be read.
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

/** The positions of a stored page, in order. @throws Error for an invalid page */
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
