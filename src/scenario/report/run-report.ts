/** The report of a run. */

import { formatTrx, formatUnits } from '../../prose/amounts.js';
import type { CallEnergy, Report, Section } from '../../prose/report.js';
import type { Scenario } from '../format/scenario.js';
import type { RunEnd } from '../results/result.js';
import type { RunTotals } from '../results/totals.js';
import type { GivenValue } from '../what-if/variations.js';
import { assumptionsOf, type RunStart } from './assumptions.js';
import { PENALTY } from './call-energy.js';
import { runPlots } from './plots.js';
import { runSections, withoutEmptyColumns } from './sections.js';
import { endLines } from './table.js';
import type { Span } from './timeline.js';

export interface ReportedRun {
  readonly file: string;
  readonly scenario: Scenario;
  readonly totals: RunTotals;
  readonly end: RunEnd;
  readonly spans: readonly Span[];
  /** Undefined: a recording, which begins with its genesis. */
  readonly start?: RunStart | undefined;
  readonly calls?: CallEnergy | undefined;
  /** Values that replace those of the file. */
  readonly set?: Readonly<Record<string, GivenValue>> | undefined;
}

export function runReport({ file, scenario, totals, end, spans, start, calls, set }: ReportedRun): Report {
  const { about } = scenario;
  const { transactions, failed, refused, feeSun } = totals;
  const beginMs = start?.timestampMs ?? spans[0]?.fromMs ?? end.head.timestampMs;
  const spanMs = end.head.timestampMs - beginMs;
  return {
    title: file,
    ...(about !== undefined && { about }),
    answer: answerOf(totals, spanMs),
    findings: findingsOf(totals, end, Object.keys(set ?? {}).length > 0),
    figures: [
      { name: 'Cost', kind: 'coin', value: feeSun },
      ...(transactions === 0
        ? []
        : [{ name: 'Per transaction', kind: 'average' as const, value: feeSun / BigInt(transactions) }]),
      { name: 'Transactions', kind: 'number', value: transactions },
      { name: 'Failed or refused', kind: 'number', value: failed + refused },
      { name: 'Time', kind: 'time', value: spanMs },
    ],
    assumptions: assumptionsOf(scenario, start, set),
    plots: runPlots(totals, spans),
    sections: [...runSections(totals), ...callSections(calls)].map(withoutEmptyColumns),
    ...(calls !== undefined && { calls }),
    end: endLines(totals, end),
  };
}

/** The flame chart as a table, for paper and for people who cannot see it. */
function callSections(calls: CallEnergy | undefined): readonly Section[] {
  if (calls === undefined) return [];
  return [
    {
      title: 'Energy by step and method',
      columns: [
        { name: 'step', kind: 'text' },
        { name: 'method', kind: 'text' },
        { name: 'Energy', kind: 'number' },
        { name: 'penalty', kind: 'number' },
        { name: 'share', kind: 'percent' },
      ],
      rows: calls.children.flatMap((step) =>
        step.children.map((method) => [
          step.name,
          method.name,
          method.value,
          method.children.find(({ name }) => name === PENALTY)?.value ?? 0,
          Math.round((method.value / calls.value) * 1000) / 10,
        ]),
      ),
    },
  ];
}

/** What it costs, what for, and who pays most of it. */
function answerOf({ transactions, feeSun, payers }: RunTotals, spanMs: number): string {
  if (transactions === 0) return 'The scenario sends no transactions.';
  const what = `${inTime(spanMs)}, ${formatUnits(transactions)} ${transactions === 1 ? 'transaction costs' : 'transactions cost'}`;
  if (feeSun === 0n) return `${what} nothing: stake, free Bandwidth and grants pay for everything.`;
  const sums = [
    ['Energy', (payer: (typeof payers)[number]) => payer.energySun],
    ['bandwidth', (payer: (typeof payers)[number]) => payer.bandwidthSun],
    ['fixed fees', (payer: (typeof payers)[number]) => payer.feeSun],
  ] as const;
  const [most] = sums
    .map(([name, of]) => ({ name, sun: payers.reduce((sum, payer) => sum + of(payer), 0n) }))
    .sort((a, b) => (a.sun < b.sun ? 1 : a.sun > b.sun ? -1 : 0));
  const highest = payers.reduce((best, one) => (one.sun > best.sun ? one : best));
  const reason = most === undefined ? '' : `, ${shareOf(most.sun, feeSun)} of it for ${most.name}`;
  return `${what} ${formatTrx(feeSun)}${reason}; ${highest.payer} pays ${shareOf(highest.sun, feeSun)}.`;
}

function findingsOf(
  { failed, refused }: RunTotals,
  { failedExpectations, rolledBack }: RunEnd,
  isChanged: boolean,
): readonly string[] {
  const lines: string[] = [];
  if (failed > 0) lines.push(`${counted(failed, 'transaction')} failed in a block: their fees are part of the cost.`);
  if (refused > 0) lines.push(`No block contains ${counted(refused, 'transaction')}: the network refuses them.`);
  if (rolledBack > 0)
    lines.push(`${counted(rolledBack, 'transaction')} were in blocks that were rolled back; the cost includes them.`);
  if (failedExpectations > 0)
    lines.push(
      `${counted(failedExpectations, 'result')} differ from what the file expects${isChanged ? ' of its own values' : ''}.`,
    );
  return lines;
}

const counted = (count: number, of: string) => `${formatUnits(count)} ${of}${count === 1 ? '' : 's'}`;

function shareOf(part: bigint, whole: bigint): string {
  const percent = Number((part * 1_000n) / whole) / 10;
  return `${part > 0n && percent === 0 ? 'less than 0.1' : percent} %`;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

function inTime(spanMs: number): string {
  const said = (size: number, unit: string) => {
    const count = Math.round((spanMs / size) * 10) / 10;
    return `In ${count} ${unit}${count === 1 ? '' : 's'}`;
  };
  if (spanMs >= 48 * HOUR_MS) return said(24 * HOUR_MS, 'day');
  if (spanMs >= HOUR_MS) return said(HOUR_MS, 'hour');
  return spanMs >= MINUTE_MS ? said(MINUTE_MS, 'minute') : said(1_000, 'second');
}
