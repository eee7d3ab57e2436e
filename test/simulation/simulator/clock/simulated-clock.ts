/**
 * Time of a simulated machine. Timers follow the time that passes; what a node reads as the time of day can also jump, as
 * a machine's does when somebody sets it. Time passes only when the simulator says so.
 */

import type { MachineClock } from '../../../../src/platform/machine.js';

interface Timer {
  readonly dueMs: number;
  readonly order: number;
  readonly task: () => void;
}

export interface ProcessClock extends MachineClock {
  /** Of each that waits, after how many milliseconds it was to be due. */
  timers(): readonly number[];
}

export class SimulatedClock {
  #passedMs = 0;
  #jumpedMs = 0;
  #rate = 1;
  #rateSinceMs = 0;
  #order = 0;
  #timers: Timer[] = [];

  constructor(private readonly startMs: number) {}

  /** Time since the start, without jumps. */
  get passedMs(): number {
    return this.#passedMs;
  }

  get timeOfDayMs(): number {
    const driftMs = (this.#passedMs - this.#rateSinceMs) * (this.#rate - 1);
    return this.startMs + this.#passedMs + this.#jumpedMs + driftMs;
  }

  /** Milliseconds of the time of day in one of the machine's. */
  get rate(): number {
    return this.#rate;
  }

  /** Somebody sets the machine's clock. */
  jump(byMs: number): void {
    this.#jumpedMs += byMs;
  }

  /** The time of day goes faster or slower from now on. */
  drift(rate: number): void {
    this.#jumpedMs += (this.#passedMs - this.#rateSinceMs) * (this.#rate - 1);
    this.#rateSinceMs = this.#passedMs;
    this.#rate = rate;
  }

  /** The machine sleeps, or the process is held up: what was due meanwhile comes late. */
  holdUp(ms: number): void {
    this.#passedMs += ms;
  }

  after(delayMs: number, task: () => void): () => void {
    const timer = { dueMs: this.#passedMs + Math.max(1, delayMs), order: this.#order++, task };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** Undefined: nothing waits. */
  get nextDueMs(): number | undefined {
    return this.#next()?.dueMs;
  }

  /** Lets time pass up to the next timer, at most to `untilMs`, and runs it. @returns whether one was due */
  passToNext(untilMs: number): boolean {
    const next = this.#next();
    if (next === undefined || next.dueMs > untilMs) {
      this.#passedMs = Math.max(this.#passedMs, untilMs);
      return false;
    }
    this.#timers = this.#timers.filter((timer) => timer !== next);
    this.#passedMs = Math.max(this.#passedMs, next.dueMs);
    next.task();
    return true;
  }

  /** As a process has it: its timers end with it. */
  forProcess(isAlive: () => boolean): ProcessClock {
    const waiting = new Map<object, number>();
    const after = (delayMs: number, task: () => void) => {
      const timer = {};
      waiting.set(timer, delayMs);
      const cancel = this.after(delayMs, () => {
        waiting.delete(timer);
        if (isAlive()) task();
      });
      return () => {
        waiting.delete(timer);
        cancel();
      };
    };
    const nowMs = () => BigInt(Math.floor(this.timeOfDayMs));
    return { nowMs, after, inBackground: after, timers: () => [...waiting.values()] };
  }

  #next(): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.#timers)
      if (
        first === undefined ||
        timer.dueMs < first.dueMs ||
        (timer.dueMs === first.dueMs && timer.order < first.order)
      )
        first = timer;
    return first;
  }
}
