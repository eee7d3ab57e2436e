/** The command line, made from the table of options: what can be typed, `--help`, and from what was typed to settings. */

import { Command, Option } from 'commander';
import type { CommandSettings } from '../options/declarations.js';
import { variableOf } from '../options/environment.js';
import { OptionError } from '../options/option-error.js';
import { type AnyDeclaration, checked, commandRows, type Row, settingsForCommand } from '../options/settings.js';
import { treValues } from '../options/tre-variables.js';
import { VERSION } from '../platform/version.js';
import { misplacedWord } from './command-names.js';
import { exitCodeOf } from './run-words.js';
import type { Speaker } from './speaker.js';

export type Reading =
  | { readonly settings: CommandSettings }
  /** Nothing to run: help was asked for, or the line cannot be. What is to be said has been handed to `say`. */
  | { readonly exitCode: number };

const examples = `
Examples:
  sunup                                   a chain with ten funded accounts, a block every 3 seconds
  sunup --instant                         a block for every transaction, at once
  sunup --db ./chain                      keep the chain, and go on with it next time
  sunup --http-port 0 --json | jq         any free port; the first line says which
  SUNUP_HOST=0.0.0.0 sunup                every flag has its variable: --http-port is SUNUP_HTTP_PORT

To a node that is running (sunup COMMAND --help says more):
  sunup mine 5                            five blocks;  sunup mine --advance 6h  lets time pass
  sunup explain <txid>                    what a transaction cost, and why
  sunup trace <txid>                      its call tree: who called whom, with Energy
  sunup estimate CONTRACT METHOD ARGS --from ADDRESS
                                          the Energy of a call that is not sent, and who would pay it
  sunup control                           lists what may be done to its chain: set-balance, impersonate, reorg, …
  sunup dump FILE;  sunup load FILE       the whole chain with its history
  sunup snapshot;  sunup revert <id>      remember everything, and go back to it
  SUNUP_URL=localhost:9091 sunup mine     to another node than that of port 9090, as with --url

On a chain of its own:
  sunup run day.scenario.yaml             what a day of your traffic costs, and who pays
  sunup run day.scenario.yaml --what-if getEnergyFee=100,210
                                          the same under other prices, stakes and factors
  sunup record day.scenario.yaml          the chain of the running node as a scenario

With a --db directory that no node has open:
  sunup check ./chain                     reads everything and says what is damaged
  sunup upgrade ./chain                   brings it from the format of an older Sunup into that of this one

Then, with tronweb:
  const tronWeb = new TronWeb({ fullHost: 'http://127.0.0.1:9090', privateKey: '<one of the keys shown>' });
  await tronWeb.trx.sendTransaction('TPjjvMwjPoDC32V2dGDYTkLH4E5LAtBZ6C', 1_000_000);
`;

/** @param words What was typed after the command's name. */
export function readCommandLine(words: readonly string[], say: Speaker): Reading {
  const command = new Command('sunup')
    .description('A local chain for TRON-protocol networks, exact to the sun.')
    .version(VERSION, '-V, --version', 'the version')
    .helpOption('-h, --help', 'this text')
    .allowExcessArguments(true)
    .addHelpText('after', examples)
    .configureHelp({ optionDescription: ({ description }) => description })
    .configureOutput({ writeOut: say.out, writeErr: say.err })
    .exitOverride();
  const spellings = commandRows.flatMap(spellingsOf);
  for (const { option } of spellings) command.addOption(option);

  try {
    command.parse(words, { from: 'user' });
    const [word] = command.args;
    if (word !== undefined) {
      say.err(`error: ${misplacedWord(word)}\n`);
      return { exitCode: 2 };
    }
    return { settings: settingsForCommand(withTreValues(given(command, spellings), process.env)) };
  } catch (error) {
    const exitCode = exitCodeOf(error);
    if (exitCode !== undefined) return { exitCode };
    if (!(error instanceof OptionError)) throw error;
    say.err(errorText(error));
    return { exitCode: 2 };
  }
}

/** An option's error in the words of the command line. */
export function errorText({ option, problem, hint }: OptionError): string {
  const flag = commandRows.find(([name]) => name === option)?.[1].flag ?? option;
  return `error: option '${flag}' ${problem}\n${hint === undefined ? '' : `(${hint})\n`}`;
}

/** The values by option, what was typed before what the environment says. */
function given(command: Command, spellings: readonly Spelling[]): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const source of ['env', 'cli']) {
    const seen = new Map<string, Option>();
    for (const { option, name, value } of spellings) {
      const attribute = option.attributeName();
      if (command.getOptionValueSource(attribute) !== source) continue;
      const before = seen.get(name);
      if (before) throw new OptionError(name, `is given twice, as ${before.long} and as ${option.long}`);
      seen.set(name, option);
      values[name] = value ?? command.getOptionValue(attribute);
    }
  }
  return values;
}

/** With `--tre` its variables too, below what was given to us. */
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

/** One way to write an option, and the value that it stands for where it stands for just one. */
interface Spelling {
  readonly option: Option;
  readonly name: string;
  readonly value?: unknown;
}

/** An option's own flag, its other name, and its shorthands. */
function spellingsOf([name, declaration]: Row): Spelling[] {
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
