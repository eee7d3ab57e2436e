/** Plots of `sunup costs`: cost by day, Energy by hour against what the account has, cost by method. */

import { safeName } from '../prose/amounts.js';
import type { Plot, Tone } from '../prose/report.js';
import type { AccountCosts, NamedMethod } from '../traffic/costs/account-costs.js';
import type { Sum } from '../traffic/costs/cost-sums.js';

const SUN_PER_TRX = 1e6;
const HEIGHT_PX = 300;
const MOST_METHODS = 12;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Longer ranges are drawn by day. */
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

/** The Energy of all accounts by hour or day, beside what stakes recover in that time. */
function energyPlot({ totals, today, findings, fromMs, toMs }: AccountCosts): Plot | undefined {
  if (totals.stakedEnergy + totals.boughtEnergy === 0n) return undefined;
  const isByHour = (toMs - fromMs) / HOUR_MS < MOST_HOURS;
  const stepMs = isByHour ? HOUR_MS : DAY_MS;
  const firstMs = fromMs - (fromMs % stepMs);
  const steps = Array.from({ length: Math.floor((toMs - firstMs) / stepMs) + 1 }, (_, at) => firstMs + at * stepMs);
  const found = new Map<number, Sum>(
    isByHour
      ? totals.hours.map((sum) => [sum.startMs, sum])
      : totals.days.map((sum) => [Date.parse(`${sum.day}T00:00:00Z`), sum]),
  );
  const bars = (name: string, of: 'stakedEnergy' | 'boughtEnergy') => ({
    name,
    type: 'bar',
    stack: 'energy',
    barMinWidth: 2,
    data: steps.map((ms) => Number(found.get(ms)?.[of] ?? 0n)),
  });
  const perStep = (energyADay: bigint) => Math.round((Number(energyADay) * stepMs) / DAY_MS);
  const has = today.accounts.reduce((sum, { energyLimit }) => sum + energyLimit, 0n);
  // The last stake of an account is the one with which all of its days are free.
  const enough = today.accounts.reduce((sum, { account, energyLimit }) => {
    const last = findings.stakes.filter((stake) => stake.account === account && stake.resource === 'energy').at(-1);
    return sum + (last?.capacity ?? energyLimit);
  }, 0n);
  const lines = [
    ...(has > 0n ? [{ name: 'recovered: stake of today', tone: 'factor' as const, energy: has }] : []),
    ...(enough > has ? [{ name: 'recovered: stake for all days', tone: 'free' as const, energy: enough }] : []),
  ];
  return {
    title: `Energy by ${isByHour ? 'hour' : 'day'} (UTC), and what a stake recovers in that time`,
    heightPx: HEIGHT_PX,
    tones: ['staked', 'burned', ...lines.map(({ tone }) => tone)],
    legend: ['staked', 'bought', ...lines.map(({ name }) => name)],
    option: {
      xAxis: {
        type: 'category',
        data: steps.map((ms) =>
          new Date(ms)
            .toISOString()
            .slice(isByHour ? 5 : 0, isByHour ? 16 : 10)
            .replace('T', ' '),
        ),
      },
      yAxis: { type: 'value' },
      series: [
        bars('staked', 'stakedEnergy'),
        bars('bought', 'boughtEnergy'),
        ...lines.map(({ name, energy }) => ({
          name,
          type: 'line',
          showSymbol: false,
          data: steps.map(() => perStep(energy)),
        })),
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
  return `${contractName === undefined ? contract.slice(0, 8) : safeName(contractName)}.${method?.replace(/\(.*/, '') ?? selector}`;
}
