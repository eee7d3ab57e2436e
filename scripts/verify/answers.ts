/**
 * Asks the recorded questions of our interfaces, over real sockets, at the head where they were asked, and compares the
 * answers to the byte, but for what a recording itself says varies.
 */

import type { Answer, Asker, Surface } from './asker.js';
import { type Difference, differences } from './difference.js';
import { compareGrpcAnswers } from './grpc-answers.js';
import type { AnswerLine } from './recording.js';

export interface WrongAnswer {
  readonly line: AnswerLine;
  readonly differences: readonly Difference[];
}

export interface AnswersReport {
  readonly asked: number;
  readonly wrong: readonly WrongAnswer[];
  /** Surfaces that no asker serves, with the number of questions left out. */
  readonly leftOut: ReadonlyMap<Surface, number>;
}

const FILTER_MADE = /random filter id, called (F-\w+)/;
const FILTER_USED = /params\[0\] is filter (F-\w+)/;

const IS_BROADCAST = /broadcast(transaction|hex)$/i;

/** Asks what was asked at one head, in the order of the file. */
export class AnswerChecker {
  #asked = 0;
  readonly #wrong: WrongAnswer[] = [];
  readonly #leftOut = new Map<Surface, number>();
  readonly #filters = new Map<string, string>();

  constructor(
    private readonly lines: readonly AnswerLine[],
    private readonly only: (line: AnswerLine) => boolean = () => true,
  ) {}

  /**
   * @param again asks only what was answered differently before: the refusals at this head may have come first.
   *   Broadcasts are sent once.
   */
  async askAt(block: number, askers: readonly Asker[], again = false): Promise<void> {
    if (again) {
      await this.#askAgain(block, askers);
      return;
    }
    for (const line of this.lines) {
      if (line.afterBlock !== block) continue;
      const asker = askers.find(({ surfaces }) => surfaces.includes(line.surface));
      if (!this.only(line)) {
        // What it brought into the pool the others' answers, and the next block, show.
        if (IS_BROADCAST.test(line.path)) await asker?.ask(line);
        continue;
      }
      if (asker === undefined) this.#leftOut.set(line.surface, (this.#leftOut.get(line.surface) ?? 0) + 1);
      else await this.#ask(line, asker);
    }
  }

  async #askAgain(block: number, askers: readonly Asker[]): Promise<void> {
    for (const [at, { line }] of [...this.#wrong.entries()].reverse()) {
      const asker = askers.find(({ surfaces }) => surfaces.includes(line.surface));
      if (line.afterBlock !== block || asker === undefined || IS_BROADCAST.test(line.path)) continue;
      const answer = await asker.ask(this.#withFilter(line));
      if (compareAnswers(line, answer).length === 0) this.#wrong.splice(at, 1);
    }
  }

  report(): AnswersReport {
    return { asked: this.#asked, wrong: this.#wrong, leftOut: this.#leftOut };
  }

  async #ask(line: AnswerLine, asker: Asker): Promise<void> {
    this.#asked++;
    const answer = await asker.ask(this.#withFilter(line));
    const made = FILTER_MADE.exec(line.note ?? '')?.[1];
    if (made !== undefined) this.#filters.set(made, String(JSON.parse(answer.response ?? '{}').result));
    const found = compareAnswers(line, answer);
    if (found.length > 0) this.#wrong.push({ line, differences: found });
  }

  #withFilter(line: AnswerLine): AnswerLine {
    const used = FILTER_USED.exec(line.note ?? '')?.[1];
    if (used === undefined || line.body === undefined) return line;
    const body = JSON.parse(line.body) as { params: unknown[] };
    return { ...line, body: JSON.stringify({ ...body, params: [this.#filters.get(used), ...body.params.slice(1)] }) };
  }
}

/** What a note says depends on clock or build: `paths` into the JSON, or the whole text. */
function varying(note: string): { readonly paths: readonly string[]; readonly all: boolean } {
  const text = /varies: ([^;]*)/.exec(note)?.[1];
  if (text === undefined) return { paths: [], all: false };
  const paths = text.split(', ').filter((path) => /^[\w.]+$/.test(path));
  // Of getnodeinfo: the machine's figures as a whole, and the recorded node's own configuration.
  if (text.includes('machine and build')) paths.push('machineInfo', 'configNodeInfo.p2pVersion');
  return { paths, all: paths.length === 0 };
}

function withoutPath(value: unknown, path: readonly string[]): void {
  const [head, ...rest] = path;
  if (head === undefined || typeof value !== 'object' || value === null) return;
  if (rest.length === 0) (value as Record<string, unknown>)[head] = '(varies)';
  else withoutPath((value as Record<string, unknown>)[head], rest);
}

/**
 * When java-tron flushes a row to its disk is not part of the protocol (protocol/accounts.md#account-fields, the
 * recordings' README).
 */
function withoutFlushMark(text: string | undefined): string | undefined {
  return text?.replace(/,"asset_optimized": ?true/, '');
}

/** The enclosed transaction of a constant call has the time of the node that was asked (README of the recordings). */
const ENCLOSED = ['transaction.txID', 'transaction.raw_data.timestamp', 'transaction.raw_data_hex'];

export function compareAnswers(line: AnswerLine, answer: Answer): Difference[] {
  if (line.surface === 'grpc' || line.surface === 'grpcSolidity') return compareGrpcAnswers(line, answer);
  const found = differences(line.status, answer.status, 'status');
  // `null` in the recording: an answer without the header.
  if (line.contentType !== undefined)
    found.push(...differences(line.contentType ?? undefined, answer.contentType, 'contentType'));
  if (line.details !== undefined) found.push(...differences(line.details, answer.details, 'details'));
  const noted = varying(line.note ?? '');
  const isConstantCall = /trigger(constant|smart)contract$/.test(line.path);
  const paths = noted.paths.length === 0 && isConstantCall ? ENCLOSED : noted.paths;
  const all = noted.all && paths.length === 0;
  if (/order of txId is not defined/.test(line.note ?? '')) {
    found.push(...differences(sortedIds(line.response), sortedIds(answer.response), 'response'));
  } else if (paths.length > 0) {
    const hashes = paths === ENCLOSED;
    found.push(
      ...differences(masked(line.response, paths, hashes), masked(answer.response, paths, hashes), 'response'),
    );
  } else if (!all) {
    found.push(...differences(withoutFlushMark(line.response), withoutFlushMark(answer.response), 'response'));
  } else {
    found.push(...differences(shape(line.response), shape(answer.response), 'response'));
  }
  return found;
}

function masked(text: string | undefined, paths: readonly string[], hashes: boolean): unknown {
  try {
    const value = JSON.parse(text ?? '') as { internal_transactions?: { hash?: string }[] };
    for (const path of paths) withoutPath(value, path.split('.'));
    // They begin with the id of the enclosed transaction.
    if (hashes) for (const internal of value.internal_transactions ?? []) internal.hash = '(varies)';
    // As text again: the order of members is part of the answer.
    return JSON.stringify(value);
  } catch {
    return text;
  }
}

function sortedIds(text: string | undefined): unknown {
  return [...((JSON.parse(text ?? '{}') as { txId?: string[] }).txId ?? [])].sort();
}

/** What remains of an answer whose text varies as a whole: an error page without the servlet's hash code, say. */
function shape(text: string | undefined): string {
  return (text ?? '')
    .replace(/(Servlet)-[0-9a-f]+/g, '$1')
    .replace(/("result":")[^"]*"/, '$1…"')
    .replace(/(: )(Cannot parse null string|null)/, '$1…');
}
