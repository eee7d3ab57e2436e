/**
 * `sunup set-balance …` and others: one subcommand for each method of `devtools/`, sent to a running node. Built from
 * the table: the description of a method is its `--help`.
 */

import { Command } from 'commander';
import { devMethodTable } from '../devtools/methods.js';
import type { DevMethod } from '../devtools/table.js';
import { wrapped } from '../prose/explanation.js';
import { CONTROL, unknownCommand } from './command-names.js';
import { askRpc, nodeUrl, readJson } from './node-client.js';
import { type NodeOptions, run, withNodeOptions } from './node-command.js';
import type { Terminal } from './terminal.js';

/** `tron_setBalance` → `set-balance`, unless the method has a command name. */
export function commandName({ name, command }: DevMethod): string {
  if (command !== undefined) return command;
  return name.replace(/^tron_/, '').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

const methodsByCommand: ReadonlyMap<string, DevMethod> = new Map(
  devMethodTable.flatMap((method) => (method.command === undefined ? [[commandName(method), method]] : [])),
);

/** All names, for the suggestion after a misspelled one. */
export const controlNames: readonly string[] = [...methodsByCommand.keys()];

export function isControlCommand(word: string): boolean {
  return word === CONTROL || methodsByCommand.has(word);
}

/** `sunup control`: all commands with their descriptions. */
function listing(): string {
  const lines = [...methodsByCommand].map(([name, { parameters, about }]) => {
    const words = parameters.map((one) => (one.schema.type === 'optional' ? `[${one.name}]` : `<${one.name}>`));
    return [`  sunup ${[name, ...words].join(' ')}`, ...wrapped([`      ${about}`], 100)].join('\n');
  });
  return `Commands that change or query the chain of a running node (sunup COMMAND --help shows an example):\n\n${lines.join('\n')}\n`;
}

/** Parses JSON where the word looks like it, else keeps text: methods read numbers from text. */
function parameterOf(word: string): unknown {
  if (!/^[[{]/.test(word)) return word;
  return readJson(word);
}

function resultText(result: unknown): string {
  return typeof result === 'string' ? result : JSON.stringify(result, null, 2);
}

function commandOf(method: DevMethod, terminal: Terminal): Command {
  const command = withNodeOptions(new Command(commandName(method)))
    .description(method.about)
    .addHelpText(
      'after',
      method.example === undefined
        ? ''
        : `\nExample: sunup ${commandName(method)} ${method.example.map(quotedForShell).join(' ')}`,
    )
    .exitOverride()
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err });
  for (const { name, schema } of method.parameters)
    command.argument(schema.type === 'optional' ? `[${name}]` : `<${name}>`);
  return command.action(async (...given: unknown[]) => {
    const words = given.slice(0, method.parameters.length) as (string | undefined)[];
    const { url, json } = given[method.parameters.length] as NodeOptions;
    const parameters = words.filter((word) => word !== undefined).map((word) => parameterOf(word));
    const result = await askRpc(nodeUrl(url, process.env), method.name, parameters);
    terminal.out(`${json ? JSON.stringify(result) : resultText(result)}\n`);
  });
}

/** Quoted for a shell if needed. */
function quotedForShell(value: unknown): string {
  return typeof value === 'object' ? `'${JSON.stringify(value)}'` : String(value);
}

/** `sunup control`, which takes no arguments. */
function list([word]: readonly string[], terminal: Terminal): number {
  if (word === undefined || word === '--help' || word === '-h') {
    terminal.out(listing());
    return 0;
  }
  const problem = methodsByCommand.has(word)
    ? `${word} is a command of its own\n(See sunup ${word} --help)`
    : unknownCommand(word, controlNames);
  terminal.err(`error: ${problem}\n`);
  return 2;
}

/** @returns the exit code */
export async function runControlCommand(
  [first = '', ...words]: readonly string[],
  terminal: Terminal,
): Promise<number> {
  if (first === CONTROL) return list(words, terminal);
  return run(commandOf(methodsByCommand.get(first) as DevMethod, terminal), words, terminal);
}
