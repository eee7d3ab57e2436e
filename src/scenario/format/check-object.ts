/** Checks an object with named fields. Collects every problem, with suggestions for misspelt names. */

import * as v from 'valibot';
import { unknownName } from '../../primitives/closest-name.js';
import { IN_WORDS } from '../../primitives/schema-words.js';
import { addressFault } from '../../protocol/address-fault.js';
import type { Path, Problem } from './problems.js';

export type Fields = Readonly<Record<string, v.GenericSchema<unknown, unknown>>>;
export type ValuesOf<F extends Fields> = { readonly [Name in keyof F]: v.InferOutput<F[Name]> };

/** An object within a field. */
export function members<const Entries extends Fields>(about: string, entries: Entries) {
  const names = Object.keys(entries);
  const words = `${about}: an object of ${names.join(', ')}`;
  return v.pipe(
    v.strictObject(entries, ({ expected, path }) => {
      if (expected === 'never') return unknownName(String(path?.at(-1)?.key), names);
      return expected === 'Object' ? words : 'is missing';
    }),
    v.description(words),
  );
}

/** @returns the values, or undefined if there is a problem */
export function checkObject<F extends Fields>(
  fields: F,
  given: unknown,
  path: Path,
  problems: Problem[],
): ValuesOf<F> | undefined {
  const names = Object.keys(fields);
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    problems.push({ path, message: `expected an object with ${names.join(', ')}` });
    return undefined;
  }
  const before = problems.length;
  checkNames(names, given, path, problems);
  const values: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(fields)) {
    const value = (given as Record<string, unknown>)[name];
    if (value === undefined && schema.type !== 'optional') {
      problems.push({ path, message: `${name} is missing: ${expectationOf(schema)}` });
      continue;
    }
    const read = v.safeParse(schema, value ?? undefined, IN_WORDS);
    if (read.success) {
      if (read.output !== undefined) values[name] = read.output;
    } else problems.push(...read.issues.map((issue) => problemOf(issue, [...path, name])));
  }
  return problems.length === before ? (values as ValuesOf<F>) : undefined;
}

/** Reports unknown names. */
export function checkNames(known: readonly string[], given: object, path: Path, problems: Problem[]): void {
  for (const name of Object.keys(given)) {
    if (known.includes(name)) continue;
    problems.push({ path: [...path, name], ofName: true, message: `${name} ${unknownName(name, known)}` });
  }
}

function problemOf(issue: v.BaseIssue<unknown>, path: Path): Problem {
  const items = issue.path ?? [];
  const inner = items.map(({ key }) => (typeof key === 'number' ? key : String(key)));
  // Valibot accepts a list as an object with the names 0, 1, …
  const list = items.findIndex(({ type, input }) => type === 'object' && Array.isArray(input));
  if (list >= 0) {
    const whole = [...path, ...inner.slice(0, list)];
    const given = shown(items[list]?.input);
    return { path: whole, message: `${fieldName(whole)}: expected an object with names, got ${given}` };
  }
  const whole = [...path, ...inner];
  const { message } = issue;
  const name = String(whole.at(-1));
  if (issue.expected === 'never') return { path: whole, ofName: true, message: `${name} ${message}` };
  if (message === 'is missing') return { path: whole.slice(0, -1), message: `${name} is missing` };
  const fault = typeof issue.input === 'string' && message.includes('an address') ? addressFault(issue.input) : '';
  return { path: whole, message: `${fieldName(whole)}: expected ${message}, got ${shown(issue.input)}${fault}` };
}

function fieldName(path: Path): string {
  const from = path.findLastIndex((part) => typeof part === 'string');
  return path
    .slice(from)
    .map((part) => (typeof part === 'number' ? `[${part}]` : part))
    .join('');
}

/** What a field accepts, in words. */
export function expectationOf(schema: v.GenericSchema<unknown, unknown>): string {
  const inner = (schema as { wrapped?: v.GenericSchema }).wrapped;
  return v.getDescription(schema) ?? (inner === undefined ? schema.expects : expectationOf(inner));
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
