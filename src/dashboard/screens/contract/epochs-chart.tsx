/**
 * Price of a step, and usage against the threshold, epoch by epoch: as it was, as it is, and in the next epochs, both if
 * the contract stays busy and if nobody calls it.
 */

import { useMemo } from 'preact/hooks';
import type { ContractEpochs } from '../../chain/contract-answers.js';
import { formatCompact, formatUnits } from '../../parts/amounts.js';
import { Chart } from '../../parts/chart.js';
import { priceOfStep } from './step-price.js';

interface EpochsChartProps {
  readonly energy: ContractEpochs;
  /** Factors of the running epoch and of the next ones. */
  readonly busy: readonly number[];
  readonly quiet: readonly number[];
  readonly maxFactor: number;
}

const COLORS = ['penalty', 'burned', 'free', 'energy', 'muted'] as const;
const NAMES = {
  price: 'Price of a step',
  busy: 'if above the threshold in each epoch',
  quiet: 'if not called',
  usage: 'Energy used, at the base price',
  threshold: 'Threshold',
} as const;

export function EpochsChart({ energy, busy, quiet, maxFactor }: EpochsChartProps) {
  const { epochs, current } = energy;
  const options = useMemo(() => {
    const known = [...epochs.toReversed(), current];
    const next = busy.length - 1;
    const names = [
      ...known.slice(0, -1).map(({ cycle }) => String(cycle)),
      'now',
      ...numbers(next).map((at) => `+${at + 1}`),
    ];
    const before = numbers(known.length - 1).map(() => null);
    const prices = known.map(({ energyFactor }) => priceOfStep(energyFactor));
    const axis = { type: 'category', data: names } as const;
    const values = { type: 'value', splitLine: { lineStyle: { opacity: 0.25 } } } as const;
    const line = { type: 'line', symbolSize: 4 } as const;
    return {
      legend: { top: 0, left: 0, itemWidth: 12, itemHeight: 8 },
      axisPointer: { link: [{ xAxisIndex: 'all' }] },
      grid: [
        { left: 52, right: 12, top: 68, height: 120 },
        { left: 52, right: 12, top: 218, height: 96 },
      ],
      xAxis: [
        { ...axis, gridIndex: 0, axisLabel: { show: false }, axisTick: { show: false } },
        { ...axis, gridIndex: 1, name: 'epoch', nameLocation: 'middle', nameGap: 24 },
      ],
      yAxis: [
        {
          ...values,
          gridIndex: 0,
          min: 1,
          max: Math.max(priceOfStep(maxFactor), ...prices),
          axisLabel: { hideOverlap: true, formatter: (value: number) => `${value} ×` },
        },
        {
          ...values,
          gridIndex: 1,
          splitNumber: 3,
          axisLabel: { formatter: (value: number) => formatCompact(Math.round(value)) },
        },
      ],
      series: [
        { ...line, name: NAMES.price, data: prices },
        { ...line, name: NAMES.busy, data: [...before, ...busy.map(priceOfStep)], lineStyle: { type: 'dashed' } },
        { ...line, name: NAMES.quiet, data: [...before, ...quiet.map(priceOfStep)], lineStyle: { type: 'dashed' } },
        {
          name: NAMES.usage,
          type: 'bar',
          ...{ xAxisIndex: 1, yAxisIndex: 1, barMaxWidth: 18 },
          data: known.map(({ energyUsage }) => Number(energyUsage)),
        },
        {
          ...{ name: NAMES.threshold, type: 'line', step: 'middle', symbol: 'none', xAxisIndex: 1, yAxisIndex: 1 },
          data: [
            ...known.map(({ threshold }) => Number(threshold)),
            ...numbers(next).map(() => Number(current.threshold)),
          ],
        },
      ],
    };
  }, [JSON.stringify([epochs, current]), busy.join(), quiet.join(), maxFactor]);
  const above = epochs.filter(({ energyUsage, threshold }) => BigInt(energyUsage) > BigInt(threshold)).length;
  return (
    <Chart
      label={`Price of a step by epoch: ${priceOfStep(current.energyFactor)} times the base price now; after ${busy.length - 1} epochs ${priceOfStep(busy.at(-1) ?? 0)} times if usage stays above the threshold, ${priceOfStep(quiet.at(-1) ?? 0)} times if nobody calls it. ${above} of ${epochs.length} past epochs were above the threshold, now ${formatUnits(current.threshold)} Energy.`}
      options={options}
      colors={COLORS}
      heightPx={358}
    />
  );
}

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);
