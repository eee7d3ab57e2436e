/**
 * Turns at a fork's network. Any caller can cause requests, and one call needs up to 4,096 rows. So callers take
 * turns, small requests do not wait for large ones, and the queue is bounded. Block production does not wait for
 * turns.
 */

import pLimit from 'p-limit';
import { OperationError } from '../../errors/operation-error.js';
import type { WantedRow } from '../remote-rows.js';

/** The batch size of a node's JSON-RPC. */
const LITTLE = 98;
/** Number of concurrent callers: a request of block production waits behind those of all of them. */
const LITTLE_AT_ONCE = 4;
const MUCH_AT_ONCE = 2;
/** Maximum queued rows or blocks for each kind of caller: about 50 MB of names. */
const MAX_WAITING = 100_000;
/** Some minutes at fifteen requests a second. A disconnected caller also counts. */
const MAX_CALLERS = 2_000;

/** Time limit of a caller for rows of the network. */
export interface CallerDeadline {
  /** @returns the result of `work` @throws Error with the rows and the network at the time limit; the work continues */
  within<Result>(wanted: WaitTarget, work: Promise<Result>): Promise<Result>;
}

/** What a caller waits for: rows, or something else in words. */
export type WaitTarget = readonly WantedRow[] | string;

export class Turns {
  readonly #little = new Lane(LITTLE_AT_ONCE);
  readonly #much = new Lane(MUCH_AT_ONCE);

  /** @param deadline absent: wait until there is an answer */
  constructor(private readonly deadline?: CallerDeadline) {}

  /**
   * @param size number of wanted rows or blocks
   * @throws OperationError if the queue is full; as the deadline
   */
  async take<Result>(wanted: WaitTarget, size: number, ask: () => Promise<Result>): Promise<Result> {
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

  /** The same without a turn. */
  inTime<Result>(wanted: WaitTarget, work: Promise<Result>): Promise<Result> {
    return this.deadline?.within(wanted, work) ?? work;
  }
}

/** Disconnected callers cause no requests. */
const GONE = new Error('the request was cancelled');

class Lane {
  readonly #limit;
  #waiting = 0;

  constructor(atOnce: number) {
    this.#limit = pLimit(atOnce);
  }

  async take<Result>(size: number, ask: () => Promise<Result>): Promise<Result> {
    const isFull = this.#limit.pendingCount >= MAX_CALLERS || this.#waiting + size > MAX_WAITING;
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
