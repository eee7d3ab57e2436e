/**
 * Fee scenarios in tests and programs: `import { runScenario } from 'sunup/scenario'`. The same fold as `sunup run`, so a
 * scenario comes to the same digest and the same sun.
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

/** The path of a file, or what would stand in one: `{ accounts: { shop: '1_000 TRX' }, steps: […] }`. */
export type ScenarioSource = string | URL | { readonly steps: readonly unknown[]; readonly [part: string]: unknown };

export interface ScenarioOptions extends NetworkOptions {
  /** From where artifacts are looked for. Default: the folder of the file; of an object, the working directory. */
  readonly folder?: string;
  /** Keeps the chain in this empty folder, on LevelDB. Default: in memory. */
  readonly db?: string;
  /**
   * Told each thing when it has happened; `results` stays empty then, so that memory does not grow with the length of a
   * run.
   */
  readonly onResult?: (result: Result) => void;
  /** Writes the snapshot beside the file (`X.snap.yaml`), which later runs are compared with. Default: compares. */
  readonly update?: boolean;
}

export interface ScenarioRun extends Omit<RunEnd, 'results'> {
  /** Coin in sun, bytes, Energy: of all, by step, by payer, by source. */
  readonly totals: RunTotals;
  /** Everything that happened, in its order. */
  readonly results: readonly Result[];
  /** Of `results`, what was sent. */
  readonly transactions: readonly TransactionResult[];
  /**
   * What does not hold of the file's expectations and of the snapshot beside it, each as `sunup run` says it. Empty where
   * all is as it should be.
   */
  readonly differences: readonly string[];
}

/**
 * Runs a scenario on a chain of its own.
 *
 * @throws ScenarioError with everything that is wrong with it, each with its place (`problems`)
 * @throws OptionError for a `db` that holds a chain already
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
    told: (result) => {
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
 * Runs a scenario as it is, and with each combination of other values; one after the other, on this thread (`sunup run
 * --what-if` takes all processors).
 *
 * @param values by what they replace: a chain parameter, or a place of the file
 * @throws VariationError for values that cannot be, ScenarioError for a scenario that cannot be
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
  /** Whether there may be one beside it. */
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
  // What has no lines has paths.
  const place = ({ path: where, message }: Problem) => ({
    file: pathText(where) || 'scenario',
    line: 0,
    column: 0,
    message,
  });
  return { document: { file: 'scenario', value, place }, text, folder: folder ?? '.', snapshot: false };
}
