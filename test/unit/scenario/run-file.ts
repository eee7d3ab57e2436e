/** Scenarios for tests: a text run to its end. */

import { readFileSync } from 'node:fs';
import { readScenario } from '../../../src/scenario/reader/read-scenario.js';
import type { Result, RunEnd, TransactionResult } from '../../../src/scenario/results/result.js';
import { type RunTotals, Totals } from '../../../src/scenario/results/totals.js';
import { artifactsOf } from '../../../src/scenario/run/artifact-files.js';
import { runScenario } from '../../../src/scenario/run/run.js';

export interface Ran {
  readonly results: readonly Result[];
  /** Of transactions only. */
  readonly transactions: readonly TransactionResult[];
  readonly totals: RunTotals;
  readonly end: RunEnd;
}

/** @param directory for LevelDB; absent: in memory */
export async function runText(text: string, directory?: string): Promise<Ran> {
  const scenario = readScenario(text, 'test.scenario.yaml');
  const artifacts = await artifactsOf(scenario, (name) => readFileSync(`fixtures/contracts/${name}`, 'utf8'));
  const running = runScenario(scenario, { artifacts, directory });
  const results: Result[] = [];
  const totals = new Totals(scenario.network.recorded !== undefined);
  for (;;) {
    const { done, value } = await running.next();
    if (done) {
      const transactions = results.filter((result) => result.kind === 'transaction');
      return { results, transactions, totals: totals.get(), end: value };
    }
    results.push(value);
    totals.add(value);
  }
}

/** The problems of a text, as the command prints them. */
export function problemsOf(text: string): string {
  try {
    readScenario(text, 'a.yaml');
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}
