/** Plots of a run as SVG, drawn by ECharts without a browser. */

import { type EChartsCoreOption, init } from 'echarts';
import { escapedHtml } from '../../primitives/html-text.js';
import type { Sun } from '../../primitives/ids.js';
import type { RunTotals } from '../results/totals.js';
import type { Span } from './timeline.js';

const WIDTH = 860;
const HEIGHT = 320;
const SUN_PER_TRX = 1e6;

const trx = (sun: Sun): number => Number(sun) / SUN_PER_TRX;

/** Colours that most people can distinguish, also in print. */
const COLORS = ['#3b6fb6', '#e08a3c', '#5a9e6f', '#a05a9e', '#c9a227', '#4aa3a2', '#b5484e', '#7a7f87'];

export const LEGEND = { top: 38, left: 'center', itemGap: 22 };

/** A plot as a whole SVG document. */
export function drawn(option: EChartsCoreOption, height = HEIGHT): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: WIDTH, height });
  try {
    chart.setOption({
      animation: false,
      textStyle: { fontFamily: 'system-ui, sans-serif' },
      grid: { left: 20, right: 30, top: 76, bottom: 16, containLabel: true },
      color: COLORS,
      legend: LEGEND,
      ...option,
    });
    // To a screen reader a plot is one picture; its numbers are in the tables.
    const label = (option.title as { readonly text: string }).text;
    return chart.renderToSVGString().replace('<svg ', `<svg role="img" aria-label="${escapedHtml(label)}" `);
  } finally {
    chart.dispose();
  }
}

/** TRX by payer and reason. */
export function payersPlot({ payers }: RunTotals): string | undefined {
  const shown = payers.filter(({ sun }) => sun !== 0n).slice(0, 20);
  if (shown.length === 0) return undefined;
  const series = (name: string, of: (payer: RunTotals['payers'][number]) => Sun) => ({
    name,
    type: 'bar',
    stack: 'paid',
    barMaxWidth: 28,
    data: shown.map((payer) => trx(of(payer))),
  });
  return drawn(
    {
      title: title('TRX by payer'),
      xAxis: { type: 'value' },
      yAxis: { type: 'category', inverse: true, data: shown.map(({ payer }) => payer) },
      series: [
        series('bandwidth', ({ bandwidthSun }) => bandwidthSun),
        series('Energy', ({ energySun }) => energySun),
        series('fixed fees', ({ feeSun }) => feeSun),
      ],
    },
    Math.max(190, 120 + 34 * shown.length),
  );
}

/** Sources of bytes and Energy, as shares. */
export function sourcesPlot({ sources }: RunTotals): string | undefined {
  const resources = ['bandwidth', 'energy'] as const;
  const units = (resource: string, source: string) =>
    sources.reduce((sum, one) => sum + (one.resource === resource && one.source === source ? Number(one.units) : 0), 0);
  const whole = new Map(
    resources.map((resource) => [
      resource,
      sources.reduce((sum, one) => sum + (one.resource === resource ? Number(one.units) : 0), 0),
    ]),
  );
  if ([...whole.values()].every((sum) => sum === 0)) return undefined;
  const names = [...new Set(sources.filter(({ units: count }) => Number(count) > 0).map(({ source }) => source))];
  return drawn(
    {
      title: title('Sources of bytes and Energy, percent'),
      xAxis: { type: 'value', max: 100 },
      yAxis: { type: 'category', inverse: true, data: ['bandwidth', 'Energy'] },
      series: names.map((name) => ({
        name,
        type: 'bar',
        stack: 'units',
        barMaxWidth: 28,
        data: resources.map((resource) => {
          const all = whole.get(resource) ?? 0;
          return all === 0 ? 0 : Math.round((units(resource, name) / all) * 1000) / 10;
        }),
      })),
    },
    200,
  );
}

/** TRX over time, cumulative. */
export function costPlot(spans: readonly Span[]): string | undefined {
  if (spans.every(({ bandwidthSun, energySun, feeSun }) => bandwidthSun + energySun + feeSun === 0n)) return undefined;
  const series = (name: string, of: (span: Span) => Sun) => {
    let sum = 0n;
    return {
      name,
      type: 'line',
      stack: 'coin',
      areaStyle: { opacity: 0.5 },
      showSymbol: spans.length === 1,
      step: 'end',
      data: spans.map((span) => {
        sum += of(span);
        return trx(sum);
      }),
    };
  };
  return drawn({
    title: title('TRX spent, cumulative'),
    xAxis: timeAxis(spans),
    yAxis: { type: 'value' },
    series: [
      series('bandwidth', ({ bandwidthSun }) => bandwidthSun),
      series('Energy', ({ energySun }) => energySun),
      series('fixed fees', ({ feeSun }) => feeSun),
    ],
  });
}

/** Energy over time, penalty separate, with the highest energy factor of the called contracts. */
export function energyPlot(spans: readonly Span[]): string | undefined {
  if (spans.every(({ energy }) => energy === 0n)) return undefined;
  const bar = (name: string, data: readonly number[]) => ({ name, type: 'bar', stack: 'energy', barMinWidth: 2, data });
  const factors = spans.some(({ factor }) => factor > 0);
  return drawn({
    title: title(factors ? 'Energy used, and the energy factor' : 'Energy used'),
    xAxis: timeAxis(spans),
    yAxis: [
      { type: 'value', name: 'Energy' },
      { type: 'value', name: 'factor', show: factors, min: 0, splitLine: { show: false } },
    ],
    grid: { left: 20, right: 30, top: 96, bottom: 16, containLabel: true },
    series: [
      bar(
        'base price',
        spans.map(({ energy, penalty }) => Number(energy - penalty)),
      ),
      bar(
        'penalty',
        spans.map(({ penalty }) => Number(penalty)),
      ),
      ...(factors
        ? [
            {
              name: 'factor',
              type: 'line',
              yAxisIndex: 1,
              showSymbol: false,
              connectNulls: true,
              data: spans.map(({ factor, energy }) => (energy === 0n ? null : factor / 10_000)),
            },
          ]
        : []),
    ],
  });
}

export function title(text: string) {
  return { text, top: 6, left: 'center', textStyle: { fontSize: 15 } };
}

const HOUR_MS = 3_600_000;

/** Days for long runs, seconds for runs up to an hour. */
function timeAxis(spans: readonly Span[]) {
  const times = spans.map(({ fromMs }) => fromMs);
  const isShort = (times.at(-1) ?? 0) - (times[0] ?? 0) < HOUR_MS;
  const [from, to] = isShort ? [11, 19] : [5, 16];
  return { type: 'category', data: times.map((ms) => new Date(ms).toISOString().slice(from, to).replace('T', ' ')) };
}
