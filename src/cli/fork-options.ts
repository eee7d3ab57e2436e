/** The options of a fork for commands that make one for themselves: the declarations of the devnet's, once more. */

import type { Command } from 'commander';
import { declarations } from '../options/declarations.js';
import { NETWORK_OPTIONS } from '../options/network-options.js';

export function withForkOptions(command: Command): Command {
  for (const name of NETWORK_OPTIONS) {
    const { flag, kind, description } = declarations[name];
    if (kind.placeholder === undefined) command.option(flag as string, description);
    else if (name === 'forkHeader')
      command.option(`${flag} ${kind.placeholder}`, description, (one: string, all: readonly string[] = []) => [
        ...all,
        one,
      ]);
    else command.option(`${flag} ${kind.placeholder}`, description);
  }
  return command;
}
