/** What a command says, for tests. */

import type { Terminal } from '../../../src/cli/terminal.js';

export interface Said {
  /** What it ended with: of a command its exit code. */
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** @example const { code, out } = await said((say) => runRemote(['explain', txid], say)); */
export async function said(run: (say: Terminal) => number | Promise<number>): Promise<Said> {
  const heard = { out: '', err: '' };
  const code = await run({
    out: (text) => {
      heard.out += text;
    },
    err: (text) => {
      heard.err += text;
    },
    overwrite: (line) => {
      heard.err += `\r${line}`;
    },
  });
  return { code, ...heard };
}
