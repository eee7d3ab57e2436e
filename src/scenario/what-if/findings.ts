/**
 * Conclusions of a sweep: each decision (`decisions.ts`), the cheapest setting, and one-off costs. As data, and as
 * sentences.
 */

import { formatAverageTrx, formatTrx, formatUnits } from '../../prose/amounts.js';
import { kneeOf, stakeRows } from './break-even.js';
import { decisionsOf, range } from './decisions.js';
import type { ChoiceValue, Decision, Range, StakeDecision, StakeStep, Sweep, VariantOutcome } from './outcome.js';

export interface Findings {
  /** The outcome of the unchanged file, if this part has it. */
  readonly asItIs: VariantOutcome | undefined;
  /** The lowest fee among settings with no more failures than the unchanged file; of equal ones, the smallest stake. */
  readonly cheapest: VariantOutcome | undefined;
  /** Number of settings that are not compared, because more of their transactions fail or are refused. */
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

/** As JSON has it. Parts have no findings: the cheapest setting of a part is not that of the sweep. */
export function withFindings(sweep: Sweep): Sweep {
  if (sweep.shard !== undefined || sweep.stopped) return sweep;
  const { cheapest, decisions, stakeSteps } = findingsOf(sweep);
  return { ...sweep, findings: { cheapest: cheapest?.index ?? 0, decisions, stakeSteps } };
}

/** A setting with more failures costs less because less happens; it is not cheaper. */
function soundOutcomes({ outcomes }: Sweep): readonly VariantOutcome[] {
  const lost = ({ failed, refused }: VariantOutcome) => failed + refused;
  const asItIs = outcomes.find(({ index }) => index === 0);
  const least = asItIs === undefined ? range(outcomes.map(lost)).least : lost(asItIs);
  return outcomes.filter((outcome) => lost(outcome) <= least);
}

function isCheaper(one: VariantOutcome, best: VariantOutcome): boolean {
  if (one.feeSun !== best.feeSun) return one.feeSun < best.feeSun;
  return one.stakedSun < best.stakedSun;
}

/** The settings of a variant in words. */
function settingOf({ variations }: Pick<Sweep, 'variations'>, { index, values }: VariantOutcome): string {
  if (index === 0) return 'the unchanged file';
  return variations.map(({ name }, at) => `${name}=${values[at]}`).join(' ');
}

/** One line for each finding. */
export function findingLines(sweep: Sweep): readonly string[] {
  const findings = findingsOf(sweep);
  const { spoiled, decisions } = findings;
  const lines = [
    ...historyLines(sweep),
    ...decisions.flatMap((decision) => (decision.kind === 'stake' ? stakeLines(decision) : [choiceLine(decision)])),
    ...cheapestLine(sweep, findings),
  ];
  if (spoiled > 0)
    lines.push(`not compared: ${formatUnits(BigInt(spoiled))} settings with more failed or refused transactions`);
  lines.push(...timeLines(sweep, findings), signingLine(sweep));
  if (sweep.stopped) lines.push(`stopped after ${sweep.outcomes.length} of ${sweep.variants} settings`);
  return lines;
}

/** First, because it decides what the other lines are worth. */
function historyLines({ outcomes }: Sweep): readonly string[] {
  const history = outcomes.find(({ index }) => index === 0)?.history;
  if (history === undefined) return [];
  const { transactions, same, differing, otherResult, otherFee, energyWas, energy, feeWasSun, feeSun } = history;
  const other = otherResult === 0 ? '' : `, ${otherResult} another result`;
  const fee = otherFee === 0 ? '' : `, ${otherFee} only another fee`;
  return [
    `of ${formatUnits(BigInt(transactions))} transactions that really happened, ${formatUnits(BigInt(same))} cost the same in the unchanged file; ${formatUnits(BigInt(differing))} have another Energy${other}${fee}: ${formatUnits(energy)} instead of ${formatUnits(energyWas)} Energy, ${formatTrx(feeSun)} instead of ${formatTrx(feeWasSun)}`,
  ];
}

/** The stake up to which each step pays, and the use that it covers. */
function stakeLines(decision: StakeDecision): readonly string[] {
  const { name, knees, steps, smallest } = decision;
  const [knee] = knees;
  if (knee === undefined) return [];
  const last = steps.findLastIndex(({ to }) => to === knee.value);
  const next = steps[last + 1];
  const pays = steps.slice(0, last + 1);
  const parts: string[] = [];
  if (last < 0) parts.push(`stake no more than ${smallest}: no larger stake saves anything`);
  else if (next === undefined) parts.push(`each step pays up to ${knee.value}, the largest value of the sweep`);
  else parts.push(`stake ${knee.value}: larger stakes return less than a tenth of the best step`);
  const others = knees.reduce((sum, { settings }) => sum + settings, 0);
  if (knees.length > 1) parts[0] += ` (in ${knee.settings} of ${others} settings of the other variations)`;
  if (pays.length > 0) parts.push(`the steps up to it return ${percents(pays)} a year`);
  if (next !== undefined)
    parts.push(
      `the next step, ${formatTrx(next.addedSun)}, returns ${percents([next])}${steps[last + 2] ? ', and later steps return no more' : ''}`,
    );
  const rest = knees.slice(1).map(({ value, settings }) => `${value} in ${settings}`);
  if (rest.length > 0) parts.push(`in the other settings: ${rest.join(', ')}`);
  return [`${name}: ${parts.join('; ')}`, ...carryLine(decision, pays.at(-1))];
}

/** Explains why a stake can pay for more use than its daily capacity. */
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
    `${name}=${at.to} has a capacity of ${formatUnits(at.givesADay.most)} ${unit} per day and pays for ${formatUnits(at.carriesADay.most)} per day here, ${times} times as much. Usage recovers linearly over 24 hours: with evenly spread use, half of a day's use has recovered at any time, so a stake pays for up to twice its capacity. For use at one moment it pays for its capacity`,
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
  return `${name}: a day costs ${said(least, 'cheapest')} and ${said(most, 'most expensive')}; ranges are over the other settings`;
}

function cheapestLine(sweep: Sweep, { asItIs, cheapest }: Findings): readonly string[] {
  if (cheapest === undefined) return [];
  const less =
    asItIs === undefined || cheapest === asItIs
      ? ''
      : `, ${formatTrx(asItIs.feeSun - cheapest.feeSun)} less than the unchanged file`;
  const hardly = stakeRows({ variations: sweep.variations, outcomes: soundOutcomes(sweep) }).flatMap((row) => {
    const at = row.outcomes.indexOf(cheapest);
    const from = row.outcomes.indexOf(kneeOf(row));
    const knee = row.outcomes[from];
    if (at <= from || knee === undefined) return [];
    const added = cheapest.stakedSun - knee.stakedSun;
    const percent = row.steps.slice(from, at).reduce((most, step) => Math.max(most, step.yearlyPercent), 0);
    return [
      `; the last ${formatTrx(added)} of its stake (${sweep.variations[row.at]?.name}) return at most ${percent} % a year`,
    ];
  });
  return [`lowest fee: ${settingOf(sweep, cheapest)}: ${formatTrx(cheapest.feeSun)}${less}${hardly.join('')}`];
}

/** The answer of a sweep for people who read one sentence. */
export function cheapestSentence(sweep: Sweep): string {
  const { asItIs, cheapest } = findingsOf(sweep);
  if (cheapest === undefined) return 'No setting was completed.';
  const among = `${formatUnits(sweep.outcomes.length)} settings`;
  if (cheapest === asItIs) return `The unchanged file is the cheapest of ${among}: ${formatTrx(cheapest.feeSun)}.`;
  const less = asItIs && asItIs.feeSun - cheapest.feeSun;
  const saved = less === undefined ? '' : `, ${formatTrx(less)} less than the unchanged file`;
  return `The cheapest of ${among} is ${settingOf(sweep, cheapest)}: ${formatTrx(cheapest.feeSun)}${saved}.`;
}

/** How days and years are measured, and the one-off costs. */
function timeLines({ outcomes }: Sweep, { asItIs, decisions }: Findings): readonly string[] {
  const one = asItIs ?? outcomes[0];
  if (one === undefined) return [];
  const { spanMs, warmupMs, daySun } = one;
  const lines: string[] = [];
  if (warmupMs === 0) {
    lines.push(
      `days and years are measured over all ${lasting(spanMs)} of the scenario and include one-off costs (activations, first writes, deployments). To separate these, run the scenario for three days or more, or set warmup`,
    );
  } else {
    lines.push(
      `days and years are measured over the ${lasting(spanMs - warmupMs)} after the warmup of ${lasting(warmupMs)}: a day costs ${formatAverageTrx(daySun)} in the unchanged file; the warmup ${cost(one)}`,
    );
  }
  if (decisions.some(({ kind }) => kind === 'stake'))
    lines.push('a step of a stake pays if its return is higher than the yield of the same TRX elsewhere');
  return lines;
}

/** At the first step no resource is used yet, so the start can be cheaper than later days. */
function cost({ onceSun, daySun }: VariantOutcome): string {
  const sun = onceSun;
  // A scenario day can be some seconds longer than 24 hours, if the blocks after a maintenance are skipped.
  if ((sun < 0n ? -sun : sun) * 1_000n < daySun) return 'costs the same as an equal time after it';
  if (sun > 0n) return `costs ${formatAverageTrx(sun)} more than an equal time after it: the one-off costs`;
  return `costs ${formatAverageTrx(-sun)} less than an equal time after it, because all resources are unused at the start`;
}

function signingLine({ outcomes }: Sweep): string {
  const highest = (of: (outcome: VariantOutcome) => number) => Math.max(0, range(outcomes.map(of)).most);
  const cameSigned = highest((one) => one.cameSigned);
  const replayed = highest((one) => one.replayed);
  return cameSigned === 0
    ? 'Each variant builds and signs every transaction again, with the keys of the file.'
    : `Up to ${formatUnits(BigInt(cameSigned))} transactions were signed by others: they are replayed unchanged, ${formatUnits(BigInt(replayed))} of them with another reference block and without a signature check. All other transactions are signed again with the keys of the file.`;
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
