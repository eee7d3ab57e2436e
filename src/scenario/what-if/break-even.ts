/**
 * Staking against burning: the yearly saving of each larger stake in a sweep, and the yield elsewhere above which
 * burning is cheaper. Costs of the warmup do not count, because they are one-off.
 */

import type { StakeStep, Sweep, VariantOutcome } from './outcome.js';
import { scaled, YEAR_MS } from './recurring-cost.js';

const STAKE = /^accounts\.([^.]+)\.stake\.(energy|bandwidth)$/;

/** The account and resource whose stake a variation changes; undefined for other variations. */
export function stakeOfVariation(name: string) {
  const [, account, resource] = STAKE.exec(name) ?? [];
  return account === undefined ? undefined : { account, resource: resource as 'energy' | 'bandwidth' };
}

/** Outcomes that differ only in one stake, smallest stake first. */
export interface StakeRow {
  /** Index of the variation. */
  readonly at: number;
  readonly outcomes: readonly VariantOutcome[];
  /** One fewer than the outcomes. */
  readonly steps: readonly StakeStep[];
}

/** One row for each stake of a sweep and each setting of the other variations. */
export function stakeRows({ variations, outcomes }: Pick<Sweep, 'variations' | 'outcomes'>): readonly StakeRow[] {
  return variations.flatMap(({ name }, at) => {
    if (stakeOfVariation(name) === undefined) return [];
    const rows = new Map<string, VariantOutcome[]>();
    for (const outcome of outcomes) {
      if (outcome.index === 0) continue;
      const others = JSON.stringify(outcome.values.filter((_, i) => i !== at));
      const row = rows.get(others);
      if (row === undefined) rows.set(others, [outcome]);
      else row.push(outcome);
    }
    return [...rows.values()].map((row) => {
      const rising = row.sort((a, b) => Number(a.stakedSun - b.stakedSun));
      return { at, outcomes: rising, steps: stepsOf(variations, at, rising) };
    });
  });
}

/** Recurring cost of a year. */
function yearlySun({ feeSun, warmupSun, spanMs, warmupMs }: VariantOutcome): bigint {
  return scaled(feeSun - warmupSun, YEAR_MS, spanMs - warmupMs);
}

/** Yearly saving of `to` over `from`, as a percentage of the added stake. */
function yearlyPercent(from: VariantOutcome, to: VariantOutcome): number {
  const added = to.stakedSun - from.stakedSun;
  return added === 0n ? 0 : Math.round((Number(yearlySun(from) - yearlySun(to)) / Number(added)) * 10_000) / 100;
}

function stepsOf(variations: Sweep['variations'], at: number, rising: readonly VariantOutcome[]): readonly StakeStep[] {
  const worth = worthBelow(rising);
  return rising.slice(1).map((to, i): StakeStep => {
    const from = rising[i] as VariantOutcome;
    return {
      name: variations[at]?.name ?? '',
      others: variations.flatMap(({ name }, other) => (other === at ? [] : [`${name}=${to.values[other]}`])),
      from: from.values[at] ?? null,
      to: to.values[at] ?? null,
      addedSun: to.stakedSun - from.stakedSun,
      savedSun: from.feeSun - to.feeSun,
      yearlySun: yearlySun(from) - yearlySun(to),
      yearlyPercent: yearlyPercent(from, to),
      worthBelowPercent: worth.get(to) ?? null,
    };
  });
}

/** Rounding to whole transactions and units makes equal steps differ slightly. */
const CLEARLY_MORE = 1.02;

/**
 * For each stake: the yearly yield elsewhere below which this stake is better than the one before it. A step that
 * returns less than the next one is merged with it. For example, a stake pays for all bytes of a transaction or for
 * none, so half of a stake may save nothing. Stakes inside a merged step, and stakes that save nothing, are omitted.
 */
function worthBelow(rising: readonly VariantOutcome[]): ReadonlyMap<VariantOutcome, number> {
  const stops: { readonly outcome: VariantOutcome; readonly percent: number }[] = [];
  const [first] = rising;
  for (const outcome of rising.slice(1)) {
    for (;;) {
      const before = stops.at(-1);
      const percent = yearlyPercent(before?.outcome ?? (first as VariantOutcome), outcome);
      if (before !== undefined && percent > before.percent * CLEARLY_MORE) stops.pop();
      else {
        stops.push({ outcome, percent });
        break;
      }
    }
  }
  return new Map(stops.flatMap(({ outcome, percent }) => (percent > 0 ? [[outcome, percent]] : [])));
}

/** A step below this fraction of the best step's return is not worth its stake. */
export const WORTHWHILE_FRACTION = 1 / 10;

/**
 * The last stake before every further step returns less than a tenth of the best one; the smallest stake if none saves
 * anything.
 */
export function kneeOf({ outcomes, steps }: StakeRow): VariantOutcome {
  const best = Math.max(0, ...steps.map(({ worthBelowPercent }) => worthBelowPercent ?? 0));
  const last =
    best === 0 ? -1 : steps.findLastIndex((step) => (step.worthBelowPercent ?? 0) >= best * WORTHWHILE_FRACTION);
  return outcomes[last + 1] as VariantOutcome;
}
