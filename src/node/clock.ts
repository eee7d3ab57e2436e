/**
 * What time the chain takes for "now". It comes from outside: the command hands in the wall clock, the library a
 * virtual one, so that the same calls give the same block ids.
 */

export interface Clock {
  nowMs(): bigint;
}

/** Stands still until it is told to move; a chain with this clock moves it to the time of each block it makes. */
export class VirtualClock implements Clock {
  #nowMs: bigint;

  constructor(startMs: bigint) {
    this.#nowMs = startMs;
  }

  nowMs(): bigint {
    return this.#nowMs;
  }

  /** Never back: a block may come later than the clock said, not earlier. */
  moveTo(timeMs: bigint): void {
    if (timeMs > this.#nowMs) this.#nowMs = timeMs;
  }

  /** For snapshots, which restore time as everything else. */
  reset(timeMs: bigint): void {
    this.#nowMs = timeMs;
  }
}
