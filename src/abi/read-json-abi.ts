/**
 * An ABI in JSON as somebody else wrote it: of an artifact, of the chain by its interfaces, of a caller. Whatever reads
 * ABIs reads them here, and has entries of the form that `json-abi.ts` declares, of bounded length and depth.
 */

import type { JsonAbi, JsonAbiEntry, JsonAbiParameter } from './json-abi.js';

/** Far above what compilers write: solc itself ends before tuples are so deep, and no call has room for more parameters. */
const MOST_ENTRIES = 10_000;
const MOST_PARAMETERS = 1_000;
const DEEPEST_TUPLE = 32;
const LONGEST_TEXT = 1_024;

/** Where in an ABI something is not as it has to be, and what would be right. */
export interface AbiProblem {
  readonly path: readonly (string | number)[];
  /** Of a value that is missing: `it is missing`. */
  readonly message: string;
}

class MalformedEntry extends Error {
  constructor(readonly problem: AbiProblem) {
    super(problem.message);
  }
}

/** All entries, and the first problem if there is one. */
export function readJsonAbi(given: unknown): { readonly abi: JsonAbi } | { readonly problem: AbiProblem } {
  const { abi, problems } = entriesOf(given);
  const [problem] = problems;
  return problem === undefined ? { abi } : { problem };
}

/** The entries that are some; what a stranger has put beside them is left out. */
export function wellFormedEntries(given: unknown): JsonAbi {
  return entriesOf(given).abi;
}

/** The entries themselves, so that whoever declared them has what they declared. */
function entriesOf(given: unknown): { readonly abi: JsonAbi; readonly problems: readonly AbiProblem[] } {
  if (!Array.isArray(given)) return { abi: [], problems: [expected([], 'a list', given)] };
  if (given.length > MOST_ENTRIES) return { abi: [], problems: [tooMany([], MOST_ENTRIES)] };
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
  return { path, message: `there may be ${most}` };
}

function requireEntry(given: unknown, path: Path): asserts given is JsonAbiEntry {
  const entry = membersOf(given, path);
  for (const name of ['type', 'name', 'stateMutability']) optionalText(entry, name, path);
  for (const name of ['anonymous', 'payable']) optionalTruth(entry, name, path);
  let left = MOST_PARAMETERS;
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

/** @returns how many more an entry may have */
function parametersLeft(given: unknown, path: Path, depth: number, left: number): number {
  if (given === undefined) return left;
  if (!Array.isArray(given)) throw new MalformedEntry(expected(path, 'a list', given));
  if (depth > DEEPEST_TUPLE)
    throw new MalformedEntry({ path, message: `tuples may have ${DEEPEST_TUPLE} others around them` });
  if (given.length > left) throw new MalformedEntry(tooMany(path, MOST_PARAMETERS));
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
