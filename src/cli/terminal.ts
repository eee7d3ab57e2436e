/** The output of a command: standard output and standard error, or a recorder in tests. */

import { printable, printableLine } from '../primitives/printable.js';

export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  /** Overwrites the current line of standard error with a progress line. */
  overwrite(line: string): void;
}

/** Standard output and standard error. Control characters in texts of others are escaped; `output.ts` adds colours. */
export const standardTerminal: Terminal = {
  out: (text) => void process.stdout.write(printable(text)),
  err: (text) => void process.stderr.write(printable(text)),
  overwrite: (line) => void process.stderr.write(`\r${printableLine(line)}`),
};
