/**
 * What a sweep says: what each decision comes to (`decisions.ts`), which setting takes the least coin, and what comes once.
 * As data, and in sentences.
 */

import { formatAverageTrx, formatTrx, formatUnits } from '../../prose/amounts.js';
import { kneeOf, stakeRows } from './break-even.js';
import { decisionsOf } from './decisions.js';
import type { ChoiceValue, Decision, Range, StakeDecision, StakeStep, Sweep, VariantOutcome } from './outcome.js';

export interface Findings {
  /** The file as it is, where it is in this part. */
  readonly asItIs: VariantOutcome | undefined;
  /** Least coin of those in which no more fails than in the file as it is; of equals the one with the least stake. */
  readonly cheapest: VariantOutcome | undefined;
  /** Not compared, because more of their transactions fail or are refused. */
  readonly spoiled: number;
  /** One for each variation. */
  readonly decisions: readonly Decision[];
  /** Each step of each stake, in each setting of the other variations. */
  readonly stakeSteps: readonly StakeStep[];
}

export function findingsOf(sweep: Sweep): Findings {
  const { variations, outcomes } = sweep;
  const asItIs = outcomes.find(({ index }) => index === 0);
  const sound = soundOutcomes(sweep);
  const cheapest = sound.reduce<VariantOutcome | undefined>(
    (best, one) => (best === undefined || isCheaper(one, best) ? one : best),
    undefined,
  );
  return {
    asItIs,
    cheapest,
    spoiled: outcomes.length - sound.length,
    decisions: decisionsOf({ variations, outcomes: sound }),
    stakeSteps: stakeRows({ variations, outcomes: sound }).flatMap(({ steps }) => steps),
  };
}

/** A setting in which less happens costs less, and is not cheaper. */
function soundOutcomes({ outcomes }: Sweep): readonly VariantOutcome[] {
  const lost = ({ failed, refused }: VariantOutcome) => failed + refused;
  const asItIs = outcomes.find(({ index }) => index === 0);
  const least = asItIs === undefined ? Math.min(...outcomes.map(lost)) : lost(asItIs);
  return outcomes.filter((outcome) => lost(outcome) <= least);
}

function isCheaper(one: VariantOutcome, best: VariantOutcome): boolean {
  if (one.feeSun !== best.feeSun) return one.feeSun < best.feeSun;
  return one.stakedSun < best.stakedSun;
}

/** The settings of a variant in words. */
function settingOf({ variations }: Pick<Sweep, 'variations'>, { index, values }: VariantOutcome): string {
  if (index === 0) return 'the file as it is';
  return variations.map(({ name }, at) => `${name}=${values[at]}`).join(' ');
}

/** A line for each thing that was found. */
export function findingLines(sweep: Sweep): readonly string[] {
  const findings = findingsOf(sweep);
  const { spoiled, decisions } = findings;
  const lines = [
    ...decisions.flatMap((decision) => (decision.kind === 'stake' ? stakeLines(decision) : [choiceLine(decision)])),
    ...cheapestLine(sweep, findings),
  ];
  if (spoiled > 0)
    lines.push(`not compared: ${formatUnits(BigInt(spoiled))} settings in which more transactions fail or are refused`);
  lines.push(...timeLines(sweep, findings), signingLine(sweep));
  if (sweep.stopped) lines.push(`stopped: ${sweep.outcomes.length} of ${sweep.variants} settings have run`);
  return lines;
}

/** The point from which more hardly pays, and what the stake at that point carries. */
function stakeLines(decision: StakeDecision): readonly string[] {
  const { name, knees, steps, smallest } = decision;
  const [knee] = knees;
  if (knee === undefined) return [];
  const last = steps.findLastIndex(({ to }) => to === knee.value);
  const next = steps[last + 1];
  const pays = steps.slice(0, last + 1);
  const parts: string[] = [];
  if (last < 0) parts.push(`no more than ${smallest} pays`);
  else if (next === undefined) parts.push(`up to ${knee.value}, the largest value here, each step pays`);
  else parts.push(`${knee.value} is the point from which more hardly pays`);
  const others = knees.reduce((sum, { settings }) => sum + settings, 0);
  if (knees.length > 1) parts[0] += ` in ${knee.settings} of ${others} settings of the others`;
  if (pays.length > 0) parts.push(`the steps up to there return ${percents(pays)} a year`);
  if (next !== undefined)
    parts.push(
      `${formatTrx(next.addedSun)} more return ${percents([next])}${steps[last + 2] ? ', and further ones no more than that' : ''}`,
    );
  const rest = knees.slice(1).map(({ value, settings }) => `${value} in ${settings}`);
  if (rest.length > 0) parts.push(`elsewhere the point is ${rest.join(', ')}`);
  return [`${name}: ${parts.join('; ')}`, ...carryLine(decision, pays.at(-1))];
}

/** Why a stake carries more than it gives. */
function carryLine(
  { name, resource }: StakeDecision,
  at: StakeDecision['steps'][number] | undefined,
): readonly string[] {
  if (at === undefined) return [];
  const [gives, carries] = [Number(at.givesADay.most), Number(at.carriesADay.most)];
  const unit = resource === 'energy' ? 'Energy' : 'bytes';
  if (gives === 0 || carries <= gives) return [];
  const times = Math.round((carries / gives) * 100) / 100;
  return [
    `${name}=${at.to} gives ${formatUnits(at.givesADay.most)} ${unit} a day and carries ${formatUnits(at.carriesADay.most)} a day here, ${times} times as much: each use comes back evenly over its own 24 hours, so of use that is spread evenly over the day half is in use at a time, and a stake carries up to twice what it gives; of use that comes all at once it carries what it gives`,
  ];
}

function choiceLine({
  name,
  least,
  most,
}: {
  readonly name: string;
  readonly least: ChoiceValue;
  readonly most: ChoiceValue;
}) {
  const said = ({ value, daySun }: ChoiceValue, which: string) => `${coins(daySun)} at ${value} (${which})`;
  if (least.value === most.value) return `${name}: a day costs ${coins(least.daySun)} at ${least.value}`;
  return `${name}: a day costs ${said(least, 'least')} and ${said(most, 'most')}, by the other settings`;
}

function cheapestLine(sweep: Sweep, { asItIs, cheapest }: Findings): readonly string[] {
  if (cheapest === undefined) return [];
  const less =
    asItIs === undefined || cheapest === asItIs
      ? ''
      : `, ${formatTrx(asItIs.feeSun - cheapest.feeSun)} less than the file as it is`;
  const hardly = stakeRows({ variations: sweep.variations, outcomes: soundOutcomes(sweep) }).flatMap((row) => {
    const at = row.outcomes.indexOf(cheapest);
    const from = row.outcomes.indexOf(kneeOf(row));
    const knee = row.outcomes[from];
    if (at <= from || knee === undefined) return [];
    const added = cheapest.stakedSun - knee.stakedSun;
    const percent = row.steps.slice(from, at).reduce((most, step) => Math.max(most, step.yearlyPercent), 0);
    return [
      `; of its stake the last ${formatTrx(added)} (${sweep.variations[row.at]?.name}) hardly pay: they return ${percent} % a year at most`,
    ];
  });
  return [`least coin: ${settingOf(sweep, cheapest)}: ${formatTrx(cheapest.feeSun)}${less}${hardly.join('')}`];
}

/** What recurs and what comes once, and what a year is made of. */
function timeLines({ outcomes }: Sweep, { asItIs, decisions }: Findings): readonly string[] {
  const one = asItIs ?? outcomes[0];
  if (one === undefined) return [];
  const { spanMs, warmupMs, daySun } = one;
  const lines: string[] = [];
  if (warmupMs === 0) {
    lines.push(
      `days and years are those of all ${lasting(spanMs)} of the scenario: what comes once (activations, first writes, deployments) is in them; let the scenario run for three days or more, or give it a warmup, to tell it apart`,
    );
  } else {
    lines.push(
      `days and years are those of the ${lasting(spanMs - warmupMs)} after the warmup, which is the first ${lasting(warmupMs)}: there a day costs ${formatAverageTrx(daySun)} in the file as it is; the warmup ${cost(one)}`,
    );
  }
  if (decisions.some(({ kind }) => kind === 'stake'))
    lines.push(
      'a step of a stake is worth it for coin that earns less elsewhere than the step returns; it hardly pays where it returns less than a tenth of the best step',
    );
  return lines;
}

/** Resources are full when the first step comes: a stake can make the beginning cheaper than what follows. */
function cost({ onceSun, daySun }: VariantOutcome): string {
  const sun = onceSun;
  // Days of a scenario are some seconds longer than 24 hours where the blocks of an epoch's end are skipped.
  if ((sun < 0n ? -sun : sun) * 1_000n < daySun) return 'costs no more than as much time after it';
  if (sun > 0n) return `costs ${formatAverageTrx(sun)} more than as much time after it, which comes once`;
  return `costs ${formatAverageTrx(-sun)} less than as much time after it, because nothing is in use yet of what accounts have`;
}

function signingLine({ outcomes }: Sweep): string {
  const highest = (of: (outcome: VariantOutcome) => number) => Math.max(0, ...outcomes.map(of));
  const cameSigned = highest((one) => one.cameSigned);
  const replayed = highest((one) => one.replayed);
  return cameSigned === 0
    ? 'Every transaction is made and signed anew in each variant, with the keys of the file.'
    : `Up to ${formatUnits(BigInt(cameSigned))} transactions came signed: they are replayed as they are, ${formatUnits(BigInt(replayed))} of them with another reference and without their signatures being checked; all others are signed anew with the keys of the file.`;
}

function percents(steps: StakeDecision['steps']): string {
  const least = Math.min(...steps.map(({ yearlyPercent }) => yearlyPercent.least));
  const most = Math.max(...steps.map(({ yearlyPercent }) => yearlyPercent.most));
  return percentRange({ least, most });
}

export function percentRange({ least, most }: Range<number | null>): string {
  const [low, high] = [least, most].map((percent) => (percent === null ? 'never' : `${percent} %`)) as [string, string];
  if (low === high) return low;
  return least === null || most === null ? `${low} to ${high}` : `${least} to ${high}`;
}

/** Averages. */
export function coins({ least, most }: Range<bigint>): string {
  const [low, high] = [formatAverageTrx(least), formatAverageTrx(most)];
  return low === high ? low : `${low.replace(' TRX', '')} to ${high}`;
}

function lasting(ms: number): string {
  const hours = ms / 3_600_000;
  return hours < 48 ? `${Math.round(hours * 10) / 10} hours` : `${Math.round((hours / 24) * 10) / 10} days`;
}
