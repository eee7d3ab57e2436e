/** Where a command says what it has to say: standard output and standard error, or what a test hands over. */

import { printable, printableLine } from '../primitives/printable.js';

export interface Speaker {
  out(text: string): void;
  err(text: string): void;
  /** A line of progress on standard error, in place of the one that stands there. */
  over(line: string): void;
}

/** Standard output and standard error, where nobody's text can steer the terminal. Colours are put in by `output.ts`. */
export const terminal: Speaker = {
  out: (text) => void process.stdout.write(printable(text)),
  err: (text) => void process.stderr.write(printable(text)),
  over: (line) => void process.stderr.write(`\r${printableLine(line)}`),
};
