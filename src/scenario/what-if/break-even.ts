/**
 * Staking against burning: what each larger stake of a sweep saved, and from which yearly yield elsewhere on burning is
 * cheaper.
 */

import { amountOf } from '../../explanation/amount.js';
import type { StakeStep, Sweep, VariantOutcome } from './outcome.js';

const YEAR_MS = 365 * 86_400_000;

const STAKE = /^accounts\.[^.]+\.stake\.(energy|bandwidth)$/;

/** From each stake to the next larger one, all else being equal. */
export function stakeSteps({ variations, outcomes }: Sweep): readonly StakeStep[] {
  const steps: StakeStep[] = [];
  for (const [at, { name }] of variations.entries()) {
    if (!STAKE.test(name)) continue;
    const rows = new Map<string, VariantOutcome[]>();
    for (const outcome of outcomes) {
      if (outcome.index === 0) continue;
      const others = JSON.stringify(outcome.values.filter((_, i) => i !== at));
      rows.set(others, [...(rows.get(others) ?? []), outcome]);
    }
    for (const row of rows.values()) {
      const rising = row.sort((a, b) => Number(BigInt(a.stakedSun) - BigInt(b.stakedSun)));
      for (const [i, to] of rising.entries()) {
        const from = rising[i - 1];
        if (from !== undefined) steps.push(stakeStep(variations, at, from, to));
      }
    }
  }
  return steps;
}

function stakeStep(variations: Sweep['variations'], at: number, from: VariantOutcome, to: VariantOutcome): StakeStep {
  const added = BigInt(to.stakedSun) - BigInt(from.stakedSun);
  const saved = BigInt(from.feeSun) - BigInt(to.feeSun);
  const share = added === 0n ? 0 : Number(saved) / Number(added);
  return {
    name: variations[at]?.name ?? '',
    others: variations.flatMap(({ name }, i) => (i === at ? [] : [`${name}=${to.values[i]}`])),
    from: from.values[at] ?? null,
    to: to.values[at] ?? null,
    addedSun: amountOf(added),
    savedSun: amountOf(saved),
    yearlyPercent: to.spanMs === 0 ? 0 : Math.round(share * (YEAR_MS / to.spanMs) * 10_000) / 100,
  };
}
