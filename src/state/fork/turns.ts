/**
 * Who may ask a fork's network at once. Anyone can make a fork ask, and one call wants up to 4,096 rows: so callers take
 * turns, who wants little does not wait for who wants much, and what waits is bounded. Blocks that are made take no turn.
 */

import pLimit from 'p-limit';
import { OperationError } from '../../errors/operation-error.js';
import type { WantedRow } from '../remote-rows.js';

/** What goes in one batch of a node's JSON-RPC. */
const LITTLE = 98;
/** So many callers at once: a question of a block that is made waits behind those of all of them. */
const LITTLE_AT_ONCE = 4;
const MUCH_AT_ONCE = 2;
/** Rows or blocks that are waited for, of each kind of caller: some 50 MB of names. */
const MOST_WAITING = 100_000;
/** Some minutes of a network that answers fifteen questions a second. A caller who has hung up is one, too. */
const MOST_CALLERS = 2_000;

/** Until when somebody waits for rows of the network. */
export interface CallerDeadline {
  /** @returns what `work` gives @throws Error that names the rows and the network where that takes too long; the work goes on */
  within<Result>(wanted: Wanted, work: Promise<Result>): Promise<Result>;
}

/** What somebody waits for: rows, or something else in words. */
export type Wanted = readonly WantedRow[] | string;

export class Turns {
  readonly #little = new Lane(LITTLE_AT_ONCE);
  readonly #much = new Lane(MUCH_AT_ONCE);

  /** @param deadline absent: who waits, waits until there is an answer */
  constructor(private readonly deadline?: CallerDeadline) {}

  /**
   * @param size how many rows or blocks are wanted
   * @throws OperationError where too much is waited for; as the deadline
   */
  async take<Result>(wanted: Wanted, size: number, ask: () => Promise<Result>): Promise<Result> {
    let hasLeft = false;
    const lane = size <= LITTLE ? this.#little : this.#much;
    try {
      return await this.inTime(
        wanted,
        lane.take(size, () => (hasLeft ? Promise.reject(GONE) : ask())),
      );
    } finally {
      hasLeft = true;
    }
  }

  /** The same without taking a turn. */
  inTime<Result>(wanted: Wanted, work: Promise<Result>): Promise<Result> {
    return this.deadline?.within(wanted, work) ?? work;
  }
}

/** Nobody is told: who has left is not asked for. */
const GONE = new Error('the request was cancelled');

class Lane {
  readonly #limit;
  #waiting = 0;

  constructor(atOnce: number) {
    this.#limit = pLimit(atOnce);
  }

  async take<Result>(size: number, ask: () => Promise<Result>): Promise<Result> {
    const isFull = this.#limit.pendingCount >= MOST_CALLERS || this.#waiting + size > MOST_WAITING;
    if (isFull && this.#waiting > 0)
      throw new OperationError(`the fork already waits for ${this.#waiting} rows of its network. Try again later`);
    this.#waiting += size;
    try {
      return await this.#limit(ask);
    } finally {
      this.#waiting -= size;
    }
  }
}
