/** What a sweep says in words: which setting is the cheapest, and what staking saves against burning (`break-even.ts`). */

import { formatTrx, formatUnits } from '../../prose/amounts.js';
import { stakeSteps } from './break-even.js';
import type { StakeStep, Sweep, VariantOutcome } from './outcome.js';

export interface Findings {
  /** The file as it is, where it is in this part. */
  readonly asItIs: VariantOutcome | undefined;
  /** Least coin of those in which no more fails than in the file as it is; of equals the one with the least stake. */
  readonly cheapest: VariantOutcome | undefined;
  /** Not looked at for the cheapest, because more of its transactions fail or are refused. */
  readonly spoiled: number;
  readonly stakeSteps: readonly StakeStep[];
}

export function findingsOf(sweep: Sweep): Findings {
  const { outcomes } = sweep;
  const asItIs = outcomes.find(({ index }) => index === 0);
  const lost = ({ failed, refused }: VariantOutcome) => failed + refused;
  const least = asItIs === undefined ? Math.min(...outcomes.map(lost)) : lost(asItIs);
  const sound = outcomes.filter((outcome) => lost(outcome) <= least);
  const cheapest = sound.reduce<VariantOutcome | undefined>(
    (best, one) => (best === undefined || isCheaper(one, best) ? one : best),
    undefined,
  );
  return { asItIs, cheapest, spoiled: outcomes.length - sound.length, stakeSteps: stakeSteps(sweep) };
}

function isCheaper(one: VariantOutcome, best: VariantOutcome): boolean {
  if (BigInt(one.feeSun) !== BigInt(best.feeSun)) return BigInt(one.feeSun) < BigInt(best.feeSun);
  return BigInt(one.stakedSun) < BigInt(best.stakedSun);
}

/** The settings of a variant in words. */
function settingOf({ variations }: Pick<Sweep, 'variations'>, { index, values }: VariantOutcome): string {
  if (index === 0) return 'the file as it is';
  return variations.map(({ name }, at) => `${name}=${values[at]}`).join(' ');
}

/**
 * A line for each thing that was found.
 *
 * @param most lines of staking against burning (one for each setting of the other values), and most stakes in one of them
 */
export function findingLines(sweep: Sweep, most = Number.POSITIVE_INFINITY): readonly string[] {
  const { asItIs, cheapest, spoiled, stakeSteps: steps } = findingsOf(sweep);
  const lines: string[] = [];
  if (cheapest !== undefined) {
    const less =
      asItIs === undefined || cheapest === asItIs
        ? ''
        : `, ${formatTrx(BigInt(asItIs.feeSun) - BigInt(cheapest.feeSun))} less than the file as it is`;
    lines.push(`cheapest: ${settingOf(sweep, cheapest)}: ${formatTrx(cheapest.feeSun)}${less}`);
  }
  if (spoiled > 0)
    lines.push(
      `not looked at for that: ${formatUnits(BigInt(spoiled))} settings in which more transactions fail or are refused`,
    );
  if (steps.length > 0)
    lines.push(
      `staking against burning, over the ${days(sweep)} of the scenario; the break-even is the percentage: coin that earns more than that elsewhere is better burned, coin that earns less is better staked`,
    );
  const rows = stakeRows(steps);
  lines.push(...rows.slice(0, most).map((row) => stakeRowText(row, most)));
  if (rows.length > most)
    lines.push(`and ${rows.length - most} further settings of the others (--markdown, --html and --json have all)`);
  const highest = (of: (outcome: VariantOutcome) => number) => Math.max(0, ...sweep.outcomes.map(of));
  const cameSigned = highest((one) => one.cameSigned);
  const replayed = highest((one) => one.replayed);
  const anew =
    cameSigned === 0
      ? 'Every transaction is made and signed anew in each variant, with the keys of the file.'
      : `Up to ${formatUnits(BigInt(cameSigned))} transactions came signed: they are replayed as they are, ${formatUnits(BigInt(replayed))} of them with another reference and without their signatures being checked; all others are signed anew with the keys of the file.`;
  lines.push(anew);
  if (sweep.stopped) lines.push(`stopped: ${sweep.outcomes.length} of ${sweep.variants} settings have run`);
  return lines;
}

/** Steps of one stake, all else being equal, from the smallest on. */
function stakeRows(steps: readonly StakeStep[]): readonly (readonly [StakeStep, ...StakeStep[]])[] {
  const rows = new Map<string, [StakeStep, ...StakeStep[]]>();
  for (const one of steps) {
    const key = JSON.stringify([one.name, one.others]);
    const row = rows.get(key);
    if (row === undefined) rows.set(key, [one]);
    else row.push(one);
  }
  return [...rows.values()];
}

function stakeRowText(row: readonly [StakeStep, ...StakeStep[]], most: number): string {
  const [{ name, others, from }] = row;
  const where = others.length === 0 ? '' : ` (${others.join(' ')})`;
  const parts = row.map(({ to, addedSun, savedSun, yearlyPercent }) => {
    const saves = BigInt(savedSun) > 0n ? `saves ${formatTrx(savedSun)}, ${yearlyPercent} % a year` : 'saves nothing';
    return `to ${to}: ${formatTrx(addedSun)} more ${saves}`;
  });
  // What comes after the last that saves something is one.
  const last = row.findLastIndex(({ savedSun }) => BigInt(savedSun) > 0n) + 1;
  const told = row.length - last > 1 ? [...parts.slice(0, last), `up to ${row.at(-1)?.to}: saves nothing`] : parts;
  const more = told.length > most ? `; and ${told.length - most} larger ones` : '';
  return `${name}${where}: from ${from} ${told.slice(0, most).join('; ')}${more}`;
}

function days({ outcomes }: Sweep): string {
  const spanMs = Math.max(...outcomes.map((one) => one.spanMs));
  const hours = spanMs / 3_600_000;
  return hours < 48 ? `${Math.round(hours * 10) / 10} hours` : `${Math.round((hours / 24) * 10) / 10} days`;
}
