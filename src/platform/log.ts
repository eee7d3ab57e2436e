/** Log lines that answer no request: a transaction dropped from the pool, a listener that threw. */

import { printable } from '../primitives/printable.js';

export interface Log {
  warn(message: string): void;
  error(message: string, cause: unknown): void;
}

/** Standard error, so that standard output stays machine-readable. */
export const stderrLog: Log = {
  warn: (message) => {
    process.stderr.write(`${printable(message)}\n`);
  },
  error: (message, cause) => {
    const why = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
    process.stderr.write(`${printable(`${message}: ${why}`)}\n`);
  },
};
