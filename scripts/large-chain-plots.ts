/**
 * The plots of docs/background/large-chains.md, from fixtures/measured/large-chain.json: what
 * `npm run bench -- ten-million` wrote (measured.json), with the machine, and the same of the version before.
 *
 *     npx tsx scripts/large-chain-plots.ts
 */

import { readFileSync, writeFileSync } from 'node:fs';
import * as echarts from 'echarts';
import type { MeasuredSize } from '../test/bench/ten-million.js';

const MEASURED = new URL('../fixtures/measured/large-chain.json', import.meta.url);
const FOLDER = new URL('../docs/images/large-chain/', import.meta.url);
const WIDTH_PX = 560;
const HEIGHT_PX = 280;
const COLORS = ['#2f6fb2', '#c2571a', '#4b8a3a', '#8a5aa8', '#6b6b6b'];

interface Measured {
  readonly machine: string;
  readonly sizes: readonly MeasuredSize[];
  /** Of the version before, on the same machine. */
  readonly before: readonly MeasuredSize[];
}

interface Line {
  readonly name: string;
  readonly of: 'sizes' | 'before';
  readonly value: (figures: MeasuredSize['figures'], size: MeasuredSize) => number | undefined;
}

interface Plot {
  readonly file: string;
  readonly title: string;
  readonly unit: string;
  readonly lines: readonly Line[];
}

const figure = (name: string, key: string, of: Line['of'] = 'sizes'): Line => ({
  name,
  of,
  value: (figures) => figures[key],
});

const PLOTS: readonly Plot[] = [
  {
    file: 'start.svg',
    title: 'Start of the node to the first answer, processor time',
    unit: 'ms',
    lines: [
      figure('now', 'startProcessorMilliseconds'),
      figure('before: all files verified first', 'startProcessorMilliseconds', 'before'),
    ],
  },
  {
    file: 'building.svg',
    title: 'Processor time of a transaction, from the signature to the batch',
    unit: 'µs',
    lines: [figure('transfers to new accounts', 'transactionProcessorMicroseconds')],
  },
  {
    file: 'memory.svg',
    title: 'Memory of the process, without mapped files',
    unit: 'MB',
    lines: [
      figure('after the start', 'startMegabytes'),
      figure('after all queries', 'servingMegabytes'),
      figure('the same, before', 'servingMegabytes', 'before'),
      figure('while it is built', 'buildingMegabytes'),
    ],
  },
  {
    file: 'disk.svg',
    title: 'Bytes on disk for each transaction',
    unit: 'bytes',
    lines: [
      {
        name: 'all files of the database',
        of: 'sizes',
        value: ({ diskMegabytes }, { transactions }) => diskMegabytes && (diskMegabytes * 1e6) / transactions,
      },
    ],
  },
  {
    file: 'pages.svg',
    title: 'A page of 20 of the account that has all transactions, processor time',
    unit: 'ms',
    lines: [
      figure('first page', 'firstPageAgainProcessorMilliseconds'),
      figure('after a quarter', 'quarterPageProcessorMilliseconds'),
      figure('after a half', 'halfPageProcessorMilliseconds'),
      figure('the last 1 %', 'deepestPageProcessorMilliseconds'),
    ],
  },
  {
    file: 'logs.svg',
    title: 'eth_getLogs: all logs, processor time for 10,000 of them',
    unit: 'ms',
    lines: [
      {
        name: 'answers of 10,000 logs',
        of: 'sizes',
        value: ({ allLogsProcessorSeconds: seconds }, { transactions }) =>
          seconds && (seconds * 1e3 * 10_000) / (transactions / 10),
      },
    ],
  },
  {
    file: 'revert.svg',
    title: 'Snapshot, and revert over a block of 5 transfers, over HTTP',
    unit: 'ms',
    lines: [figure('snapshot', 'snapshotMilliseconds'), figure('revert', 'revertMilliseconds')],
  },
  {
    file: 'whole.svg',
    title: 'Processor time for each transaction of what reads the whole chain',
    unit: 'µs',
    lines: (['dump', 'check', 'load'] as const).map((name) => ({
      name,
      of: 'sizes',
      value: (figures, { transactions }) => {
        const seconds = figures[`${name}ProcessorSeconds`];
        return seconds && (seconds * 1e6) / transactions;
      },
    })),
  },
];

function drawn({ title, unit, lines }: Plot, measured: Measured): string {
  const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, width: WIDTH_PX, height: HEIGHT_PX });
  chart.setOption({
    animation: false,
    backgroundColor: '#fff',
    color: COLORS,
    title: { text: title, left: 8, top: 6, textStyle: { fontSize: 14, fontWeight: 'normal' } },
    legend: { top: 30, left: 8, itemWidth: 18 },
    grid: { left: 64, right: 24, top: 78, bottom: 44 },
    xAxis: {
      type: 'value',
      name: 'transactions',
      nameLocation: 'middle',
      nameGap: 26,
      min: 0,
      axisLabel: { formatter: (value: number) => value.toLocaleString('en-US') },
      splitNumber: 5,
    },
    yAxis: { type: 'value', name: unit, min: 0 },
    series: lines.map(({ name, of, value }) => ({
      name,
      type: 'line',
      symbolSize: 5,
      data: measured[of].flatMap((size) => {
        const y = value(size.figures, size);
        return y === undefined ? [] : [[size.transactions, Number(y.toPrecision(4))]];
      }),
    })),
  });
  const svg = chart.renderToSVGString();
  chart.dispose();
  // ECharts has styles for a pointer over the lines; a picture in a page has no pointer. It numbers all drawings of a process.
  const still = svg
    .replace(/<style[\s\S]*?<\/style>\n?/, '')
    .replace(/ class="[^"]*"/g, '')
    .replace(/\bzr\d+-/g, '');
  return `${still.replace('>', `><title>${title}</title>`)}\n`;
}

/** The text of each file. */
export function largeChainPlots(): ReadonlyMap<string, string> {
  const measured = JSON.parse(readFileSync(MEASURED, 'utf8')) as Measured;
  return new Map(PLOTS.map((plot) => [plot.file, drawn(plot, measured)]));
}

if (process.argv[1] === import.meta.filename)
  for (const [file, text] of largeChainPlots()) writeFileSync(new URL(file, FOLDER), text);
