/** The text of a scenario, YAML 1.2, JSON or a chain file, with the position of every value. */

import { isCollection, isMap, isScalar, LineCounter, type Node, type ParsedNode, parseDocument } from 'yaml';
import { headIn, isChainFile, jsonIn } from '../../chain-file/shapes.js';
import { type Path, type PlacedProblem, type Problem, ScenarioError } from './problems.js';
import { linesOfChainFile, type SplitText, type StepLines, splitText } from './step-lines.js';

export interface ScenarioDocument {
  readonly file: string;
  /** The value as JSON would give it. */
  readonly value: unknown;
  /** Finds the position of a problem, or of the nearest enclosing value. */
  place(problem: Problem): PlacedProblem;
}

/** A file that is not YAML, such as a dump, has an error at every other byte. */
const MAX_SLIPS = 5;

/** The parser quotes its input, which may be binary. */
function printable(message: string): string {
  const text = message.replace(/[\p{Cc}\uFFFD]/gu, '·');
  return text.length > 200 ? `${text.slice(0, 199)}…` : text;
}

/** Nested aliases can expand a small file to gigabytes. */
const MAX_ALIASES = 1_000;

/** @throws ScenarioError if the text is neither YAML nor JSON nor a chain file */
export function readDocument(text: string, file: string): ScenarioDocument {
  if (isChainFile(text)) return chainDocument(text, file);
  const json = jsonOf(text);
  if (json !== undefined) {
    let parsed: ScenarioDocument | undefined;
    // A recording may be long; positions are computed only if there is a problem.
    const place = (problem: Problem) => {
      parsed ??= yamlDocument(text, file);
      return parsed.place(problem);
    };
    return { file, value: json.value, place };
  }
  const split = splitText(text);
  return split === undefined ? yamlDocument(text, file) : splitDocument(split, file);
}

/** The scenario that replays a chain file. @throws ScenarioError */
function chainDocument(text: string, file: string): ScenarioDocument {
  const { head, steps } = linesOfChainFile(text);
  const at = (line: number, message: string) => new ScenarioError([{ file, line, column: 1, message }]);
  let begins: { readonly begun: unknown; readonly about?: unknown };
  try {
    begins = headIn(jsonIn(head));
  } catch (error) {
    throw at(1, (error as Error).message);
  }
  const { about, begun } = begins;
  const slip = steps.firstSlip();
  if (slip !== undefined) throw at(slip.line, slip.message);
  const place = (problem: Problem) => placeInSteps(problem, steps, file) ?? at(1, problem.message).problems[0]!;
  return { file, value: { ...(about !== undefined && { about }), network: { recorded: begun }, steps }, place };
}

function placeInSteps(problem: Problem, steps: StepLines, file: string): PlacedProblem | undefined {
  const [member, number, ...path] = problem.path;
  const found = member === 'steps' && typeof number === 'number' ? steps.find(number) : undefined;
  if (found === undefined) return undefined;
  const { line, column, json } = found;
  const placed = yamlDocument(json, file).place({ ...problem, path });
  return { ...placed, line, column: placed.column + column - 1 };
}

/** @throws ScenarioError for problems before the steps */
function splitDocument({ head: text, steps }: SplitText, file: string): ScenarioDocument {
  const head = yamlDocument(text, file);
  const place = (problem: Problem) => placeInSteps(problem, steps, file) ?? head.place(problem);
  const value = head.value as Readonly<Record<string, unknown>>;
  // Only a recording can be very long. Steps of other files become an array, because what-if may replace them.
  const isRecording = 'recorded' in ((value.network ?? {}) as object);
  return { file, value: { ...value, steps: isRecording ? steps : [...steps] }, place };
}

function jsonOf(text: string): { readonly value: unknown } | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    return { value: JSON.parse(text) };
  } catch {
    // It may be YAML's flow style; the YAML parser reports where an error is.
    return undefined;
  }
}

/** Maximum length of a YAML text. The parser reads a few MB per second and takes about 100 bytes for each character. */
const MAX_YAML = 16 * 1024 * 1024;

function yamlDocument(text: string, file: string): ScenarioDocument {
  if (text.length > MAX_YAML) {
    const message = `is longer than ${MAX_YAML / 1024 / 1024} MB; longer files need the form of recordings: "steps:" last, one line of JSON for each step`;
    throw new ScenarioError([{ file, line: 1, column: 1, message }]);
  }
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, version: '1.2', prettyErrors: false });
  const at = (offset: number, message: string): PlacedProblem => {
    const { line, col: column } = lines.linePos(offset);
    return { file, line: Math.max(1, line), column: Math.max(1, column), message };
  };
  if (document.errors.length > 0)
    throw new ScenarioError(
      document.errors.slice(0, MAX_SLIPS).map(({ pos: [offset], message }) => at(offset, printable(message))),
    );
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (error) {
    throw new ScenarioError([at(0, (error as Error).message)]);
  }
  return {
    file,
    value,
    place: ({ path, message, ofName = false }) => at(offsetOf(document.contents, path, ofName), message),
  };
}

function offsetOf(root: ParsedNode | null, path: Path, ofName: boolean): number {
  let node: Node | null = root;
  let offset = root?.range?.[0] ?? 0;
  for (const [depth, part] of path.entries()) {
    if (!isCollection(node)) break;
    const isLast = depth === path.length - 1;
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(part));
      if (pair === undefined) break;
      const key = pair.key as Node;
      const value = pair.value as Node | null;
      offset = (isLast && ofName ? key.range : (value?.range ?? key.range))?.[0] ?? offset;
      node = value;
    } else {
      node = (node.items[Number(part)] as Node | undefined) ?? null;
      offset = node?.range?.[0] ?? offset;
    }
  }
  return offset;
}
