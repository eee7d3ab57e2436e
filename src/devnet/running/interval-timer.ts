/** The timer of an interval chain: its blocks are made when the wall clock has reached their time. */

import { ParametersError } from '../../errors/operation-error.js';
import { ShiftedClock } from '../../node/clock/clock.js';
import type { Node } from '../../node/node.js';
import { NoRoomError } from '../../node/storage/commits.js';
import { timeSpanText } from '../../options/time-span.js';
import type { WallClock } from '../../platform/clock.js';
import type { Log } from '../../platform/log.js';
import { MissingRow } from '../../state/missing-row.js';

/** The wall clock may be set while a timer waits, so no wait is longer than this. */
const LONGEST_WAIT_MS = 3_000;
/** A timer that is so late was not held up by work: the machine slept, or its clock was set. */
const GAP_MS = 10_000;

export class IntervalTimer {
  #cancel: (() => void) | undefined;
  #hasWarned = false;

  /** @param wall Undefined: time is virtual, and nothing is ever due. */
  constructor(
    private readonly node: Node,
    private readonly wall: WallClock | undefined,
    private readonly log: Log | undefined,
    private readonly failed: (failure: Error) => void,
  ) {}

  /** Waits for the next block's time as it is now; to be called when head, time or mode were changed from outside. */
  schedule(): void {
    this.stop();
    const { node, wall } = this;
    const { clock, producer } = node;
    if (wall === undefined || producer.mode !== 'interval' || !(clock instanceof ShiftedClock)) return;
    // A halted clock comes to no time.
    if (!clock.runs) return;
    try {
      const untilMs = Number(producer.nextBlockTimeMs() - clock.nowMs()) / clock.rate;
      this.#lookAfter(Math.min(Math.max(untilMs, 0), LONGEST_WAIT_MS), wall, clock);
    } catch (error) {
      // Whose turn it is depends on who signs for the witness, which a fork may have to ask for.
      if (!(error instanceof MissingRow)) throw error;
      this.#awaitRow(error, wall, clock);
    }
  }

  #lookAfter(waitMs: number, wall: WallClock, clock: ShiftedClock): void {
    const { node } = this;
    const dueMs = Number(wall.nowMs()) + waitMs;
    this.#cancel = wall.after(waitMs, () => {
      const lateMs = Number(wall.nowMs()) - dueMs;
      if (lateMs > GAP_MS) this.#overslept(clock, lateMs);
      try {
        if (!node.mining.busy) node.producer.mineDue();
        this.#hasWarned = false;
        this.schedule();
      } catch (error) {
        if (error instanceof MissingRow) return this.#awaitRow(error, wall, clock);
        // Nobody asked for this block, so nobody is there to catch what stands in its way.
        if (error instanceof ParametersError) this.#warn(`no block at its regular time: ${error.message}`);
        else if (!(error instanceof NoRoomError)) return this.failed(error as Error);
        // What stands in its way may be gone by then.
        this.#lookAfter(LONGEST_WAIT_MS, wall, clock);
      }
    });
  }

  /** The block comes when a row of its is there. While its remote does not answer there is none. */
  #awaitRow(missing: MissingRow, wall: WallClock, clock: ShiftedClock): void {
    let stopped = false;
    this.#cancel = () => {
      stopped = true;
    };
    missing.obtain().then(
      () => stopped || this.#lookAfter(0, wall, clock),
      (error: Error) => {
        if (stopped) return;
        this.#warn(`no block at its regular time: ${error.message}`);
        this.#lookAfter(LONGEST_WAIT_MS, wall, clock);
      },
    );
  }

  stop(): void {
    this.#cancel?.();
  }

  /** Once, however often the timer comes to it. */
  #warn(text: string): void {
    if (!this.#hasWarned) this.log?.warn(text);
    this.#hasWarned = true;
  }

  #overslept(clock: ShiftedClock, byMs: number): void {
    clock.setForward(BigInt(byMs));
    this.log?.warn(
      `the node did not run for ${timeSpanText(byMs)}: the machine slept or was busy, or its clock was set forward. The chain continues at the current time`,
    );
  }
}
