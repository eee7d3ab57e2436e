/** What all commands have in common that speak to a node that is running. */

import type { Command } from 'commander';
import { RemoteError } from './node-client.js';
import { runWords } from './run-words.js';
import type { Speaker } from './speaker.js';

/** What {@link forANode} adds. */
export interface NodeOptions {
  readonly url?: string;
  readonly json?: boolean;
}

/** The options that say which node, and in which form its answer is shown. */
export function forANode(command: Command): Command {
  return command
    .option('--url <url>', 'HTTP URL of the node (default: SUNUP_URL, or the port SUNUP_HTTP_PORT, or 9090)')
    .option('--json', 'print the answer as JSON');
}

/** Reads the words, does what they say, and says what went wrong. @returns the exit code */
export function run(command: Command, words: readonly string[], say: Speaker): Promise<number> {
  return runWords(command, words, (error) => {
    if (!(error instanceof RemoteError)) return undefined;
    say.err(`error: ${error.message}\n`);
    return error.exitCode;
  });
}
