/** Scenarios, which the node runs beside its chain (`/sunup/scenarios`). */

import type { Json } from '../../primitives/amount-json.js';
import type { Report } from '../../prose/report.js';
import { AnswerError, base, parse, posted } from './ask.js';

export type ReportAnswer = Json<Report>;

/** An entry of `GET /sunup/scenarios`. */
export interface ExampleScenario {
  readonly name: string;
  readonly file: string;
  readonly about: string;
  readonly scenario: string;
}

/** A number of a scenario that a run can replace. */
export interface Setting {
  readonly name: string;
  readonly value: number;
  readonly unit?: 'TRX' | 'sun';
  readonly least: number;
  readonly most: number;
  readonly isGiven: boolean;
  readonly meaning?: string;
}

export interface ScenarioText {
  readonly file: string;
  readonly scenario: string;
  /** Contents by file name. */
  readonly artifacts?: Readonly<Record<string, string>>;
}

export interface ScenarioRun extends ScenarioText {
  readonly set?: Readonly<Record<string, string>>;
  readonly whatIf?: readonly string[];
}

export interface Progress {
  readonly done: number;
  readonly total: number;
}

export async function exampleScenarios(): Promise<readonly ExampleScenario[]> {
  const answer = await fetch(`${base}sunup/scenarios`);
  return checked(parse(await answer.text(), answer.status), answer.status) as readonly ExampleScenario[];
}

/** @throws AnswerError with the problems of the text */
export async function settingsOfScenario(text: ScenarioText): Promise<readonly Setting[]> {
  const answer = await fetch(`${base}sunup/scenarios/settings`, posted(text));
  const { settings } = checked(parse(await answer.text(), answer.status), answer.status) as {
    readonly settings: readonly Setting[];
  };
  return settings;
}

/** @param signal ends the run @throws AnswerError with the problems of the text, or what only the run has shown */
export async function runScenario(
  run: ScenarioRun,
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<ReportAnswer> {
  const { headers, ...asked } = posted({ ...run, report: true });
  const answer = await fetch(`${base}sunup/scenarios/run`, {
    ...asked,
    headers: { ...headers, accept: 'text/event-stream' },
    signal,
  });
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!answer.ok || reader === undefined) {
    let text = '';
    for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) text += part.value;
    throw new AnswerError(
      errorIn(parse(text, answer.status)) ?? `The node answered with ${answer.status}.`,
      answer.status,
    );
  }
  let text = '';
  for (;;) {
    const [whole, event, data = ''] = /^event: (\w+)\ndata: ([^\n]*)\n\n/.exec(text) ?? [];
    if (whole === undefined) {
      const { done, value } = await reader.read();
      if (done) throw new AnswerError('The node has ended the run.', answer.status);
      text += value;
      continue;
    }
    text = text.slice(whole.length);
    const told = parse(data, answer.status);
    if (event === 'progress') onProgress(told as Progress);
    else if (event === 'result') return (told as { readonly report: ReportAnswer }).report;
    else throw new AnswerError(errorIn(told) ?? data, answer.status);
  }
}

function errorIn(answer: unknown): string | undefined {
  const { Error: told } = Object(answer) as { readonly Error?: unknown };
  return typeof told === 'string' ? told : undefined;
}

function checked(answer: unknown, status: number): unknown {
  const told = errorIn(answer);
  if (told !== undefined || status !== 200) throw new AnswerError(told ?? `The node answered with ${status}.`, status);
  return answer;
}
