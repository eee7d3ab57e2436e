/**
 * Reads an ABI in JSON from any source: an artifact, a node's answer, a caller. All ABIs are read here, so that
 * entries have the form of `json-abi.ts` with bounded length and depth.
 */

import type { JsonAbi, JsonAbiEntry, JsonAbiParameter } from './json-abi.js';

/** Far above compilers' output: solc has a lower limit for nested tuples, and no call has room for more parameters. */
const MAX_ENTRIES = 10_000;
const MAX_PARAMETERS = 1_000;
const DEEPEST_TUPLE = 32;
const LONGEST_TEXT = 1_024;

/** Position of an error in an ABI, and the expected value. */
export interface AbiProblem {
  readonly path: readonly (string | number)[];
  /** If a value is missing: `it is missing`. */
  readonly message: string;
}

class MalformedEntry extends Error {
  constructor(readonly problem: AbiProblem) {
    super(problem.message);
  }
}

/** All entries, and the first problem if any. */
export function readJsonAbi(given: unknown): { readonly abi: JsonAbi } | { readonly problem: AbiProblem } {
  const { abi, problems } = entriesOf(given);
  const [problem] = problems;
  return problem === undefined ? { abi } : { problem };
}

/** The valid entries; other values beside them are left out. */
export function wellFormedEntries(given: unknown): JsonAbi {
  return entriesOf(given).abi;
}

/** The original objects, so that the caller keeps its own types. */
function entriesOf(given: unknown): { readonly abi: JsonAbi; readonly problems: readonly AbiProblem[] } {
  if (!Array.isArray(given)) return { abi: [], problems: [expected([], 'a list', given)] };
  if (given.length > MAX_ENTRIES) return { abi: [], problems: [tooMany([], MAX_ENTRIES)] };
  const abi: JsonAbiEntry[] = [];
  const problems: AbiProblem[] = [];
  for (const [at, entry] of given.entries()) {
    try {
      requireEntry(entry, [at]);
      abi.push(entry);
    } catch (error) {
      if (!(error instanceof MalformedEntry)) throw error;
      problems.push(error.problem);
    }
  }
  return { abi: problems.length === 0 ? (given as JsonAbi) : abi, problems };
}

type Path = AbiProblem['path'];

function expected(path: Path, what: string, given: unknown): AbiProblem {
  return { path, message: given === undefined ? 'it is missing' : `expected ${what}` };
}

function tooMany(path: Path, most: number): AbiProblem {
  return { path, message: `at most ${most} are allowed` };
}

function requireEntry(given: unknown, path: Path): asserts given is JsonAbiEntry {
  const entry = membersOf(given, path);
  for (const name of ['type', 'name', 'stateMutability']) optionalText(entry, name, path);
  for (const name of ['anonymous', 'payable']) optionalTruth(entry, name, path);
  let left = MAX_PARAMETERS;
  for (const name of ['inputs', 'outputs']) left = parametersLeft(entry[name], [...path, name], 0, left);
}

function membersOf(given: unknown, path: Path): Readonly<Record<string, unknown>> {
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return given as Record<string, unknown>;
  throw new MalformedEntry(expected(path, 'an object', given));
}

function requireText(text: unknown, path: Path): void {
  if (typeof text !== 'string') throw new MalformedEntry(expected(path, 'text', text));
  if (text.length > LONGEST_TEXT)
    throw new MalformedEntry({ path, message: `expected at most ${LONGEST_TEXT} characters` });
}

function optionalText(of: Readonly<Record<string, unknown>>, name: string, path: Path): void {
  if (of[name] !== undefined) requireText(of[name], [...path, name]);
}

function optionalTruth(of: Readonly<Record<string, unknown>>, name: string, path: Path): void {
  const value = of[name];
  if (value !== undefined && typeof value !== 'boolean')
    throw new MalformedEntry(expected([...path, name], 'true or false', value));
}

/** @returns how many further entries are allowed */
function parametersLeft(given: unknown, path: Path, depth: number, left: number): number {
  if (given === undefined) return left;
  if (!Array.isArray(given)) throw new MalformedEntry(expected(path, 'a list', given));
  if (depth > DEEPEST_TUPLE)
    throw new MalformedEntry({ path, message: `tuples may be nested at most ${DEEPEST_TUPLE} deep` });
  if (given.length > left) throw new MalformedEntry(tooMany(path, MAX_PARAMETERS));
  let most = left - given.length;
  for (const [at, one] of given.entries()) {
    const place = [...path, at];
    const parameter = membersOf(one, place) as Readonly<Record<keyof JsonAbiParameter, unknown>>;
    requireText(parameter.type, [...place, 'type']);
    optionalText(parameter, 'name', place);
    optionalTruth(parameter, 'indexed', place);
    most = parametersLeft(parameter.components, [...place, 'components'], depth + 1, most);
  }
  return most;
}
