/** The machine's time, handed to a chain that keeps pace with the wall clock. A virtual clock is in `node/clock.ts`. */

export interface WallClock {
  /** Milliseconds since 1970, UTC. */
  nowMs(): bigint;
  /** Runs `task` once, when `nowMs()` has reached `timestampMs` and not before. The result takes it back. */
  at(timestampMs: bigint, task: () => void): () => void;
}

/** setTimeout counts in a signed 32-bit number and fires at once beyond it. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** A task that is waiting keeps the process alive. */
export const wallClock: WallClock = {
  nowMs: () => BigInt(Date.now()),
  at(timestampMs, task) {
    const due = Number(timestampMs);
    let timer: NodeJS.Timeout | undefined;
    const wait = () => {
      // A timer may fire a millisecond early against Date.now(): then it waits for the rest.
      const fire = () => (Date.now() < due ? wait() : task());
      timer = setTimeout(fire, Math.min(Math.max(due - Date.now(), 0), LONGEST_TIMER_MS));
    };
    wait();
    return () => clearTimeout(timer);
  },
};
