/**
 * The timestamps of transactions that the node builds for its clients. java-tron takes the wall clock, which has moved on
 * when the next one is asked for; a clock that stands still between blocks would give two equal requests one id, and the
 * second broadcast would be refused as the first again.
 *
 * So each is at least a millisecond after the one before. It begins anew with every block, whose time and reference tell
 * its transactions from those of the block before: what a client gets depends on the chain and on what was built since.
 */

import type { BlockId } from '../../primitives/ids.js';

export interface BuildTime {
  readonly head: BlockId;
  readonly lastMs: bigint;
}

export class BuildTimes {
  #last: BuildTime | undefined;

  /** The timestamp of a transaction built now, above the block `head`. */
  next(head: BlockId, nowMs: bigint): bigint {
    const last = this.#last;
    const lastMs = last?.head === head && last.lastMs >= nowMs ? last.lastMs + 1n : nowMs;
    this.#last = { head, lastMs };
    return lastMs;
  }

  /** A value for `restore`: a snapshot's builders go on from where they were. */
  save(): BuildTime | undefined {
    return this.#last;
  }

  restore(saved: BuildTime | undefined): void {
    this.#last = saved;
  }
}
