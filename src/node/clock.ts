/**
 * What time the chain takes for "now". A virtual clock stands still between blocks, so that the same calls give the
 * same block ids; a shifted one follows a wall clock that is handed in from above, and runs ahead of it by as much as
 * time was moved.
 *
 * Either way now is never before the head: a block that is mined ahead of the clock takes the clock along.
 */

export interface Clock {
  nowMs(): bigint;
  /** Makes it at least this late. */
  moveTo(timeMs: bigint): void;
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
