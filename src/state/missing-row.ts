/**
 * Rows that a state has to fetch first: a fork requests them from its remote. Execution is synchronous, so a read of
 * such a row throws a `MissingRow`. It passes through everything that reverts to a mark, and the surface fetches the
 * row and runs the work again (`node/with-rows.ts`). Work with ten thousand such rows would run ten thousand times. So
 * revertible work continues to its end as if the rows did not exist (`State.gathering`), and all of them are then
 * fetched together.
 */

import type { RowName, Slot, WantedRow } from './remote-rows.js';

/**
 * Who waits for rows: a caller, with turns (`fork/turns.ts`); a block on demand, without turns; a block by the clock
 * or of a scenario, which waits until the rows are fetched or fail.
 */
export type ForWhom = 'caller' | 'asked-block' | 'block';

/** Fetches rows, all or none. */
export type Obtain = (wanted: readonly WantedRow[], forWhom: ForWhom) => Promise<void>;

/** Thrown by a source of rows. Not an `Error`, like the machine's exceptions: it is control flow. */
export class MissingRow {
  /** The first missing row, and others that the same work will need. */
  readonly wanted: readonly [WantedRow, ...WantedRow[]];
  readonly #obtain: Obtain;

  constructor(wanted: readonly [WantedRow, ...WantedRow[]], obtain: Obtain) {
    this.wanted = wanted;
    this.#obtain = obtain;
  }

  /** The same in words, if the key alone says nothing to a reader. */
  of(slot: Slot): MissingRow {
    const [first, ...others] = this.wanted;
    return new MissingRow([{ ...first, slot }, ...others], this.#obtain);
  }

  /** This and others of the same source. */
  with(others: readonly MissingRow[]): MissingRow {
    return new MissingRow([...this.wanted, ...others.flatMap(({ wanted }) => wanted)], this.#obtain);
  }

  /** Fetches the rows, so that the next read finds them. Fails if one cannot be fetched. */
  obtain(forWhom: ForWhom = 'block'): Promise<void> {
    return this.#obtain(this.wanted, forWhom);
  }
}

/** Limit of rows fetched together, which are held in memory meanwhile. */
const MAX_AT_ONCE = 4_096;
/** While nothing is known, many guesses lead to the zero address. */
const NOBODY = `41${'0'.repeat(40)}`;

/** Rows that some work has missed so far and continues without. */
export class RowsMissed {
  readonly #missed = new Map<string, MissingRow>();
  readonly #listeners: (() => void)[] = [];

  /** Runs a callback for every row that the work continues without, also for rows missed before. */
  telling<Result>(onMiss: (() => void) | undefined, work: () => Result): Result {
    if (onMiss === undefined) return work();
    this.#listeners.push(onMiss);
    try {
      if (this.#missed.size > 0) onMiss();
      return work();
    } finally {
      this.#listeners.pop();
    }
  }

  has({ table, key }: RowName): boolean {
    return this.#missed.has(`${table}:${key}`);
  }

  /** @throws the row if the work has missed enough */
  note(missing: MissingRow): void {
    const [{ table, key }] = missing.wanted;
    // The address in an unread word, which is hardly the one that will be called.
    if (this.#missed.size === 0 || !key.includes(NOBODY)) this.#missed.set(`${table}:${key}`, missing);
    if (this.#missed.size >= MAX_AT_ONCE) throw missing;
    for (const onMiss of this.#listeners) onMiss();
  }

  get any(): boolean {
    return this.#missed.size > 0;
  }

  /** All as one; undefined: nothing was missed. */
  get all(): MissingRow | undefined {
    const [first, ...others] = this.#missed.values();
    return first?.with(others);
  }
}
