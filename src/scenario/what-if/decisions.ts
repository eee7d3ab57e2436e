/** Findings of a sweep: one for each variation, over all settings of the others. */

import { kneeOf, type StakeRow, stakeOfVariation, stakeRows } from './break-even.js';
import type {
  ChoiceDecision,
  ChoiceValue,
  Decision,
  Range,
  StakeDecision,
  StakeStep,
  Sweep,
  VariantOutcome,
} from './outcome.js';
import type { GivenValue } from './variations.js';

/** @param sweep with the outcomes to compare */
export function decisionsOf(sweep: Pick<Sweep, 'variations' | 'outcomes'>): readonly Decision[] {
  const rows = stakeRows(sweep);
  return sweep.variations.flatMap(({ name }, at): readonly Decision[] => {
    const stake = stakeOfVariation(name);
    if (stake === undefined) return choice(sweep.outcomes, name, at);
    const own = rows.filter((row) => row.at === at);
    return own.length === 0 ? [] : [stakeDecision(own, name, stake)];
  });
}

function stakeDecision(
  rows: readonly StakeRow[],
  name: string,
  stake: NonNullable<ReturnType<typeof stakeOfVariation>>,
): StakeDecision {
  const at = rows[0]?.at ?? 0;
  const knees = new Map<GivenValue, number>();
  for (const row of rows) {
    const value = kneeOf(row).values[at] ?? null;
    knees.set(value, (knees.get(value) ?? 0) + 1);
  }
  // Settings with more failures are left out, so rows may have different ends.
  const steps = new Map<string, { readonly step: StakeStep; readonly to: VariantOutcome }[]>();
  for (const { outcomes, steps: own } of rows) {
    for (const [i, step] of own.entries()) {
      const key = JSON.stringify([step.from, step.to]);
      const all = steps.get(key) ?? [];
      if (all.length === 0) steps.set(key, all);
      all.push({ step, to: outcomes[i + 1] as VariantOutcome });
    }
  }
  return {
    kind: 'stake',
    name,
    resource: stake.resource,
    knees: [...knees].map(([value, settings]) => ({ value, settings })).sort((a, b) => b.settings - a.settings),
    smallest: rows[0]?.outcomes[0]?.values[at] ?? null,
    steps: [...steps.values()].map((all) => {
      const [first] = all as [(typeof all)[number]];
      const uses = all.map(({ to: { stakeUses } }) =>
        stakeUses.find(({ account, resource }) => account === stake.account && resource === stake.resource),
      );
      return {
        from: first.step.from,
        to: first.step.to,
        addedSun: first.step.addedSun,
        yearlySun: amountRange(all.map(({ step }) => step.yearlySun)),
        yearlyPercent: range(all.map(({ step }) => step.yearlyPercent)),
        worthBelowPercent: worthRange(all.map(({ step }) => step.worthBelowPercent)),
        givesADay: amountRange(uses.map((use) => use?.givesADay ?? 0n)),
        carriesADay: amountRange(uses.map((use) => use?.carriesADay ?? 0n)),
      };
    }),
  };
}

function choice(outcomes: readonly VariantOutcome[], name: string, at: number): readonly ChoiceDecision[] {
  const days = new Map<GivenValue, bigint[]>();
  for (const { index, values, daySun } of outcomes) {
    if (index === 0) continue;
    const value = values[at] ?? null;
    const all = days.get(value) ?? [];
    if (all.length === 0) days.set(value, all);
    all.push(daySun);
  }
  const values = [...days].map(([value, all]) => ({
    value,
    mean: all.reduce<number>((sum, one) => sum + Number(one), 0) / all.length,
    daySun: amountRange(all),
  }));
  const [first] = values;
  if (first === undefined) return [];
  const least = values.reduce((best, one) => (one.mean < best.mean ? one : best), first);
  const most = values.reduce((best, one) => (one.mean > best.mean ? one : best), first);
  const choiceOf = ({ value, daySun }: typeof first): ChoiceValue => ({ value, daySun });
  return [{ kind: 'choice', name, least: choiceOf(least), most: choiceOf(most) }];
}

/** Not `Math.min(...values)`: a sweep has more settings than a call may have arguments. */
export function range(values: readonly number[]): Range<number> {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  return { least, most };
}

function worthRange(values: readonly (number | null)[]): Range<number | null> {
  const there = values.filter((value) => value !== null);
  const { least, most } = range(there);
  return { least: there.length < values.length ? null : least, most: there.length === 0 ? null : most };
}

function amountRange(values: readonly bigint[]): Range<bigint> {
  const sorted = [...values].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  return { least: sorted[0] ?? 0n, most: sorted.at(-1) ?? 0n };
}
