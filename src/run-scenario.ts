/**
 * Fee scenarios in tests and programs: `import { runScenario } from 'sunup/scenario'`. The engine of `sunup run`, with
 * the same digest and the same amounts.
 */

import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { SharedRows } from './fork/rows/shared-rows.js';
import type { NetworkOptions } from './options/network-options.js';
import { OptionError } from './options/option-error.js';
import { readDocument, type ScenarioDocument } from './scenario/format/document.js';
import { withFork } from './scenario/format/fork-fields.js';
import { type Problem, pathText, ScenarioError } from './scenario/format/problems.js';
import { checkScenario } from './scenario/reader/read-scenario.js';
import type { Result, RunEnd, TransactionResult } from './scenario/results/result.js';
import type { RunTotals } from './scenario/results/totals.js';
import { type Findings, findingsOf } from './scenario/what-if/findings.js';
import type { Sweep, VariantOutcome } from './scenario/what-if/outcome.js';
import { fileDigest, runVariant } from './scenario/what-if/run-variant.js';
import { sweepOf } from './scenario/what-if/sweep-input.js';
import { type GivenValue, VariationError, variantsOf } from './scenario/what-if/variations.js';
import { differencesFromSnapshot, differencesIn } from './scenario-files/differences.js';
import { forkInstead, networkOf } from './scenario-files/open-network.js';
import { artifactsFrom, textOf } from './scenario-files/read-files.js';
import { runToEnd } from './scenario-files/run-to-end.js';

export { type Json, toJson } from './primitives/amount-json.js';
export type { PlacedProblem } from './scenario/format/problems.js';
export type { FailureTotals } from './scenario/results/failures.js';
export type {
  Difference,
  EnergyUse,
  GroupResult,
  OperationResult,
  Paid,
  TimeResult,
} from './scenario/results/result.js';
export type { PayerTotals, SourceTotals, StepTotals } from './scenario/results/totals.js';
export type { Findings, GivenValue, Result, RunEnd, RunTotals, Sweep, TransactionResult, VariantOutcome };
export { OptionError, ScenarioError, VariationError };

/** The path of a file, or its content as an object: `{ accounts: { shop: '1_000 TRX' }, steps: […] }`. */
export type ScenarioSource = string | URL | { readonly steps: readonly unknown[]; readonly [part: string]: unknown };

export interface ScenarioOptions extends NetworkOptions {
  /**
   * The folder in which artifacts are searched. Default: the folder of the file; for an object, the working directory.
   */
  readonly folder?: string;
  /** Keeps the chain in this empty folder, on LevelDB. Default: in memory. */
  readonly db?: string;
  /**
   * Called with each result. `results` is then empty: memory does not grow with the length of the run.
   */
  readonly onResult?: (result: Result) => void;
  /** Writes the snapshot next to the file (`X.snap.yaml`). Default: compares the run with it. */
  readonly update?: boolean;
}

export interface ScenarioRun extends Omit<RunEnd, 'results'> {
  /** Totals in sun, bytes and Energy: overall, by step, by payer, by source. */
  readonly totals: RunTotals;
  /** All results in order. */
  readonly results: readonly Result[];
  /** The sent transactions among `results`. */
  readonly transactions: readonly TransactionResult[];
  /**
   * Failed expectations of the file and differences from its snapshot, in the words of `sunup run`. Empty if there are
   * none.
   */
  readonly differences: readonly string[];
}

/**
 * Runs a scenario on a new chain.
 *
 * @throws ScenarioError with all problems of the scenario and their places (`problems`)
 * @throws OptionError if `db` already holds a chain
 * @example
 * const run = await runScenario('costs/day.scenario.yaml');
 * expect(run.differences).toEqual([]);
 * expect(run.totals.feeSun).toBeLessThan(5_000_000n);
 */
export async function runScenario(source: ScenarioSource, options: ScenarioOptions = {}): Promise<ScenarioRun> {
  const { document, folder, snapshot } = read(source, options);
  const { file } = document;
  const scenario = checkScenario(withFork(document, forkInstead(document, options)));
  const results: Result[] = [];
  const differences: string[] = [];
  const network = await networkOf(scenario, folder, options);
  const { totals, end } = await runToEnd(scenario, {
    artifacts: await artifactsFrom(folder, scenario),
    network,
    db: options.db,
    onResult: (result) => {
      differences.push(...differencesIn(file, result));
      if (options.onResult === undefined) results.push(result);
      else options.onResult(result);
    },
  }).finally(() => network?.close());
  if (snapshot) differences.push(...differencesFromSnapshot(file, totals, options.update ?? false));
  const transactions = results.filter((result) => result.kind === 'transaction');
  return { ...end, totals, results, transactions, differences };
}

export interface WhatIfRun extends Omit<Sweep, 'findings'>, Findings {}

/**
 * Runs a scenario unchanged, and with each combination of other values; one after the other, on this thread (`sunup run
 * --what-if` uses all processors).
 *
 * @param values the values by name: a chain parameter, or a place in the file
 * @throws VariationError for invalid values, ScenarioError for an invalid scenario
 * @example
 * const { cheapest } = await whatIf('day.scenario.yaml', {
 *   getEnergyFee: [100, 210],
 *   'accounts.shop.stake.energy': [0, '10_000 TRX'],
 * });
 */
export async function whatIf(
  source: ScenarioSource,
  values: Readonly<Record<string, readonly (GivenValue | bigint)[]>>,
  options: Pick<ScenarioOptions, 'folder' | keyof NetworkOptions> = {},
): Promise<WhatIfRun> {
  const { document, text, folder } = read(source, options);
  const { file } = document;
  const given = Object.entries(values).map(([name, all]) => {
    if (all.length === 0) throw new VariationError(`${name}: expected at least one value`);
    return { name, values: all.map((value) => (typeof value === 'bigint' ? String(value) : value)) };
  });
  const fork = forkInstead(document, options);
  const { scenario, variations } = sweepOf(withFork(document, fork), given);
  const input = { file, text, variations, artifacts: await artifactsFrom(folder, scenario), fork };
  const variants = variantsOf(variations);
  const outcomes: VariantOutcome[] = [];
  const network = await networkOf(scenario, folder, options);
  const shared = network && { ...network, rows: new SharedRows(network.rows) };
  try {
    for (const variant of variants) outcomes.push(await runVariant(input, variant, shared));
  } finally {
    await network?.close();
  }
  const sweep: Sweep = {
    whatIf: 2,
    file,
    ...(scenario.about !== undefined && { about: scenario.about }),
    fileDigest: fileDigest(text),
    variations,
    variants: variants.length,
    outcomes,
  };
  return { ...sweep, ...findingsOf(sweep) };
}

interface Source {
  readonly document: ScenarioDocument;
  readonly text: string;
  readonly folder: string;
  /** Whether a snapshot can be next to it. */
  readonly snapshot: boolean;
}

function read(source: ScenarioSource, { folder, update = false }: ScenarioOptions): Source {
  if (typeof source === 'string' || source instanceof URL) {
    const file = typeof source === 'string' ? source : fileURLToPath(source);
    const text = textOf(file);
    return { document: readDocument(text, file), text, folder: folder ?? path.dirname(file), snapshot: true };
  }
  if (update) throw new OptionError('update', 'goes with a file', 'An object has no snapshot beside it');
  const text = JSON.stringify(source, (_, value) => (typeof value === 'bigint' ? String(value) : value));
  const { value } = readDocument(text, 'scenario');
  // A problem of an object has a path instead of a line.
  const place = ({ path: where, message }: Problem) => ({
    file: pathText(where) || 'scenario',
    line: 0,
    column: 0,
    message,
  });
  return { document: { file: 'scenario', value, place }, text, folder: folder ?? '.', snapshot: false };
}
