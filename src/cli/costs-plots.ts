/** Plots of `sunup costs`: cost by day, Energy by hour against what the account has, cost by method. */

import type { Plot, Tone } from '../prose/report.js';
import type { AccountCosts, NamedMethod } from '../traffic/costs/account-costs.js';

const SUN_PER_TRX = 1e6;
const HEIGHT_PX = 300;
const MOST_METHODS = 12;
const HOUR_MS = 3_600_000;
/** More hours are drawn as days. */
const MOST_HOURS = 24 * 31;

const trx = (sun: bigint): number => Number(sun) / SUN_PER_TRX;

export function costPlots(costs: AccountCosts): readonly Plot[] {
  return [dayPlot(costs), energyPlot(costs), methodPlot(costs)].filter((plot) => plot !== undefined);
}

interface Fees {
  readonly energySun: bigint;
  readonly bandwidthSun: bigint;
  readonly otherSun: bigint;
}

const FEES: readonly (readonly [name: string, tone: Tone, of: (sum: Fees) => bigint])[] = [
  ['bandwidth', 'bandwidth', ({ bandwidthSun }) => bandwidthSun],
  ['Energy', 'energy', ({ energySun }) => energySun],
  ['fixed fees', 'origin', ({ otherSun }) => otherSun],
];

function stacked(sums: readonly Fees[]) {
  const fees = FEES.filter(([, , of]) => sums.some((sum) => of(sum) !== 0n));
  return {
    tones: fees.map(([, tone]) => tone),
    legend: fees.map(([name]) => name),
    series: fees.map(([name, , of]) => ({
      name,
      type: 'bar',
      stack: 'paid',
      barMaxWidth: 28,
      data: sums.map((sum) => trx(of(sum))),
    })),
  };
}

function dayPlot({ totals: { days, feeSun } }: AccountCosts): Plot | undefined {
  if (feeSun === 0n) return undefined;
  const { tones, legend, series } = stacked(days);
  return {
    title: 'TRX by day (UTC)',
    heightPx: HEIGHT_PX,
    tones,
    legend,
    option: { xAxis: { type: 'category', data: days.map(({ day }) => day) }, yAxis: { type: 'value' }, series },
  };
}

/** The Energy of all accounts, and the Energy that their stakes recover in one hour. */
function energyPlot({ totals, today, fromMs, toMs }: AccountCosts): Plot | undefined {
  const firstMs = fromMs - (fromMs % HOUR_MS);
  const hours = Math.floor((toMs - firstMs) / HOUR_MS) + 1;
  if (totals.stakedEnergy + totals.boughtEnergy === 0n || hours > MOST_HOURS) return undefined;
  const found = new Map(totals.hours.map((hour) => [hour.startMs, hour]));
  const starts = Array.from({ length: hours }, (_, at) => firstMs + at * HOUR_MS);
  const of = (name: 'stakedEnergy' | 'boughtEnergy') => starts.map((ms) => Number(found.get(ms)?.[name] ?? 0n));
  const recovered = Number(today.accounts.reduce((sum, { energyLimit }) => sum + energyLimit, 0n)) / 24;
  return {
    title: 'Energy by hour (UTC), and what the stake of today recovers in an hour',
    heightPx: HEIGHT_PX,
    tones: ['staked', 'burned', 'factor'],
    legend: ['staked', 'bought', 'stake of today'],
    option: {
      xAxis: {
        type: 'category',
        data: starts.map((ms) => new Date(ms).toISOString().slice(5, 16).replace('T', ' ')),
      },
      yAxis: { type: 'value' },
      series: [
        { name: 'staked', type: 'bar', stack: 'energy', barMinWidth: 2, data: of('stakedEnergy') },
        { name: 'bought', type: 'bar', stack: 'energy', barMinWidth: 2, data: of('boughtEnergy') },
        { name: 'stake of today', type: 'line', showSymbol: false, data: starts.map(() => Math.round(recovered)) },
      ],
    },
  };
}

function methodPlot({ totals: { methods, feeSun } }: AccountCosts): Plot | undefined {
  const shown = methods.filter((method) => method.feeSun > 0n).slice(0, MOST_METHODS);
  if (feeSun === 0n || shown.length === 0) return undefined;
  const { tones, legend, series } = stacked(shown);
  return {
    title: 'TRX by contract and method',
    heightPx: Math.max(130, 70 + 34 * shown.length),
    tones,
    legend,
    option: {
      xAxis: { type: 'value' },
      yAxis: {
        type: 'category',
        inverse: true,
        data: shown.map(nameOf),
        axisLabel: { width: 200, overflow: 'truncate' },
      },
      series,
    },
  };
}

function nameOf({ type, contract, contractName, method, selector }: NamedMethod): string {
  if (contract === undefined) return type;
  return `${contractName ?? contract.slice(0, 8)}.${method?.replace(/\(.*/, '') ?? selector}`;
}
