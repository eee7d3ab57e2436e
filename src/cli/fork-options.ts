/** The options of a fork for commands that make one for themselves: the declarations of the devnet's, once more. */

import { type Command, Option } from 'commander';
import { type DevnetOptions, declarations } from '../options/declarations.js';
import { variableOf } from '../options/environment.js';
import { NETWORK_OPTIONS } from '../options/network-options.js';

/** True of every network that is forked; what others say in the environment is for the node. */
const FROM_ENVIRONMENT: readonly string[] = ['forkApiKey', 'forkHeader', 'forkRate', 'forkTimeout'];

/** @param names which of them the command knows */
export function withForkOptions(
  command: Command,
  names: readonly (keyof DevnetOptions & keyof typeof declarations)[] = NETWORK_OPTIONS,
): Command {
  for (const name of names) {
    const { flag, kind, description } = declarations[name];
    const terms = kind.placeholder === undefined ? (flag as string) : `${flag} ${kind.placeholder}`;
    const option = new Option(terms, description);
    const fromText = kind.fromText as ((text: string, before: unknown) => unknown) | undefined;
    if (fromText !== undefined) option.argParser(fromText);
    if (FROM_ENVIRONMENT.includes(name)) option.env(variableOf(flag as string));
    command.addOption(option);
  }
  return command;
}
