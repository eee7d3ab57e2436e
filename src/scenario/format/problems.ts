/** Problems of a scenario: all of them at once, each with its position in the file. */

/** Path in the checked value: `['steps', 3, 'transfer', 'amount']`. */
export type Path = readonly (string | number)[];

export interface Problem {
  readonly path: Path;
  /** A sentence without a full stop: what is wrong and what is expected. */
  readonly message: string;
  /** The name of the last member is wrong, not its value. */
  readonly ofName?: boolean;
}

/** A problem with its position in a file. */
export interface PlacedProblem {
  /** The path in the scenario, if it was given as an object: `steps[3].transfer`. */
  readonly file: string;
  /** From 1; 0 if there are no lines. */
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** `run.scenario.yaml:12:7: amount: expected …`; of an object `steps[3].transfer.amount: …` */
export function problemText({ file, line, column, message }: PlacedProblem): string {
  return line === 0 ? `${file}: ${message}` : `${file}:${line}:${column}: ${message}`;
}

/** The file is not a valid scenario. */
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
