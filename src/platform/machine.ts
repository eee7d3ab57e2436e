/** What a devnet takes from the machine that it runs on: real time, randomness, other nodes, ports. Files: `ChainFolder`. */

import { type WallClock, wallClock } from './clock.js';
import { type Listen, listenOnTcp } from './listen.js';
import { type Random, systemRandom } from './random.js';

export interface MachineClock extends WallClock {
  /** As `after`, for a task that need not keep the process alive. */
  inBackground(delayMs: number, task: () => void): () => void;
}

export interface Machine {
  /** Also for timers of a devnet whose chain has virtual time. */
  readonly clock: MachineClock;
  readonly random: Random;
  /** Requests to the network of a fork. */
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Ports of gRPC. */
  readonly listen: Listen;
}

export const thisMachine: Machine = {
  clock: {
    ...wallClock,
    inBackground(delayMs, task) {
      const timer = setTimeout(task, delayMs).unref();
      return () => clearTimeout(timer);
    },
  },
  random: systemRandom,
  fetch: (url, init) => fetch(url, init),
  listen: listenOnTcp,
};

/** Does a task again and again, each time so long after the last one. @returns ends it, also from within the task */
export function repeatedly(clock: Pick<MachineClock, 'inBackground'>, everyMs: number, task: () => void): () => void {
  let isEnded = false;
  let cancel = () => {};
  const next = () => {
    if (isEnded) return;
    cancel = clock.inBackground(everyMs, () => {
      task();
      next();
    });
  };
  next();
  return () => {
    isEnded = true;
    cancel();
  };
}
