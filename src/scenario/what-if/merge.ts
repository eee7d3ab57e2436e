/** Merges the parts of a sweep that several machines ran. */

import type { Amount } from '../../primitives/amount-json.js';
import type { HistoryTotals } from '../results/history.js';
import type { PayerTotals, SourceTotals } from '../results/totals.js';
import type { Sweep, VariantOutcome } from './outcome.js';
import type { CostByTime } from './recurring-cost.js';
import type { StakeUse } from './stake-use.js';
import { VariationError } from './variations.js';

type AmountsOf<Values> = {
  [Name in keyof Values]-?: Exclude<Values[Name], undefined> extends bigint ? Name : never;
}[keyof Values];

/** Amounts in an outcome and its parts: numbers or digits in JSON. */
const AMOUNTS: Readonly<
  Record<
    | AmountsOf<VariantOutcome>
    | AmountsOf<PayerTotals>
    | AmountsOf<SourceTotals>
    | AmountsOf<HistoryTotals>
    | AmountsOf<CostByTime>
    | AmountsOf<StakeUse>,
    true
  >
> = {
  feeSun: true,
  feeWasSun: true,
  energyWas: true,
  bandwidth: true,
  energy: true,
  energyPenalty: true,
  stakedSun: true,
  sun: true,
  bandwidthSun: true,
  energySun: true,
  bandwidthUnits: true,
  energyUnits: true,
  units: true,
  warmupSun: true,
  daySun: true,
  onceSun: true,
  givesADay: true,
  carriesADay: true,
};

interface SweepPart {
  /** The file name. */
  readonly name: string;
  readonly sweep: Sweep;
}

/** Version of the form; older parts lack one-off costs. */
const SWEEP_VERSION = 2;

/**
 * Reads what `sunup run --what-if … --json` wrote.
 *
 * @throws VariationError
 */
export function readSweep(text: string, file: string): Sweep {
  try {
    const { findings: _, ...sweep } = JSON.parse(text, amountsRead) as Partial<Sweep>;
    if (sweep.whatIf === SWEEP_VERSION && Array.isArray(sweep.outcomes) && Array.isArray(sweep.variations))
      return sweep as Sweep;
  } catch {
    // Reported below.
  }
  throw new VariationError(
    `${file} is not a part of a sweep by this version: write parts with sunup run --what-if … --shard I/N --json`,
  );
}

/** Findings have ranges under some of these names. */
function amountsRead(name: string, value: unknown): unknown {
  return Object.hasOwn(AMOUNTS, name) && typeof value !== 'object' ? BigInt(value as Amount) : value;
}

/** @throws VariationError for parts of different sweeps, and for missing parts or settings */
export function mergeSweeps(parts: readonly SweepPart[]): Sweep {
  const [first] = parts;
  if (first === undefined) throw new VariationError('no parts to merge');
  const { shard: _, stopped: __, findings: ___, ...common } = first.sweep;
  const outcomes = new Map<number, VariantOutcome>();
  for (const { name, sweep } of parts) {
    const is = JSON.stringify([sweep.fileDigest, sweep.variations, sweep.variants]);
    if (is !== JSON.stringify([common.fileDigest, common.variations, common.variants]))
      throw new VariationError(`${name} belongs to another sweep than ${first.name}: its file or its values differ`);
    for (const outcome of sweep.outcomes) {
      const known = outcomes.get(outcome.index);
      if (known !== undefined && known.digest !== outcome.digest)
        throw new VariationError(`${name} and another part have different results for setting ${outcome.index}`);
      outcomes.set(outcome.index, outcome);
    }
  }
  if (outcomes.size < common.variants) throw new VariationError(incompleteText(parts, outcomes.size, common.variants));
  return { ...common, outcomes: [...outcomes.values()].sort((a, b) => a.index - b.index) };
}

/** The missing and the unfinished parts, with the next step. */
function incompleteText(parts: readonly SweepPart[], results: number, settings: number): string {
  const given = new Set(parts.map(({ sweep }) => sweep.shard?.part));
  const of = parts[0]?.sweep.shard?.of ?? 0;
  const missing = Array.from({ length: of }, (_, at) => at + 1).filter((part) => !given.has(part));
  const stopped = parts.filter(({ sweep }) => sweep.stopped === true).map(({ name }) => name);
  const count = `the given files have the results of ${results} of ${settings} settings`;
  const causes = [
    ...missing.map(
      (part) => `part ${part} of ${of} is missing: run the sweep with --shard ${part}/${of} and add its file`,
    ),
    ...stopped.map((name) => `${name} was stopped before its end: run that part again`),
  ];
  return [count, ...causes].join('; ');
}
