/**
 * Rows that a state does not know yet but can get: a fork asks its remote for them (design.md section 15).
 *
 * Execution is synchronous, so a read that would have to wait throws a `MissingRow` instead. It passes through everything
 * that undoes to a mark, and whoever answers a caller awaits the row and runs the work again from its beginning
 * (`node/with-rows.ts`).
 */

import type { Slot, WantedRow } from './fork/remote-rows.js';

/** Thrown by a source of rows. Like the machine's exceptions no `Error`: it is control flow. */
export class MissingRow {
  readonly #wanted: WantedRow;
  readonly #obtain: (wanted: WantedRow) => Promise<void>;

  constructor(wanted: WantedRow, obtain: (wanted: WantedRow) => Promise<void>) {
    this.#wanted = wanted;
    this.#obtain = obtain;
  }

  /** The same where the key of the row says nothing to anybody else. */
  of(slot: Slot): MissingRow {
    return new MissingRow({ ...this.#wanted, slot }, this.#obtain);
  }

  /** Gets the row, so that the next read finds it. Fails where it cannot be had. */
  obtain(): Promise<void> {
    return this.#obtain(this.#wanted);
  }
}
