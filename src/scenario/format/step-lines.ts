/**
 * Steps as recordings write them: the last member of the file, one line of JSON for each step. A line is parsed when
 * its step runs, so a file of a million steps takes only the memory of its text.
 */

/** The steps as lines, and the text before them. */
export interface SplitText {
  /** The text up to the line `steps:`. */
  readonly head: string;
  readonly steps: StepLines;
}

/** Undefined if the text has another form. */
export function splitText(text: string): SplitText | undefined {
  const steps = /^steps:[ \t]*\r?\n/m.exec(text);
  if (steps === null) return undefined;
  const at = steps.index + steps[0].length;
  const head = text.slice(0, at);
  const found = new StepLines(text, at, head.split('\n').length);
  return found.areWhole() ? { head, steps: found } : undefined;
}

export class StepLines implements Iterable<unknown> {
  #length: number | undefined;

  /**
   * @param at offset of the first line
   * @param line its line number, from 1
   * @param change a function applied to each step
   */
  constructor(
    private readonly text: string,
    private readonly at: number,
    private readonly line: number,
    private readonly change: (step: unknown) => unknown = (step) => step,
  ) {}

  get length(): number {
    this.#length ??= [...this.#lines()].length;
    return this.#length;
  }

  /** The same lines with another function applied to each step. */
  map(change: (step: unknown) => unknown): StepLines {
    return new StepLines(this.text, this.at, this.line, (step) => change(this.change(step)));
  }

  *[Symbol.iterator](): Iterator<unknown> {
    for (const { json } of this.#lines()) yield this.change(JSON.parse(json));
  }

  /** The line number and text of a step, by its index from 0. */
  find(number: number): { readonly line: number; readonly text: string } | undefined {
    let at = 0;
    for (const { line, json } of this.#lines()) if (at++ === number) return { line, text: `- ${json}` };
    return undefined;
  }

  /** Whether the text has only such lines and comments. */
  areWhole(): boolean {
    let length = 0;
    try {
      for (const { json } of this.#lines()) {
        JSON.parse(json);
        length++;
      }
    } catch {
      return false;
    }
    this.#length = length;
    return length > 0;
  }

  /** @throws SyntaxError for a line that is not a step */
  *#lines(): Iterable<{ readonly line: number; readonly json: string }> {
    const { text } = this;
    let { line } = this;
    for (let at = this.at; at < text.length; line++) {
      const newline = text.indexOf('\n', at);
      const end = newline < 0 ? text.length : newline;
      const content = text.slice(at, end).trimEnd();
      if (content.startsWith('- {')) yield { line, json: content.slice(2) };
      else if (content !== '' && !content.startsWith('#')) throw new SyntaxError(`line ${line} is not a step`);
      at = end + 1;
    }
  }
}
