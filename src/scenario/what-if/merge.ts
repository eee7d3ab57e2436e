/** Merges the parts of a sweep that several machines ran. */

import type { Amount } from '../../primitives/amount-json.js';
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
    | AmountsOf<CostByTime>
    | AmountsOf<StakeUse>,
    true
  >
> = {
  feeSun: true,
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

/**
 * @param parts with their file names
 * @throws VariationError for parts of different sweeps, and for missing settings
 */
export function mergeSweeps(parts: readonly { readonly name: string; readonly sweep: Sweep }[]): Sweep {
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
  if (outcomes.size < common.variants) {
    const there = new Set(parts.map(({ sweep }) => sweep.shard?.part));
    const of = first.sweep.shard?.of ?? 0;
    const missing = Array.from({ length: of }, (_part, i) => i + 1).filter((part) => !there.has(part));
    const which = missing.length === 0 ? '' : `: parts ${missing.join(', ')} of ${of}`;
    throw new VariationError(`${common.variants - outcomes.size} of ${common.variants} settings are missing${which}`);
  }
  return { ...common, outcomes: [...outcomes.values()].sort((a, b) => a.index - b.index) };
}
