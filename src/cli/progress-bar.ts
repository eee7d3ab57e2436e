/** How far long work has come, for a person who waits for it. */

import type { Speaker } from './speaker.js';

const BAR_WIDTH = 30;
const WORTH_A_WORD_MS = 2_000;

/** One line that is written over, where there is a terminal. */
export function progressBar(say: Speaker) {
  const isTerminal = process.stderr.isTTY === true;
  const clear = (): void => {
    if (isTerminal) say.over(' '.repeat(BAR_WIDTH + 32));
    if (isTerminal) say.over('');
  };
  return {
    show: async (what: string, done: number, total: number): Promise<void> => {
      if (isTerminal) {
        const share = total === 0 ? 1 : Math.min(1, done / total);
        const filled = Math.round(share * BAR_WIDTH);
        const bar = `${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}`;
        say.over(`${what.padEnd(22)} [${bar}] ${String(Math.floor(share * 100)).padStart(3)} %`);
      }
      // Whoever wants to stop it is heard in between.
      await new Promise((resolve) => setImmediate(resolve));
    },
    /** The same where nobody knows how much there will be: what the network of a fork has answered. */
    network: {
      onAnswer: (answers: number): void => {
        if (isTerminal) say.over(`answers from the network: ${String(answers).padEnd(BAR_WIDTH + 8)}`);
      },
      /** A line that stays. */
      onBackoff: (forMs: number): void => {
        if (forMs < WORTH_A_WORD_MS) return;
        clear();
        const seconds = Math.ceil(forMs / 1000);
        say.err(`The network limits the request rate. Sunup continues in ${seconds} s, at a lower rate.\n`);
      },
    },
    clear,
  };
}
