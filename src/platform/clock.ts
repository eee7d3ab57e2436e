/** The machine's time, handed to a chain that keeps pace with the wall clock. A virtual clock is in `node/clock/clock.ts`. */

export interface WallClock {
  /** Milliseconds since 1970, UTC. May be set forward and back by whoever owns the machine. */
  nowMs(): bigint;
  /** Runs `task` once when so much time has passed, whatever `nowMs` says meanwhile. The result takes it back. */
  after(delayMs: number, task: () => void): () => void;
}

/** A task that is waiting keeps the process alive. */
export const wallClock: WallClock = {
  nowMs: () => BigInt(Date.now()),
  after(delayMs, task) {
    const timer = setTimeout(task, delayMs);
    return () => clearTimeout(timer);
  },
};
