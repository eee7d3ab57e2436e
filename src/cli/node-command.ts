/** The common part of all commands for a running node. */

import type { Command } from 'commander';
import { RemoteError } from './node-client.js';
import { runArguments } from './run-arguments.js';
import type { Terminal } from './terminal.js';

/** The options that {@link withNodeOptions} adds. */
export interface NodeOptions {
  readonly url?: string;
  readonly json?: boolean;
}

/** Adds the options for the node's address and the format of the answer. */
export function withNodeOptions(command: Command): Command {
  return command
    .option('--url <url>', 'HTTP URL of the node (default: SUNUP_URL, or the port SUNUP_HTTP_PORT, or 9090)')
    .option('--json', 'print the answer as JSON');
}

/** Parses the arguments, runs the command, and reports errors. @returns the exit code */
export function run(command: Command, words: readonly string[], terminal: Terminal): Promise<number> {
  return runArguments(command, words, (error) => {
    if (!(error instanceof RemoteError)) return undefined;
    terminal.err(`error: ${error.message}\n`);
    return error.exitCode;
  });
}
