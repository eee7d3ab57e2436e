/**
 * What a method of the table of developer methods is: one thing that may be done to the chain from outside, under its own
 * name (`tron_…`), under the names that other tools have for it, as a method of `Devnet` and as a subcommand.
 */

import * as v from 'valibot';
import type { Callers } from '../access/access.js';
import { ParametersError } from '../errors/operation-error.js';
import type { Node } from '../node/node.js';
import type { Asker } from '../node/operations/work.js';
import { IN_WORDS } from '../primitives/schema-words.js';
import { addressFault } from '../protocol/address-fault.js';
import { ADDRESS } from './kinds.js';

/** The path that a request came by: some methods answer each in the form that its tools expect. */
export type DevPath = 'tre' | 'jsonrpc' | 'eth';

export interface DevContext {
  readonly node: Node;
  readonly path: DevPath;
  /** Who waits for the answer; absent: somebody who waits in any case. */
  readonly asker?: Asker | undefined;
}

/** A parameter by its name. Optional ones come last and are wrapped in `v.optional`. */
export interface Parameter<Schema extends v.GenericSchema = v.GenericSchema> {
  readonly name: string;
  readonly schema: Schema;
}

type Values<Parameters extends readonly Parameter[]> = {
  readonly [Index in keyof Parameters]: v.InferOutput<Parameters[Index]['schema']>;
};

/** Another name, with its own parameters and its own form of the answer where they differ. */
export interface Alias {
  readonly name: string;
  readonly parameters: readonly Parameter[];
  readonly answer: (context: DevContext, ...values: never[]) => unknown;
}

export type ExampleCall = readonly [name: `tron_${string}`, ...parameters: unknown[]];

export interface DevMethod {
  /** `tron_…` */
  readonly name: string;
  readonly aliases: readonly Alias[];
  /** One sentence for documentation and `sunup --help`. */
  readonly about: string;
  readonly parameters: readonly Parameter[];
  /**
   * Parameters that work on a fresh devnet: what documentation shows and the generated test calls; undefined where they
   * cannot be written down.
   */
  readonly example: readonly unknown[] | undefined;
  /** Snapshots do not survive it: it leaves the chain that they are of. */
  readonly usesUpSnapshots: boolean;
  /** Calls that make the example possible: names of methods and their parameters. */
  readonly exampleAfter: readonly ExampleCall[];
  readonly callers: Callers;
  readonly answer: (context: DevContext, ...values: never[]) => unknown;
}

export function parameter<Schema extends v.GenericSchema>(name: string, schema: Schema): Parameter<Schema> {
  return { name, schema };
}

interface MethodDefinition<Parameters extends readonly Parameter[]> {
  readonly name: `tron_${string}`;
  readonly about: string;
  readonly parameters: Parameters;
  readonly example?: readonly unknown[];
  readonly usesUpSnapshots?: boolean;
  readonly exampleAfter?: readonly ExampleCall[];
  /** Names under which the method has the same parameters. */
  readonly aliases?: readonly string[];
  /** What it answers under these names, where that is not what it answers under its own; setters of other tools: true. */
  readonly aliasAnswer?: (result: unknown) => unknown;
  /** Names under which it has other parameters. */
  readonly otherAliases?: readonly Alias[];
  readonly answer: (context: DevContext, ...values: Values<Parameters>) => unknown;
}

/** A method. Whatever controls the chain is for trusted callers. */
export function method<const Parameters extends readonly Parameter[]>(
  definition: MethodDefinition<Parameters>,
): DevMethod {
  const { name, about, parameters, example, aliases = [], aliasAnswer, otherAliases = [] } = definition;
  const { exampleAfter = [], usesUpSnapshots = false } = definition;
  const answer = definition.answer as DevMethod['answer'];
  const answerAs: DevMethod['answer'] =
    aliasAnswer === undefined
      ? answer
      : async (context, ...values) => aliasAnswer(await (answer as (...all: unknown[]) => unknown)(context, ...values));
  return {
    name,
    about,
    parameters,
    example,
    exampleAfter,
    usesUpSnapshots,
    callers: 'trusted',
    answer,
    aliases: [...aliases.map((alias) => ({ name: alias, parameters, answer: answerAs })), ...otherAliases],
  };
}

/** An alias with parameters of its own. */
export function alias<const Parameters extends readonly Parameter[]>(
  name: string,
  parameters: Parameters,
  answer: (context: DevContext, ...values: Values<Parameters>) => unknown,
): Alias {
  return { name, parameters, answer: answer as Alias['answer'] };
}

/** Far more than anything has: looking at tens of thousands would hold up everybody else. */
const MOST_MEMBERS = 10_000;

function hasTooManyMembers(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return (Array.isArray(value) ? value : Object.keys(value)).length > MOST_MEMBERS;
}

/** Reads what a caller sent. @throws ParametersError that says what was expected */
export function readParameters(parameters: readonly Parameter[], given: readonly unknown[]): readonly unknown[] {
  if (given.length > parameters.length)
    throw new ParametersError(`expected ${signatureText(parameters)}, got ${given.length} parameters`);
  return parameters.map(({ name, schema }, index) => {
    if (hasTooManyMembers(given[index]))
      throw new ParametersError(`${name}: expected ${MOST_MEMBERS} members or elements at most`);
    // Only the first problem is told, of what may be a list of a hundred thousand.
    const read = v.safeParse(schema, given[index] ?? undefined, { abortEarly: true, ...IN_WORDS });
    if (read.success) return read.output;
    const [issue] = read.issues;
    const where = v.getDotPath(issue);
    const expected = v.getDescription(schema) ?? issue.message;
    throw new ParametersError(
      `${name}${where === null ? '' : `.${where}`}: expected ${where === null ? expected : issue.message}, got ${shown(given[index])}${faultOf(issue)}`,
    );
  });
}

/** Why a text is no address, where that was expected. */
function faultOf({ input, message }: v.BaseIssue<unknown>): string {
  return message === ADDRESS && typeof input === 'string' ? addressFault(input) : '';
}

/** `[address, balance, options?]` */
export function signatureText(parameters: readonly Parameter[]): string {
  return `[${parameters.map(({ name, schema }) => (schema.type === 'optional' ? `${name}?` : name)).join(', ')}]`;
}

const SHOWN = 80;

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(begun(value), (_, member) => (typeof member === 'bigint' ? String(member) : member));
  return text.length > SHOWN ? `${text.slice(0, SHOWN - 1)}…` : text;
}

/** As much of a value as could be shown; the whole may be megabytes. */
function begun(value: unknown): unknown {
  if (typeof value === 'string') return value.slice(0, SHOWN);
  if (Array.isArray(value)) return value.slice(0, SHOWN).map(begun);
  if (typeof value !== 'object' || value === null) return value;
  const members: [string, unknown][] = [];
  for (const name in value) {
    if (members.push([name.slice(0, SHOWN), begun((value as Record<string, unknown>)[name])]) === SHOWN) break;
  }
  return Object.fromEntries(members);
}
