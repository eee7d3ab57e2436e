/**
 * What time the chain takes for "now". A virtual clock stands still between blocks, so that the same calls give the
 * same block ids; a shifted one follows a wall clock that is handed in from above, and runs ahead of it by as much as
 * time was moved.
 *
 * The chain's time never goes back: where the wall clock is set back, the chain's goes on from where it was.
 */

export interface Clock {
  /** Whether it goes on by itself. */
  readonly runs: boolean;
  nowMs(): bigint;
  /** Makes it at least this late: time is let pass. */
  moveTo(timeMs: bigint): void;
  /**
   * A block was made ahead of now. A virtual clock goes along; a shifted one gets there by itself, or every block that
   * is mined would push the chain further into the future.
   */
  overtaken(timeMs: bigint): void;
  /** A value for `restore`: snapshots hold time as they hold everything else. */
  save(): bigint;
  restore(saved: bigint): void;
  /** Time as it was before anything moved it. */
  startOver(): void;
}

export class VirtualClock implements Clock {
  readonly runs = false;
  #nowMs: bigint;

  constructor(private readonly startMs: bigint) {
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

  startOver(): void {
    this.#nowMs = this.startMs;
  }
}

export class ShiftedClock implements Clock {
  readonly runs = true;
  /** By how much time was moved. */
  #offsetMs = 0n;
  /** By how much the wall clock was set back. It stays when a snapshot takes the offset back. */
  #setBackMs = 0n;
  #lastWallMs: bigint;

  /** @param onSetBack told by how much the wall clock went back between two looks at it */
  constructor(
    private readonly wall: { nowMs(): bigint },
    private readonly onSetBack: (byMs: bigint) => void = () => {},
  ) {
    this.#lastWallMs = wall.nowMs();
  }

  nowMs(): bigint {
    const wallMs = this.wall.nowMs();
    const backMs = this.#lastWallMs - wallMs;
    this.#lastWallMs = wallMs;
    if (backMs > 0n) {
      this.#setBackMs += backMs;
      this.onSetBack(backMs);
    }
    return wallMs + this.#setBackMs + this.#offsetMs;
  }

  /** The wall clock was found to be set forward: what it was set back before is made good, as far as it goes. */
  setForward(byMs: bigint): void {
    this.#setBackMs -= byMs < this.#setBackMs ? byMs : this.#setBackMs;
  }

  moveTo(timeMs: bigint): void {
    const behindMs = timeMs - this.nowMs();
    if (behindMs > 0n) this.#offsetMs += behindMs;
  }

  overtaken(): void {}

  save(): bigint {
    return this.#offsetMs;
  }

  restore(savedMs: bigint): void {
    this.#offsetMs = savedMs;
  }

  startOver(): void {
    this.#offsetMs = 0n;
  }
}
