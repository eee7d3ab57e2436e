/**
 * `sunup set-balance …` and the like: a subcommand for each method of `devtools/`, sent to a node that is running. Made from
 * the table, so what a method says of itself is what `--help` says.
 */

import { Command } from 'commander';
import { devMethodTable } from '../devtools/methods.js';
import type { DevMethod } from '../devtools/table.js';
import { wrapped } from '../prose/explanation.js';
import { CONTROL, unknownCommand } from './command-names.js';
import { askRpc, nodeUrl, readJson } from './node-client.js';
import type { Speaker } from './speaker.js';
import { forANode, type NodeOptions, run } from './to-a-node.js';

/** `tron_setBalance` → `set-balance`, unless the method has a command of its own. */
export function commandName({ name, command }: DevMethod): string {
  if (command !== undefined) return command;
  return name.replace(/^tron_/, '').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

const methodsByCommand: ReadonlyMap<string, DevMethod> = new Map(
  devMethodTable.flatMap((method) => (method.command === undefined ? [[commandName(method), method]] : [])),
);

/** Those that there are, for who has mistyped one. */
export const controlNames: readonly string[] = [...methodsByCommand.keys()];

export function isControlCommand(word: string): boolean {
  return word === CONTROL || methodsByCommand.has(word);
}

/** `sunup control`: every command with what it does. */
function listing(): string {
  const lines = [...methodsByCommand].map(([name, { parameters, about }]) => {
    const words = parameters.map((one) => (one.schema.type === 'optional' ? `[${one.name}]` : `<${one.name}>`));
    return [`  sunup ${[name, ...words].join(' ')}`, ...wrapped([`      ${about}`], 100)].join('\n');
  });
  return `Commands that change or query the chain of a running node (sunup COMMAND --help shows an example):\n\n${lines.join('\n')}\n`;
}

/** What was typed as JSON where it looks like some, else as text: methods read numbers from text. */
function parameterOf(word: string): unknown {
  if (!/^[[{]/.test(word)) return word;
  return readJson(word);
}

function resultText(result: unknown): string {
  return typeof result === 'string' ? result : JSON.stringify(result, null, 2);
}

function commandOf(method: DevMethod, say: Speaker): Command {
  const command = forANode(new Command(commandName(method)))
    .description(method.about)
    .addHelpText(
      'after',
      method.example === undefined
        ? ''
        : `\nExample: sunup ${commandName(method)} ${method.example.map(wordOf).join(' ')}`,
    )
    .exitOverride()
    .configureOutput({ writeOut: say.out, writeErr: say.err });
  for (const { name, schema } of method.parameters)
    command.argument(schema.type === 'optional' ? `[${name}]` : `<${name}>`);
  return command.action(async (...given: unknown[]) => {
    const words = given.slice(0, method.parameters.length) as (string | undefined)[];
    const { url, json } = given[method.parameters.length] as NodeOptions;
    const parameters = words.filter((word) => word !== undefined).map((word) => parameterOf(word));
    const result = await askRpc(nodeUrl(url, process.env), method.name, parameters);
    say.out(`${json ? JSON.stringify(result) : resultText(result)}\n`);
  });
}

/** As a shell needs it. */
function wordOf(value: unknown): string {
  return typeof value === 'object' ? `'${JSON.stringify(value)}'` : String(value);
}

/** `sunup control`, which takes no words: each command stands for itself. */
function list([word]: readonly string[], say: Speaker): number {
  if (word === undefined || word === '--help' || word === '-h') {
    say.out(listing());
    return 0;
  }
  const problem = methodsByCommand.has(word)
    ? `${word} is a command of its own\n(See sunup ${word} --help)`
    : unknownCommand(word, controlNames);
  say.err(`error: ${problem}\n`);
  return 2;
}

/** @returns the exit code */
export async function runControlCommand([first = '', ...words]: readonly string[], say: Speaker): Promise<number> {
  if (first === CONTROL) return list(words, say);
  return run(commandOf(methodsByCommand.get(first) as DevMethod, say), words, say);
}
