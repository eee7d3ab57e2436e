/** The timer of an interval chain: makes a block when the wall clock has reached its time. */

import { ParametersError } from '../../errors/operation-error.js';
import { ShiftedClock } from '../../node/clock/clock.js';
import type { Node } from '../../node/node.js';
import { NoRoomError } from '../../node/storage/commits.js';
import { UnreadableStoreError } from '../../node/storage/level-store.js';
import { timeSpanText } from '../../options/time-span.js';
import type { WallClock } from '../../platform/clock.js';
import type { Log } from '../../platform/log.js';
import { MissingRow } from '../../state/missing-row.js';

/** The wall clock can be set during a wait, so waits are short. */
const LONGEST_WAIT_MS = 3_000;
/** A larger delay is not caused by work: the machine slept, or its clock was set. */
const GAP_MS = 10_000;

export class IntervalTimer {
  #cancel: (() => void) | undefined;
  #hasWarned = false;

  /** @param wall Undefined: the clock is virtual, and no block is ever due. */
  constructor(
    private readonly node: Node,
    private readonly wall: WallClock | undefined,
    private readonly log: Log | undefined,
    private readonly failed: (failure: Error) => void,
  ) {}

  /** Waits for the next block's time. Call it after a change of head, time or mode from outside. */
  schedule(): void {
    this.stop();
    const { node, wall } = this;
    const { clock, producer } = node;
    if (wall === undefined || producer.mode !== 'interval' || !(clock instanceof ShiftedClock)) return;
    // A stopped clock does not reach the time.
    if (!clock.runs) return;
    try {
      const untilMs = Number(producer.nextBlockTimeMs() - clock.nowMs()) / clock.rate;
      this.#mineAfter(Math.min(Math.max(untilMs, 0), LONGEST_WAIT_MS), wall, clock);
    } catch (error) {
      if (!this.#goesOnLater(error, wall, clock)) throw error;
    }
  }

  #mineAfter(waitMs: number, wall: WallClock, clock: ShiftedClock): void {
    const { node } = this;
    const dueMs = Number(wall.nowMs()) + waitMs;
    this.#cancel = wall.after(waitMs, () => {
      const lateMs = Number(wall.nowMs()) - dueMs;
      if (lateMs > GAP_MS) this.#reportSleep(clock, lateMs);
      try {
        if (!node.mining.busy) node.producer.mineDue();
        this.#hasWarned = false;
        this.schedule();
      } catch (error) {
        // No request is waiting for this block, so nothing else catches its errors.
        if (!this.#goesOnLater(error, wall, clock)) this.failed(error as Error);
      }
    });
  }

  /** @returns whether the cause of an error may go away; then the timer goes on */
  #goesOnLater(error: unknown, wall: WallClock, clock: ShiftedClock): boolean {
    if (error instanceof MissingRow) {
      // Such as the producer's permission, on a fork.
      this.#awaitRow(error, wall, clock);
      return true;
    }
    if (error instanceof ParametersError) this.#warn(`no block at its regular time: ${error.message}`);
    else if (!(error instanceof NoRoomError || error instanceof UnreadableStoreError)) return false;
    this.#mineAfter(LONGEST_WAIT_MS, wall, clock);
    return true;
  }

  /** Makes the block when its row is fetched. Without the network there are no blocks. */
  #awaitRow(missing: MissingRow, wall: WallClock, clock: ShiftedClock): void {
    let stopped = false;
    this.#cancel = () => {
      stopped = true;
    };
    missing.obtain().then(
      () => stopped || this.#mineAfter(0, wall, clock),
      (error: Error) => {
        if (stopped) return;
        this.#warn(`no block at its regular time: ${error.message}`);
        this.#mineAfter(LONGEST_WAIT_MS, wall, clock);
      },
    );
  }

  stop(): void {
    this.#cancel?.();
  }

  /** Warns once for each cause. */
  #warn(text: string): void {
    if (!this.#hasWarned) this.log?.warn(text);
    this.#hasWarned = true;
  }

  #reportSleep(clock: ShiftedClock, byMs: number): void {
    clock.setForward(BigInt(byMs));
    this.log?.warn(
      `the node did not run for ${timeSpanText(byMs)}: the machine slept or was busy, or its clock was set forward. The chain continues at the current time`,
    );
  }
}
