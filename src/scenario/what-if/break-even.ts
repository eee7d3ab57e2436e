/**
 * Staking against burning: what each larger stake of a sweep saves a year, and at which yearly yield elsewhere burning is
 * cheaper. What the warmup cost is not in it: it comes once.
 */

import type { StakeStep, Sweep, VariantOutcome } from './outcome.js';
import { scaled, YEAR_MS } from './recurring-cost.js';

const STAKE = /^accounts\.([^.]+)\.stake\.(energy|bandwidth)$/;

/** Whose stake for what a variation is; undefined where it is none. */
export function stakeOfVariation(name: string) {
  const [, account, resource] = STAKE.exec(name) ?? [];
  return account === undefined ? undefined : { account, resource: resource as 'energy' | 'bandwidth' };
}

/** Outcomes that differ in one stake alone, from the smallest stake on. */
export interface StakeRow {
  /** Which variation. */
  readonly at: number;
  readonly outcomes: readonly VariantOutcome[];
  /** One less than the outcomes. */
  readonly steps: readonly StakeStep[];
}

/** A row for each stake of a sweep and each setting of the other variations. */
export function stakeRows({ variations, outcomes }: Pick<Sweep, 'variations' | 'outcomes'>): readonly StakeRow[] {
  return variations.flatMap(({ name }, at) => {
    if (stakeOfVariation(name) === undefined) return [];
    const rows = new Map<string, VariantOutcome[]>();
    for (const outcome of outcomes) {
      if (outcome.index === 0) continue;
      const others = JSON.stringify(outcome.values.filter((_, i) => i !== at));
      rows.set(others, [...(rows.get(others) ?? []), outcome]);
    }
    return [...rows.values()].map((row) => {
      const rising = row.sort((a, b) => Number(a.stakedSun - b.stakedSun));
      return { at, outcomes: rising, steps: stepsOf(variations, at, rising) };
    });
  });
}

/** What recurs, for a year of it. */
function yearlySun({ feeSun, warmupSun, spanMs, warmupMs }: VariantOutcome): bigint {
  return scaled(feeSun - warmupSun, YEAR_MS, spanMs - warmupMs);
}

/** What `to` saves a year over `from`, in percent of the coin that it stakes in addition. */
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

/** Whole transactions and whole units make steps differ that are the same. */
const CLEARLY_MORE = 1.02;

/**
 * Below which yearly yield elsewhere each stake is a better place to stop than the one before it. Steps that return less
 * than the step after them are taken together with it: bytes, say, are paid by a stake for all of a transaction or not at
 * all, so half of a stake may save nothing. Stakes within such a step, and those that save nothing more, are not there.
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

/** A step that returns less than this part of what the best one returns hardly pays. */
export const HARDLY = 1 / 10;

/** The stake after which no step returns as much as a tenth of the best one; the smallest where none saves anything. */
export function kneeOf({ outcomes, steps }: StakeRow): VariantOutcome {
  const best = Math.max(0, ...steps.map(({ worthBelowPercent }) => worthBelowPercent ?? 0));
  const last = best === 0 ? -1 : steps.findLastIndex((step) => (step.worthBelowPercent ?? 0) >= best * HARDLY);
  return outcomes[last + 1] as VariantOutcome;
}
