/** Work that a signal may end, when what it has come to has been put away. */

import { constants } from 'node:os';

export const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** @param putAway before a signal ends the process; whoever sends a second one does not want to wait for it */
export async function interruptible<Result>(
  putAway: () => void | Promise<void>,
  work: () => Promise<Result>,
): Promise<Result> {
  let isEnding = false;
  const end = async (signal: NodeJS.Signals) => {
    const exitCode = 128 + constants.signals[signal];
    if (isEnding) process.exit(exitCode);
    isEnding = true;
    try {
      await putAway();
    } finally {
      process.exit(exitCode);
    }
  };
  for (const signal of SIGNALS) process.on(signal, end);
  try {
    return await work();
  } finally {
    for (const signal of SIGNALS) process.off(signal, end);
  }
}
