/** Shows the progress of long work. */

import type { Terminal } from './terminal.js';

const BAR_WIDTH = 30;
const SHORTEST_SHOWN_MS = 2_000;

/** One line that is overwritten, on terminals only. */
export function progressBar(terminal: Terminal) {
  const isTerminal = process.stderr.isTTY === true;
  const clear = (): void => {
    if (isTerminal) terminal.overwrite(' '.repeat(BAR_WIDTH + 32));
    if (isTerminal) terminal.overwrite('');
  };
  return {
    show: async (what: string, done: number, total: number): Promise<void> => {
      if (isTerminal) {
        const share = total === 0 ? 1 : Math.min(1, done / total);
        const filled = Math.round(share * BAR_WIDTH);
        const bar = `${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}`;
        terminal.overwrite(`${what.padEnd(22)} [${bar}] ${String(Math.floor(share * 100)).padStart(3)} %`);
      }
      // Lets signals be handled meanwhile.
      await new Promise((resolve) => setImmediate(resolve));
    },
    /** The number of answers of a fork's network, whose total is unknown. */
    network: {
      onAnswer: (answers: number): void => {
        if (isTerminal) terminal.overwrite(`answers from the network: ${String(answers).padEnd(BAR_WIDTH + 8)}`);
      },
      /** A line that is not overwritten. */
      onBackoff: (forMs: number): void => {
        if (forMs < SHORTEST_SHOWN_MS) return;
        clear();
        const seconds = Math.ceil(forMs / 1000);
        terminal.err(`The network limits the request rate. Sunup continues in ${seconds} s, at a lower rate.\n`);
      },
    },
    clear,
  };
}
