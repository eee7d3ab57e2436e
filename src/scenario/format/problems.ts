/** What is wrong with a scenario: all of it at once, each with its place in the file. */

/** Where in the checked value: `['steps', 3, 'transfer', 'amount']`. */
export type Path = readonly (string | number)[];

export interface Problem {
  readonly path: Path;
  /** A sentence without a full stop: what is wrong, and what was expected. */
  readonly message: string;
  /** It is the name of the last member that is wrong, not its value. */
  readonly ofName?: boolean;
}

/** A problem at its place in a file. */
export interface PlacedProblem {
  /** Of a scenario that is an object, the path in it: `steps[3].transfer`. */
  readonly file: string;
  /** From 1; 0 where there are no lines. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** `run.scenario.yaml:12:7: amount: expected …`; of an object `steps[3].transfer.amount: …` */
export function problemText({ file, line, column, message }: PlacedProblem): string {
  return line === 0 ? `${file}: ${message}` : `${file}:${line}:${column}: ${message}`;
}

/** The file is no scenario, or says what cannot be done. */
export class ScenarioError extends Error {
  override readonly name = 'ScenarioError';
  constructor(readonly problems: readonly PlacedProblem[]) {
    super(problems.map(problemText).join('\n'));
  }
}

/** `steps[3].transfer.amount` */
export function pathText(path: Path): string {
  return path.map((part, at) => (typeof part === 'number' ? `[${part}]` : at === 0 ? part : `.${part}`)).join('');
}
