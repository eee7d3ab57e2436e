/**
 * Steps in lines, one line of JSON for each: all lines of a chain file but the first, and the last member of a recording
 * of a former version. A line is parsed when its step runs, so a file of a million steps takes only the memory of its
 * text.
 */

/** The steps as lines, and the text before them. */
export interface SplitText {
  /** The text up to the line `steps:`. */
  readonly head: string;
  readonly steps: StepLines;
}

/** The text before each step in a YAML file. */
const OF_YAML = '- ';

/** The steps of a chain file: all lines but the first. */
export function linesOfChainFile(text: string): SplitText {
  const at = text.indexOf('\n') + 1 || text.length;
  return { head: text.slice(0, at), steps: new StepLines(text, at, 2, '') };
}

/** Undefined if the text has another form. */
export function splitText(text: string): SplitText | undefined {
  const steps = /^steps:[ \t]*\r?\n/m.exec(text);
  if (steps === null) return undefined;
  const at = steps.index + steps[0].length;
  const head = text.slice(0, at);
  const found = new StepLines(text, at, head.split('\n').length, OF_YAML);
  return found.areWhole() ? { head, steps: found } : undefined;
}

export class StepLines implements Iterable<unknown> {
  #length: number | undefined;

  /**
   * @param at offset of the first line
   * @param line its line number, from 1
   * @param before the text before the JSON of each step
   * @param change a function applied to each step
   */
  constructor(
    private readonly text: string,
    private readonly at: number,
    private readonly line: number,
    private readonly before: string,
    private readonly change: (step: unknown) => unknown = (step) => step,
  ) {}

  get length(): number {
    this.#length ??= [...this.#lines()].length;
    return this.#length;
  }

  /** The same lines with another function applied to each step. */
  map(change: (step: unknown) => unknown): StepLines {
    return new StepLines(this.text, this.at, this.line, this.before, (step) => change(this.change(step)));
  }

  *[Symbol.iterator](): Iterator<unknown> {
    for (const { json } of this.#lines()) yield this.change(JSON.parse(json));
  }

  /** The line number, the column and the JSON of a step, by its index from 0. */
  find(number: number): { readonly line: number; readonly column: number; readonly json: string } | undefined {
    let at = 0;
    for (const { line, json } of this.#lines())
      if (at++ === number) return { line, column: this.before.length + 1, json };
    return undefined;
  }

  /** Whether the text has only such lines and comments. */
  areWhole(): boolean {
    return this.firstSlip() === undefined && this.length > 0;
  }

  /** The first line that is no step. */
  firstSlip(): { readonly line: number; readonly message: string } | undefined {
    let length = 0;
    let at = this.line;
    try {
      for (const { line, json } of this.#lines()) {
        at = line;
        JSON.parse(json);
        length++;
      }
    } catch (error) {
      const { line = at, message } = error as Error & { readonly line?: number };
      return { line, message };
    }
    this.#length = length;
    return undefined;
  }

  /** @throws SyntaxError for a line that is not a step */
  *#lines(): Iterable<{ readonly line: number; readonly json: string }> {
    const { text } = this;
    let { line } = this;
    for (let at = this.at; at < text.length; line++) {
      const newline = text.indexOf('\n', at);
      const end = newline < 0 ? text.length : newline;
      const content = text.slice(at, end).trimEnd();
      if (content.startsWith(`${this.before}{`)) yield { line, json: content.slice(this.before.length) };
      else if (content !== '' && !content.startsWith('#'))
        throw Object.assign(new SyntaxError('it is not a step'), { line });
      at = end + 1;
    }
  }
}
