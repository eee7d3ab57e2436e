/** Plots of a run, as options of ECharts; `draw.ts` draws them without a browser. */

import type { Sun } from '../../primitives/ids.js';
import type { Plot, Tone } from '../../prose/report.js';
import type { RunTotals } from '../results/totals.js';
import type { Span } from './timeline.js';

const SUN_PER_TRX = 1e6;
const HEIGHT_PX = 300;

const trx = (sun: Sun): number => Number(sun) / SUN_PER_TRX;

export function runPlots(totals: RunTotals, spans: readonly Span[]): readonly Plot[] {
  return [payersPlot(totals), sourcesPlot(totals), costPlot(spans), energyPlot(spans)].filter(
    (plot) => plot !== undefined,
  );
}

const FEES: readonly (readonly [name: string, tone: Tone])[] = [
  ['bandwidth', 'bandwidth'],
  ['Energy', 'energy'],
  ['fixed fees', 'origin'],
];

interface Fees {
  readonly bandwidthSun: Sun;
  readonly energySun: Sun;
  readonly feeSun: Sun;
}

const parts = ({ bandwidthSun, energySun, feeSun }: Fees): readonly Sun[] => [bandwidthSun, energySun, feeSun];

/** The fees that occur; others would only be names in the legend. */
function occurring(
  all: readonly Fees[],
): readonly { readonly at: number; readonly name: string; readonly tone: Tone }[] {
  return FEES.flatMap(([name, tone], at) => (all.some((one) => parts(one)[at] !== 0n) ? [{ at, name, tone }] : []));
}

/** TRX by payer and reason. */
function payersPlot({ payers }: RunTotals): Plot | undefined {
  const shown = payers.filter(({ sun }) => sun !== 0n).slice(0, 20);
  if (shown.length === 0) return undefined;
  const fees = occurring(shown);
  return {
    title: 'TRX by payer',
    heightPx: Math.max(130, 70 + 34 * shown.length),
    tones: fees.map(({ tone }) => tone),
    legend: fees.map(({ name }) => name),
    option: {
      xAxis: { type: 'value' },
      yAxis: { type: 'category', inverse: true, data: shown.map(({ payer }) => payer), axisLabel: LONG_NAMES },
      series: fees.map(({ at, name }) => ({
        name,
        type: 'bar',
        stack: 'paid',
        barMaxWidth: 28,
        data: shown.map((payer) => trx(parts(payer)[at] as Sun)),
      })),
    },
  };
}

/** Names of a file may be of any length. */
const LONG_NAMES = { width: 130, overflow: 'truncate' };

const SOURCE_TONES: Readonly<Record<string, Tone>> = {
  free: 'free',
  staked: 'staked',
  burned: 'burned',
  origin: 'origin',
  issuer: 'energy',
};

/** Sources of bytes and Energy, as shares. */
function sourcesPlot({ sources }: RunTotals): Plot | undefined {
  const units = (resource: string, source?: string) =>
    sources.reduce(
      (sum, one) => sum + (one.resource === resource && (source ?? one.source) === one.source ? Number(one.units) : 0),
      0,
    );
  const resources = (['bandwidth', 'energy'] as const).filter((resource) => units(resource) > 0);
  if (resources.length === 0) return undefined;
  const names = [...new Set(sources.filter(({ units: count }) => Number(count) > 0).map(({ source }) => source))];
  return {
    title: 'Sources of bytes and Energy, percent',
    heightPx: 70 + 50 * resources.length,
    tones: names.map((name) => SOURCE_TONES[name] ?? 'bandwidth'),
    legend: names,
    option: {
      xAxis: { type: 'value', max: 100 },
      yAxis: {
        type: 'category',
        inverse: true,
        data: resources.map((resource) => (resource === 'energy' ? 'Energy' : resource)),
      },
      series: names.map((name) => ({
        name,
        type: 'bar',
        stack: 'units',
        barMaxWidth: 28,
        data: resources.map((resource) => Math.round((units(resource, name) / units(resource)) * 1000) / 10),
      })),
    },
  };
}

/** TRX over time, cumulative. */
function costPlot(spans: readonly Span[]): Plot | undefined {
  const fees = occurring(spans);
  if (fees.length === 0) return undefined;
  return {
    title: 'TRX spent, cumulative',
    heightPx: HEIGHT_PX,
    tones: fees.map(({ tone }) => tone),
    legend: fees.map(({ name }) => name),
    option: {
      xAxis: timeAxis(spans),
      yAxis: { type: 'value' },
      series: fees.map(({ at, name }) => {
        let sum = 0n;
        return {
          name,
          type: 'line',
          stack: 'coin',
          areaStyle: { opacity: 0.5 },
          showSymbol: spans.length === 1,
          step: 'end',
          data: spans.map((span) => {
            sum += parts(span)[at] as Sun;
            return trx(sum);
          }),
        };
      }),
    },
  };
}

/** Energy over time, penalty separate, with the highest energy factor of the called contracts. */
function energyPlot(spans: readonly Span[]): Plot | undefined {
  if (spans.every(({ energy }) => energy === 0n)) return undefined;
  const bar = (name: string, tone: Tone, of: (span: Span) => bigint) => ({
    tone,
    series: { name, type: 'bar', stack: 'energy', barMinWidth: 2, data: spans.map((span) => Number(of(span))) },
  });
  const hasFactors = spans.some(({ factor }) => factor > 0);
  const shown = [
    bar('base price', 'energy', ({ energy, penalty }) => energy - penalty),
    ...(spans.some(({ penalty }) => penalty > 0n) ? [bar('penalty', 'penalty', ({ penalty }) => penalty)] : []),
    ...(hasFactors
      ? [
          {
            tone: 'factor' as const,
            series: {
              name: 'factor',
              type: 'line',
              yAxisIndex: 1,
              showSymbol: false,
              connectNulls: true,
              data: spans.map(({ factor, energy }) => (energy === 0n ? null : factor / 10_000)),
            },
          },
        ]
      : []),
  ];
  return {
    title: hasFactors ? 'Energy used, and the energy factor' : 'Energy used',
    heightPx: HEIGHT_PX,
    tones: shown.map(({ tone }) => tone),
    legend: shown.length > 1 ? shown.map(({ series: { name } }) => name) : [],
    hasAxisNames: hasFactors,
    option: {
      xAxis: timeAxis(spans),
      yAxis: hasFactors
        ? [
            { type: 'value', name: 'Energy' },
            { type: 'value', name: 'factor', min: 0, splitLine: { show: false } },
          ]
        : [{ type: 'value' }],
      series: shown.map(({ series }) => series),
    },
  };
}

const HOUR_MS = 3_600_000;

/** Days for long runs, seconds for runs up to an hour. */
function timeAxis(spans: readonly Span[]) {
  const times = spans.map(({ fromMs }) => fromMs);
  const isShort = (times.at(-1) ?? 0) - (times[0] ?? 0) < HOUR_MS;
  const [from, to] = isShort ? [11, 19] : [5, 16];
  return { type: 'category', data: times.map((ms) => new Date(ms).toISOString().slice(from, to).replace('T', ' ')) };
}
