/**
 * An entry of the table of developer methods: an operation on the chain under its own name (`tron_…`), under names of
 * other tools, as a method of `Devnet`, and as a subcommand.
 */

import * as v from 'valibot';
import type { Callers } from '../access/access.js';
import { ParametersError } from '../errors/operation-error.js';
import type { Node } from '../node/node.js';
import type { Requester } from '../node/operations/work.js';
import { IN_WORDS } from '../primitives/schema-words.js';
import { addressFault } from '../protocol/address-fault.js';
import { ADDRESS } from './kinds.js';

/** The path of the request: some methods answer in the form that the tools of that path expect. */
export type DevPath = 'tre' | 'jsonrpc' | 'eth';

export interface DevContext {
  readonly node: Node;
  readonly path: DevPath;
  /** The caller that waits for the answer; absent: a caller that waits in any case. */
  readonly requester?: Requester | undefined;
}

/** A named parameter. Optional ones come last and are wrapped in `v.optional`. */
export interface Parameter<Schema extends v.GenericSchema = v.GenericSchema> {
  readonly name: string;
  readonly schema: Schema;
}

type Values<Parameters extends readonly Parameter[]> = {
  readonly [Index in keyof Parameters]: v.InferOutput<Parameters[Index]['schema']>;
};

/** An alias with its own parameters, and its own form of answer if that differs. */
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
  /** One sentence for the documentation and `sunup --help`. */
  readonly about: string;
  readonly parameters: readonly Parameter[];
  /**
   * Parameters that work on a fresh devnet, for the documentation and the generated test; undefined if they cannot be
   * constants.
   */
  readonly example: readonly unknown[] | undefined;
  /** Snapshots become invalid: the method replaces their chain. */
  readonly usesUpSnapshots: boolean;
  /** Its own subcommand; undefined: a subcommand is made from name and parameters. */
  readonly command: string | undefined;
  /** Calls before the example: method names and parameters. */
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
  readonly command?: string;
  readonly exampleAfter?: readonly ExampleCall[];
  /** Aliases with the same parameters. */
  readonly aliases?: readonly string[];
  /** The answer under these aliases, if it differs from the method's own; setters of other tools: true. */
  readonly aliasAnswer?: (result: unknown) => unknown;
  /** Aliases with other parameters. */
  readonly otherAliases?: readonly Alias[];
  readonly answer: (context: DevContext, ...values: Values<Parameters>) => unknown;
}

/** Defines a method. Methods that control the chain are for trusted callers. */
export function method<const Parameters extends readonly Parameter[]>(
  definition: MethodDefinition<Parameters>,
): DevMethod {
  const { name, about, parameters, example, aliases = [], aliasAnswer, otherAliases = [] } = definition;
  const { exampleAfter = [], usesUpSnapshots = false, command } = definition;
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
    command,
    callers: 'trusted',
    answer,
    aliases: [...aliases.map((alias) => ({ name: alias, parameters, answer: answerAs })), ...otherAliases],
  };
}

/** Defines an alias with its own parameters. */
export function alias<const Parameters extends readonly Parameter[]>(
  name: string,
  parameters: Parameters,
  answer: (context: DevContext, ...values: Values<Parameters>) => unknown,
): Alias {
  return { name, parameters, answer: answer as Alias['answer'] };
}

/** Far above real requests; checking tens of thousands would delay other callers. */
const MAX_MEMBERS = 10_000;

function hasTooManyMembers(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return (Array.isArray(value) ? value : Object.keys(value)).length > MAX_MEMBERS;
}

/** Reads the parameters of a call. @throws ParametersError with the expected ones */
export function readParameters(parameters: readonly Parameter[], given: readonly unknown[]): readonly unknown[] {
  if (given.length > parameters.length)
    throw new ParametersError(`expected ${signatureText(parameters)}, got ${given.length} parameters`);
  return parameters.map(({ name, schema }, index) => {
    if (hasTooManyMembers(given[index]))
      throw new ParametersError(`${name}: expected at most ${MAX_MEMBERS} members or elements`);
    // Reports only the first problem; there may be a hundred thousand.
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

/** Explains an invalid address. */
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

/** The start of a value; the whole may have megabytes. */
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
