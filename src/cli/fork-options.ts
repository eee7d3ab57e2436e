/** The fork options of commands that start their own fork, from the declarations of the devnet's options. */

import { type Command, Option } from 'commander';
import { type DevnetOptions, declarations } from '../options/declarations.js';
import { variableOf } from '../options/environment.js';
import { NETWORK_OPTIONS } from '../options/network-options.js';

/** Options that apply to any fork; other variables of the environment are for the node only. */
const FROM_ENVIRONMENT: readonly string[] = ['forkApiKey', 'forkHeader', 'forkRate', 'forkTimeout'];

/** @param names the options of the command */
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
