/** Work that a signal can end after its results are saved. */

import { constants } from 'node:os';

export const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** @param saveResults saves the results before the process ends; a second signal ends it at once */
export async function interruptible<Result>(
  saveResults: () => void | Promise<void>,
  work: () => Promise<Result>,
): Promise<Result> {
  let isEnding = false;
  const end = async (signal: NodeJS.Signals) => {
    const exitCode = 128 + constants.signals[signal];
    if (isEnding) process.exit(exitCode);
    isEnding = true;
    try {
      await saveResults();
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
