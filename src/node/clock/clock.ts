/**
 * The chain's "now". A virtual clock stands still between blocks, so that equal calls give equal block ids. A shifted
 * clock follows an injected wall clock with an offset, and can be stopped or accelerated. The chain's time never
 * decreases by itself: if the wall clock is set back, the chain's continues.
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

/** @throws ParametersError for an impossible time */
export function requireMoment(timeMs: bigint): void {
  if (timeMs >= 0n && timeMs <= LAST_MOMENT_MS) return;
  throw new ParametersError(`a time must be from 0 to ${LAST_MOMENT_MS} ms, got ${timeMs} ms`);
}

export interface Clock {
  /** Whether it advances by itself. */
  readonly runs: boolean;
  /** Its rate, where 1 is real time; 0: it stands still. */
  readonly rate: number;
  nowMs(): bigint;
  /** Offset: how far time was moved. For a running clock, its distance from the wall clock. */
  offsetMs(): bigint;
  /** Advances it at least to this time. */
  moveTo(timeMs: bigint): void;
  /** Sets it, also to an earlier time. */
  setTo(timeMs: bigint): void;
  /** @throws RangeError if there is no wall clock */
  setRate(rate: number): void;
  /**
   * A block was made ahead of now. A clock that stands still follows; a running one catches up if blocks may be close
   * together, or every mined block would push the chain further into the future.
   */
  overtaken(timeMs: bigint): void;
  /** The time without any offset. */
  startOver(): void;
  /** A value for `restore`: snapshots include the time. */
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
  /** It showed `timeMs` when the corrected wall clock showed `sinceMs`. */
  #timeMs: bigint;
  #sinceMs: bigint;
  #rate = 1;
  /** How far the wall clock was set back. A revert to a snapshot keeps it. */
  #setBackMs = 0n;
  #lastWallMs: bigint;

  /**
   * @param onSetBack called when the wall clock went back between two reads
   * @param goesAlong with blocks that are ahead of it. For chains with one second between blocks: their head can be
   * far ahead, and a client that sleeps ten seconds would otherwise see no time pass
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

  /** The wall clock was set forward: this compensates an earlier setting back. */
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

  /** The wall clock as if never set back. */
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

/** A running clock gets the dumped offset; a stopped one gets the dumped time. */
export function restoreDumped(clock: Clock, { nowMs, offsetMs }: DumpedClock): void {
  clock.startOver();
  if (!clock.runs) clock.setTo(BigInt(nowMs));
  else if (offsetMs !== undefined) clock.setTo(clock.nowMs() + BigInt(offsetMs));
}
