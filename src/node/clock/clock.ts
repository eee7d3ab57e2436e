/**
 * What time the chain takes for "now". A virtual clock stands still between blocks, so that the same calls give the
 * same block ids; a shifted one follows a wall clock that is handed in from above, ahead of it or behind it by as much as
 * time was moved, and may be halted or made to go faster.
 *
 * The chain's time does not go back by itself: where the wall clock is set back, the chain's goes on from where it was.
 */

import { ParametersError } from '../../errors/operation-error.js';
import { LAST_MOMENT_MS } from '../../primitives/moment.js';

/** A clock as snapshots hold it. */
export interface SavedClock {
  readonly timeMs: bigint;
  /** Of a shifted clock: the wall's time at which it showed `timeMs`. */
  readonly sinceMs: bigint;
  readonly movedMs: bigint;
  readonly rate: number;
}

/** A clock as dumps hold it, for another process, another day, and perhaps a clock of the other kind. */
export interface DumpedClock {
  /** Decimal. */
  readonly nowMs: string;
  /** Of a clock that ran, decimal. */
  readonly offsetMs?: string;
}

/** @throws ParametersError for a time that no chain can have */
export function requireMoment(timeMs: bigint): void {
  if (timeMs >= 0n && timeMs <= LAST_MOMENT_MS) return;
  throw new ParametersError(`a time must be from 0 to ${LAST_MOMENT_MS} ms, got ${timeMs} ms`);
}

export interface Clock {
  /** Whether it goes on by itself. */
  readonly runs: boolean;
  /** How fast it goes, 1 being the wall's pace; 0: it stands still. */
  readonly rate: number;
  nowMs(): bigint;
  /** By how much time was moved from outside: of a clock that runs, its distance from the wall's time. */
  offsetMs(): bigint;
  /** Makes it at least this late: time is let pass. */
  moveTo(timeMs: bigint): void;
  /** Sets it, also to an earlier time. */
  setTo(timeMs: bigint): void;
  /** @throws RangeError where there is no wall clock to follow */
  setRate(rate: number): void;
  /**
   * A block was made ahead of now. A clock that stands still goes along; one that runs gets there by itself where blocks
   * may be close to each other, or every block that is mined would push the chain further into the future.
   */
  overtaken(timeMs: bigint): void;
  /** Time as it was before anything moved it. */
  startOver(): void;
  /** A value for `restore`: snapshots hold time as they hold everything else. */
  save(): SavedClock;
  restore(saved: SavedClock): void;
}

export class VirtualClock implements Clock {
  readonly runs = false;
  readonly rate = 0;
  #nowMs: bigint;
  #movedMs = 0n;

  constructor(private readonly startMs: bigint) {
    this.#nowMs = startMs;
  }

  nowMs(): bigint {
    return this.#nowMs;
  }

  offsetMs(): bigint {
    return this.#movedMs;
  }

  moveTo(timeMs: bigint): void {
    if (timeMs > this.#nowMs) this.setTo(timeMs);
  }

  setTo(timeMs: bigint): void {
    this.#movedMs += timeMs - this.#nowMs;
    this.#nowMs = timeMs;
  }

  setRate(rate: number): void {
    if (rate !== 0) throw new RangeError('a virtual clock stands still between blocks and cannot follow another clock');
  }

  overtaken(timeMs: bigint): void {
    if (timeMs > this.#nowMs) this.#nowMs = timeMs;
  }

  save(): SavedClock {
    return { timeMs: this.#nowMs, sinceMs: 0n, movedMs: this.#movedMs, rate: 0 };
  }

  restore({ timeMs, movedMs }: SavedClock): void {
    this.#nowMs = timeMs;
    this.#movedMs = movedMs;
  }

  startOver(): void {
    this.#nowMs = this.startMs;
    this.#movedMs = 0n;
  }
}

export class ShiftedClock implements Clock {
  /** It showed `timeMs` when the wall, less what that was set back, showed `sinceMs`. */
  #timeMs: bigint;
  #sinceMs: bigint;
  #rate = 1;
  /** By how much the wall clock was set back. It stays when a snapshot takes moved time back. */
  #setBackMs = 0n;
  #lastWallMs: bigint;

  /**
   * @param onSetBack told by how much the wall clock went back between two looks at it
   * @param goesAlong with blocks that are made ahead of it. For chains whose blocks are a second apart however fast they
   *   are made: their head soon is far ahead, and to who then sleeps ten seconds no time would have passed
   */
  constructor(
    private readonly wall: { nowMs(): bigint },
    private readonly onSetBack: (byMs: bigint) => void = () => {},
    private readonly goesAlong = false,
  ) {
    this.#lastWallMs = wall.nowMs();
    this.#timeMs = this.#lastWallMs;
    this.#sinceMs = this.#lastWallMs;
  }

  get runs(): boolean {
    return this.#rate > 0;
  }

  get rate(): number {
    return this.#rate;
  }

  nowMs(): bigint {
    const elapsedMs = this.#steadyWallMs() - this.#sinceMs;
    return this.#timeMs + (this.#rate === 1 ? elapsedMs : BigInt(Math.floor(Number(elapsedMs) * this.#rate)));
  }

  offsetMs(): bigint {
    return this.nowMs() - this.#steadyWallMs();
  }

  /** The wall clock was found to be set forward: what it was set back before is made good, as far as it goes. */
  setForward(byMs: bigint): void {
    this.#setBackMs -= byMs < this.#setBackMs ? byMs : this.#setBackMs;
  }

  moveTo(timeMs: bigint): void {
    if (timeMs > this.nowMs()) this.setTo(timeMs);
  }

  setTo(timeMs: bigint): void {
    this.#timeMs = timeMs;
    this.#sinceMs = this.#steadyWallMs();
  }

  setRate(rate: number): void {
    this.setTo(this.nowMs());
    this.#rate = rate;
  }

  overtaken(timeMs: bigint): void {
    if (!this.runs || this.goesAlong) this.moveTo(timeMs);
  }

  save(): SavedClock {
    return { timeMs: this.#timeMs, sinceMs: this.#sinceMs, movedMs: 0n, rate: this.#rate };
  }

  restore({ timeMs, sinceMs, rate }: SavedClock): void {
    this.#timeMs = timeMs;
    this.#sinceMs = sinceMs;
    this.#rate = rate;
  }

  /** The wall's time as if it had never been set back. */
  #steadyWallMs(): bigint {
    const wallMs = this.wall.nowMs();
    const backMs = this.#lastWallMs - wallMs;
    this.#lastWallMs = wallMs;
    if (backMs > 0n) {
      this.#setBackMs += backMs;
      this.onSetBack(backMs);
    }
    return wallMs + this.#setBackMs;
  }

  startOver(): void {
    this.#rate = 1;
    this.setTo(this.#steadyWallMs());
  }
}

export function dumpedClock(clock: Clock): DumpedClock {
  const nowMs = String(clock.nowMs());
  return clock.runs ? { nowMs, offsetMs: String(clock.offsetMs()) } : { nowMs };
}

/** A clock that runs is as far from the wall's time as the dumped one was; one that stands still shows what that showed. */
export function restoreDumped(clock: Clock, { nowMs, offsetMs }: DumpedClock): void {
  clock.startOver();
  if (!clock.runs) clock.setTo(BigInt(nowMs));
  else if (offsetMs !== undefined) clock.setTo(clock.nowMs() + BigInt(offsetMs));
}
