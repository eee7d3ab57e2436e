/**
 * Rows that a state does not know yet but can get: a fork asks its remote for them.
 *
 * Execution is synchronous, so a read that would have to wait throws a `MissingRow` instead. It passes through everything
 * that undoes to a mark, and whoever answers a caller awaits the row and runs the work again from its beginning
 * (`node/with-rows.ts`).
 *
 * Work that reads ten thousand rows would be run ten thousand times. So work that can be taken back goes on to its end as
 * if what it missed were not there (`State.gathering`), and what it has missed by then is asked for together.
 */

import type { RowName, Slot, WantedRow } from './remote-rows.js';

/**
 * Who waits for rows: a caller, who takes turns with others (`fork/turns.ts`); a block that somebody has asked for, which
 * does not wait for them; a block by the clock or of a scenario, which waits until the rows are there or cannot be had.
 */
export type ForWhom = 'caller' | 'asked-block' | 'block';

/** Gets rows, all or none. */
export type Obtain = (wanted: readonly WantedRow[], forWhom: ForWhom) => Promise<void>;

/** Thrown by a source of rows. Like the machine's exceptions no `Error`: it is control flow. */
export class MissingRow {
  /** What is wanted: the row whose absence was noticed first, and others that the same work will want. */
  readonly wanted: readonly [WantedRow, ...WantedRow[]];
  readonly #obtain: Obtain;

  constructor(wanted: readonly [WantedRow, ...WantedRow[]], obtain: Obtain) {
    this.wanted = wanted;
    this.#obtain = obtain;
  }

  /** The same where the key of the row says nothing to anybody else. */
  of(slot: Slot): MissingRow {
    const [first, ...others] = this.wanted;
    return new MissingRow([{ ...first, slot }, ...others], this.#obtain);
  }

  /** This and others of the same source. */
  with(others: readonly MissingRow[]): MissingRow {
    return new MissingRow([...this.wanted, ...others.flatMap(({ wanted }) => wanted)], this.#obtain);
  }

  /** Gets the rows, so that the next read finds them. Fails where one cannot be had. */
  obtain(forWhom: ForWhom = 'block'): Promise<void> {
    return this.#obtain(this.wanted, forWhom);
  }
}

/** More are not asked for at once: what they are made of is held meanwhile. */
const MOST_AT_ONCE = 4_096;
/** Where nothing is known yet, much leads here that would otherwise lead elsewhere. */
const NOBODY = `41${'0'.repeat(40)}`;

/** What some work has missed so far, and goes on without. */
export class RowsMissed {
  readonly #missed = new Map<string, MissingRow>();
  readonly #listeners: (() => void)[] = [];

  /** Runs work that is told of every row that it goes on without, and at once where some are missing already. */
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

  /** @throws the row where the work has missed enough */
  note(missing: MissingRow): void {
    const [{ table, key }] = missing.wanted;
    // The address that an unread word stands for, which is hardly the one that will be called.
    if (this.#missed.size === 0 || !key.includes(NOBODY)) this.#missed.set(`${table}:${key}`, missing);
    if (this.#missed.size >= MOST_AT_ONCE) throw missing;
    for (const onMiss of this.#listeners) onMiss();
  }

  get any(): boolean {
    return this.#missed.size > 0;
  }

  /** Everything as one; undefined: nothing was missed. */
  get all(): MissingRow | undefined {
    const [first, ...others] = this.#missed.values();
    return first?.with(others);
  }
}
