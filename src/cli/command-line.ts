/** The command line, built from the table of options: parsing, `--help`, and conversion to settings. */

import { Command, Option } from 'commander';
import type { CommandSettings } from '../options/declarations.js';
import { variableOf } from '../options/environment.js';
import { OptionError } from '../options/option-error.js';
import {
  type AnyDeclaration,
  checked,
  commandOptions,
  type OptionEntry,
  settingsForCommand,
} from '../options/settings.js';
import { treValues } from '../options/tre-variables.js';
import { VERSION } from '../platform/version.js';
import { misplacedWord } from './command-names.js';
import { exitCodeOf } from './run-arguments.js';
import type { Terminal } from './terminal.js';

export type Reading =
  | { readonly settings: CommandSettings }
  /** Nothing to run: help, or an invalid command line. The text is already written to `terminal`. */
  | { readonly exitCode: number };

const examples = `
Examples:
  sunup                                   start a chain with ten funded accounts and a block every 3 seconds
  sunup --instant                         produce a block for each transaction
  sunup --db ./chain                      keep the chain in ./chain and continue it at the next start
  sunup --http-port 0 --json | jq         listen on any free port; the first line of output names it
  SUNUP_HOST=0.0.0.0 sunup                each flag has an environment variable: --http-port is SUNUP_HTTP_PORT

Commands for a running node (sunup COMMAND --help has the details):
  sunup mine 5                            produce five blocks; sunup mine --advance 6h advances time by six hours
  sunup explain <txid>                    show what a transaction cost, and why
  sunup trace <txid>                      show its call tree, with the Energy of each call
  sunup estimate CONTRACT METHOD ARGS --from ADDRESS
                                          estimate the Energy of a call without sending it, and who pays
  sunup control                           list the methods that change the chain: set-balance, impersonate, reorg, …
  sunup record day.chain                  write the node's chain to a file that sunup run replays
  sunup dump FILE; sunup load FILE        save or load the whole chain with its history
  sunup snapshot; sunup revert <id>       save the state of the chain, and restore it
  SUNUP_URL=localhost:9091 sunup mine     use another node than the one on port 9090, as --url does

Commands that run a local chain of their own:
  sunup run day.scenario.yaml             show the cost of a day of your traffic, and who pays it
  sunup run day.scenario.yaml --what-if getEnergyFee=100,210
                                          compare it under other prices, stakes and factors
  sunup port-report run.chain             show what a recorded run of Ethereum tests costs, and what differs on TRON

Commands that read a live network:
  sunup explain <txid> --fork URL         show what one of its transactions cost, and why
  sunup costs ADDRESS --fork URL          show what an account paid, for what, and what would have been cheaper

Commands for a --db directory that no node is using:
  sunup check ./chain                     read all data and report corruption
  sunup upgrade ./chain                   convert a database of an older Sunup to the current format

With TronWeb:
  const tronWeb = new TronWeb({ fullHost: 'http://127.0.0.1:9090', privateKey: '<a private key from the output>' });
  await tronWeb.trx.sendTransaction('TPjjvMwjPoDC32V2dGDYTkLH4E5LAtBZ6C', 1_000_000);
`;

/** @param words the arguments after the command's name */
export function readCommandLine(words: readonly string[], terminal: Terminal): Reading {
  const command = new Command('sunup')
    .description('A devnet node for TRON-protocol networks, exact to the sun.')
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this text')
    .allowExcessArguments(true)
    .addHelpText('after', examples)
    .configureHelp({ optionDescription: ({ description }) => description })
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err })
    .exitOverride();
  const spellings = commandOptions.flatMap(spellingsOf);
  for (const { option } of spellings) command.addOption(option);

  try {
    command.parse(words, { from: 'user' });
    const [word] = command.args;
    if (word !== undefined) {
      terminal.err(`error: ${misplacedWord(word)}\n`);
      return { exitCode: 2 };
    }
    return { settings: settingsForCommand(withTreValues(given(command, spellings), process.env)) };
  } catch (error) {
    const exitCode = exitCodeOf(error);
    if (exitCode !== undefined) return { exitCode };
    if (!(error instanceof OptionError)) throw error;
    terminal.err(errorText(error));
    return { exitCode: 2 };
  }
}

/** An option's error in terms of the command line. */
export function errorText({ option, problem, hint }: OptionError): string {
  const flag = commandOptions.find(([name]) => name === option)?.[1].flag ?? option;
  return `error: option '${flag}' ${problem}\n${hint === undefined ? '' : `(${hint})\n`}`;
}

/** The values by option; arguments outrank the environment. */
function given(command: Command, spellings: readonly Spelling[]): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const source of ['env', 'cli']) {
    const seen = new Map<string, Option>();
    for (const { option, name, value } of spellings) {
      const attribute = option.attributeName();
      if (command.getOptionValueSource(attribute) !== source) continue;
      const before = seen.get(name);
      if (before) throw new OptionError(name, `is given twice: ${before.long} and ${option.long}`);
      seen.set(name, option);
      values[name] = value ?? command.getOptionValue(attribute);
    }
  }
  return values;
}

/** With `--tre`, adds the variables of TRE, which our own flags and variables outrank. */
function withTreValues(
  values: Readonly<Record<string, unknown>>,
  environment: NodeJS.ProcessEnv,
): Readonly<Record<string, unknown>> {
  if (values.tre !== true) return values;
  const tre = treValues(environment);
  if (tre.parameters === undefined) return { ...tre, ...values };
  const parameters = { ...tre.parameters, ...(values.parameters as typeof tre.parameters) };
  return { ...tre, ...values, parameters };
}

/** One way to write an option, and its value if it stands for a single one. */
interface Spelling {
  readonly option: Option;
  readonly name: string;
  readonly value?: unknown;
}

/** An option's flag, its alias, and its shorthands. */
function spellingsOf([name, declaration]: OptionEntry): Spelling[] {
  const { flag, short, alias, shorthands = {}, kind, group } = declaration;
  if (flag === undefined) return [];
  const spelling = (flags: string, long: string, description: string) => {
    const option = new Option(`${flags}${kind.placeholder === undefined ? '' : ` ${kind.placeholder}`}`, description);
    const { fromText } = kind;
    if (fromText !== undefined) option.argParser((text, before) => checked(name, () => fromText(text, before)));
    return option.env(variableOf(long)).helpGroup(`${group}:`);
  };
  const own = { name, option: spelling(short === undefined ? flag : `${short}, ${flag}`, flag, describe(declaration)) };
  const others: Spelling[] = Object.entries(shorthands).map(([long, [value, text]]) => ({
    name,
    option: new Option(long, text).helpGroup(`${group}:`),
    value,
  }));
  if (alias !== undefined) others.push({ name, option: spelling(alias, alias, '').hideHelp() });
  return [own, ...others];
}

function describe({ description, ...declaration }: AnyDeclaration): string {
  const value = declaration.commandDefault ?? declaration.default;
  const isNothing = value === undefined || typeof value === 'boolean' || (Array.isArray(value) && value.length === 0);
  return isNothing ? description : `${description} (default ${String(value)})`;
}
