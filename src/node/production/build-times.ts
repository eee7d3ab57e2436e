/**
 * Timestamps of transactions that the node builds. java-tron uses the wall clock, which advances between two requests.
 * With a clock that stands still, two equal requests would get the same id, and the second broadcast would be refused
 * as a duplicate. So each timestamp is at least a millisecond after the previous one. It restarts with every block,
 * because the block's time and reference distinguish transactions: results depend only on the chain and on the
 * transactions built since.
 */

import type { BlockId } from '../../primitives/ids.js';

export interface BuildTime {
  readonly head: BlockId;
  readonly lastMs: bigint;
}

export class BuildTimes {
  #last: BuildTime | undefined;

  /** The timestamp of a transaction that is built now, above block `head`. */
  next(head: BlockId, nowMs: bigint): bigint {
    const last = this.#last;
    const lastMs = last?.head === head && last.lastMs >= nowMs ? last.lastMs + 1n : nowMs;
    this.#last = { head, lastMs };
    return lastMs;
  }

  /** A value for `restore`: after a revert, timestamps continue from there. */
  save(): BuildTime | undefined {
    return this.#last;
  }

  restore(saved: BuildTime | undefined): void {
    this.#last = saved;
  }
}
