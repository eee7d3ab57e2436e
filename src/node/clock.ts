/**
 * What time the chain takes for "now". A virtual clock stands still between blocks, so that the same calls give the
 * same block ids; a shifted one follows a wall clock that is handed in from above, and runs ahead of it by as much as
 * time was moved.
 *
 * A block that is mined ahead of the clock takes the clock along; only a burst of instant blocks, a millisecond apart, may
 * be ahead of a wall clock for as long as it takes.
 */

export interface Clock {
  nowMs(): bigint;
  /** Makes it at least this late. */
  moveTo(timeMs: bigint): void;
  /**
   * A burst has made a block a little ahead of now. A virtual clock goes along; a shifted one gets there by itself, or
   * every burst would push the chain further into the future.
   */
  overtaken(timeMs: bigint): void;
  /** A value for `restore`: snapshots hold time as they hold everything else. */
  save(): bigint;
  restore(saved: bigint): void;
}

export class VirtualClock implements Clock {
  #nowMs: bigint;

  constructor(startMs: bigint) {
    this.#nowMs = startMs;
  }

  nowMs(): bigint {
    return this.#nowMs;
  }

  moveTo(timeMs: bigint): void {
    if (timeMs > this.#nowMs) this.#nowMs = timeMs;
  }

  overtaken(timeMs: bigint): void {
    this.moveTo(timeMs);
  }

  save(): bigint {
    return this.#nowMs;
  }

  restore(savedMs: bigint): void {
    this.#nowMs = savedMs;
  }
}

export class ShiftedClock implements Clock {
  #offsetMs = 0n;

  constructor(private readonly wall: { nowMs(): bigint }) {}

  nowMs(): bigint {
    return this.wall.nowMs() + this.#offsetMs;
  }

  moveTo(timeMs: bigint): void {
    const behindMs = timeMs - this.nowMs();
    if (behindMs > 0n) this.#offsetMs += behindMs;
  }

  overtaken(): void {}

  /** When the wall clock will show the chain time `timeMs`. */
  wallTimeMs(timeMs: bigint): bigint {
    return timeMs - this.#offsetMs;
  }

  save(): bigint {
    return this.#offsetMs;
  }

  restore(savedMs: bigint): void {
    this.#offsetMs = savedMs;
  }
}
