/** The options of a fork for commands that make one for themselves: the declarations of the devnet's, once more. */

import type { Command } from 'commander';
import { declarations } from '../options/declarations.js';
import { NETWORK_OPTIONS } from '../options/network-options.js';

export function withForkOptions(command: Command): Command {
  for (const name of NETWORK_OPTIONS) {
    const { flag, kind, description } = declarations[name];
    const fromText = kind.fromText as ((text: string, before: unknown) => unknown) | undefined;
    const terms = kind.placeholder === undefined ? (flag as string) : `${flag} ${kind.placeholder}`;
    if (fromText === undefined) command.option(terms, description);
    else command.option(terms, description, fromText);
  }
  return command;
}
