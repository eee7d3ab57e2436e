/** The machine's time, for a chain that follows the wall clock. The virtual clock is in `node/clock/clock.ts`. */

export interface WallClock {
  /** Milliseconds since 1970, UTC. It can jump in both directions. */
  nowMs(): bigint;
  /** Runs `task` once after a time span, independent of jumps of `nowMs`. The result cancels it. */
  after(delayMs: number, task: () => void): () => void;
}

/** A waiting task keeps the process alive. */
export const wallClock: WallClock = {
  nowMs: () => BigInt(Date.now()),
  after(delayMs, task) {
    const timer = setTimeout(task, delayMs);
    return () => clearTimeout(timer);
  },
};
