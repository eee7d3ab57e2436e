/** A sweep as a table, as CSV, and as a report. */

import type { Report, Section } from '../../prose/report.js';
import type { Scenario } from '../format/scenario.js';
import { stakeOfVariation } from '../what-if/break-even.js';
import { cheapestSentence, coins, type Findings, findingLines, findingsOf, percentRange } from '../what-if/findings.js';
import type { Decision, Sweep } from '../what-if/outcome.js';
import { assumptionsOf } from './assumptions.js';
import { sectionCsv } from './csv.js';
import { escaped as escapedMarkdown, sectionMarkdown } from './markdown.js';
import { withoutEmptyColumns } from './sections.js';
import { sweepPlots } from './sweep-plots.js';
import { sectionTable } from './table.js';

/**
 * One row for each setting; the first is the unchanged file. For each stake, a column has the return of the step from
 * the next smaller stake, all else being equal.
 */
function settingsSection(sweep: Sweep, { asItIs, stakeSteps }: Findings): Section {
  const { variations, outcomes } = sweep;
  const stakes = variations.filter(({ name }) => stakeOfVariation(name) !== undefined);
  const returns = new Map(stakeSteps.map((step) => [stepKey(step.name, step.others, step.to), step.yearlyPercent]));
  return {
    title: 'By setting',
    columns: [
      ...variations.map(({ name }) => ({ name, kind: 'text' as const })),
      ...['transactions', 'failed', 'refused', 'bytes', 'Energy', 'penalty'].map((name) => ({
        name,
        kind: 'number' as const,
      })),
      { name: 'stake', kind: 'coin' },
      { name: 'fee', kind: 'coin' },
      { name: 'difference to the file', kind: 'coin' },
      { name: 'once', kind: 'average' },
      { name: 'per day', kind: 'average' },
      ...stakes.map(({ name }) => ({
        name: stakes.length === 1 ? 'marginal return per year' : `marginal return a year of ${name}`,
        kind: 'percent' as const,
      })),
    ],
    rows: outcomes.map((one) => [
      ...one.values.map((value) => (one.index === 0 ? 'unchanged' : String(value))),
      one.transactions,
      one.failed,
      one.refused,
      one.bandwidth,
      one.energy,
      one.energyPenalty,
      one.stakedSun,
      one.feeSun,
      asItIs === undefined ? undefined : one.feeSun - asItIs.feeSun,
      one.onceSun,
      one.daySun,
      ...stakes.map((stake) => {
        const at = variations.indexOf(stake);
        const others = variations.flatMap(({ name }, i) => (i === at ? [] : [`${name}=${one.values[i]}`]));
        return one.index === 0 ? undefined : returns.get(stepKey(stake.name, others, one.values[at] ?? null));
      }),
    ]),
  };
}

function stepKey(name: string, others: readonly string[], to: unknown): string {
  return JSON.stringify([name, others, to]);
}

/** One row for each step of each stake, over all settings of the other variations. */
function stepsSection(decisions: readonly Decision[]): Section | undefined {
  const stakes = decisions.filter((decision) => decision.kind === 'stake');
  if (stakes.length === 0) return undefined;
  return {
    title: 'Return of each step of a stake',
    columns: [
      { name: 'stake', kind: 'text' },
      { name: 'from', kind: 'text' },
      { name: 'to', kind: 'text' },
      { name: 'added stake', kind: 'coin' },
      { name: 'capacity per day', kind: 'number' },
      { name: 'use paid per day', kind: 'number' },
      { name: 'saved per year', kind: 'text' },
      { name: 'return per year', kind: 'text' },
      { name: 'break-even yield', kind: 'text' },
    ],
    rows: stakes.flatMap(({ name, steps }) =>
      steps.map((step) => [
        name,
        String(step.from),
        String(step.to),
        step.addedSun,
        step.givesADay.most,
        step.carriesADay.most,
        coins(step.yearlySun),
        percentRange(step.yearlyPercent),
        percentRange(step.worthBelowPercent),
      ]),
    ),
  };
}

/** One-off and daily costs of the unchanged file. */
function costsSection({ asItIs }: Findings): Section | undefined {
  if (asItIs === undefined || asItIs.warmupMs === 0 || asItIs.costs.length === 0) return undefined;
  return {
    title: 'One-off and daily costs of the unchanged file',
    columns: [
      { name: 'transactions', kind: 'text' },
      { name: 'for', kind: 'text' },
      { name: 'in the warmup', kind: 'coin' },
      { name: 'per day after it', kind: 'average' },
      { name: 'once', kind: 'average' },
    ],
    rows: asItIs.costs.map(({ type, reason, warmupSun, daySun, onceSun }) => [
      type,
      reason,
      warmupSun,
      daySun,
      onceSun,
    ]),
  };
}

/** The sections for people: columns with only zeros are left out. */
function readSections(sweep: Sweep): readonly Section[] {
  const findings = findingsOf(sweep);
  return [settingsSection(sweep, findings), stepsSection(findings.decisions), costsSection(findings)].flatMap(
    (section) => (section === undefined ? [] : [withoutEmptyColumns(section)]),
  );
}

const MAX_ROWS = 500;

export function sweepTable(sweep: Sweep): string {
  const sections = readSections(sweep).map((section, at) => {
    const more = section.rows.length - MAX_ROWS;
    const table = sectionTable({ ...section, rows: section.rows.slice(0, MAX_ROWS) });
    const rest = more > 0 ? [`and ${more} more rows (--csv, --json)`] : [];
    return [...(at === 0 ? [] : [section.title]), table, ...rest].join('\n');
  });
  return [sweep.file, ...sections, ...findingLines(sweep), ''].join('\n');
}

export function sweepCsv(sweep: Sweep): string {
  return sectionCsv(settingsSection(sweep, findingsOf(sweep)));
}

export function sweepMarkdown(sweep: Sweep): string {
  const lines = findingLines(sweep).map((line) => `- ${escapedMarkdown(line)}`);
  const sections = readSections(sweep).map(sectionMarkdown);
  return [`# ${escapedMarkdown(sweep.file)}`, lines.join('\n'), ...sections, ''].join('\n\n');
}

/** @param scenario of the file, if it is at hand */
export function sweepReport(sweep: Sweep, scenario?: Scenario): Report {
  const { asItIs, cheapest } = findingsOf(sweep);
  const { file, about, outcomes, variations } = sweep;
  return {
    title: file,
    ...(about !== undefined && { about }),
    answer: cheapestSentence(sweep),
    findings: findingLines(sweep),
    figures: [
      ...(asItIs === undefined ? [] : [{ name: 'Unchanged file', kind: 'coin' as const, value: asItIs.feeSun }]),
      ...(cheapest === undefined ? [] : [{ name: 'Lowest cost', kind: 'coin' as const, value: cheapest.feeSun }]),
      { name: 'Settings', kind: 'number', value: outcomes.length },
    ],
    assumptions: [
      ...variations.map(({ name, values }) => ({ name: 'Varied', value: `${name}: ${shownValues(values)}` })),
      ...(scenario === undefined ? [] : assumptionsOf(scenario, undefined)),
    ],
    plots: sweepPlots(sweep),
    sections: readSections(sweep),
    end: [`digest of the file ${sweep.fileDigest}`],
  };
}

const MAX_VALUES_SHOWN = 8;

function shownValues(values: readonly unknown[]): string {
  if (values.length <= MAX_VALUES_SHOWN) return values.join(', ');
  return `${values[0]} to ${values.at(-1)}, ${values.length} values`;
}

/** The plot alone, as an SVG document. */
export async function sweepSvg(sweep: Sweep): Promise<string> {
  const { drawn } = await import('./draw.js');
  const [plot] = sweepPlots(sweep);
  return `${plot === undefined ? '' : drawn(plot)}\n`;
}
