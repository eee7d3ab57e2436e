import { useMemo } from 'preact/hooks';
import type { LiveBlock } from '../../chain/follow.js';
import { formatCompact } from '../../parts/amounts.js';
import { Chart } from '../../parts/chart.js';

/** More bars than this are too thin to see. */
const SHOWN = 100;
const COLORS = ['bandwidth', 'energy'] as const;

export function TrafficChart({ blocks }: { readonly blocks: readonly LiveBlock[] }) {
  const options = useMemo(() => {
    // The genesis block has one transaction for each funded account, which would hide the others.
    const shown = blocks
      .filter(({ number }) => number > 0)
      .slice(0, SHOWN)
      .reverse();
    const energy = shown.map(({ contents }) =>
      contents.reduce((sum, { energy }) => sum + Number(energy?.total ?? 0), 0),
    );
    const axis = { type: 'category', data: shown.map(({ number }) => number) } as const;
    const values = {
      type: 'value',
      minInterval: 1,
      splitNumber: 3,
      axisLabel: { formatter: (value: number) => formatCompact(Math.round(value)) },
      splitLine: { lineStyle: { opacity: 0.25 } },
    } as const;
    // One above the other, with the same blocks: neither hides the other.
    return {
      legend: { top: 0, right: 0, itemWidth: 12, itemHeight: 8 },
      axisPointer: { link: [{ xAxisIndex: 'all' }] },
      grid: [
        { left: 44, right: 12, top: 32, height: 64 },
        { left: 44, right: 12, top: 112, height: 96 },
      ],
      xAxis: [
        { ...axis, gridIndex: 0, axisLabel: { show: false }, axisTick: { show: false } },
        { ...axis, gridIndex: 1 },
      ],
      yAxis: [
        { ...values, gridIndex: 0 },
        { ...values, gridIndex: 1 },
      ],
      series: [
        {
          name: 'Transactions',
          type: 'bar',
          barMaxWidth: 14,
          data: shown.map(({ transactions }) => transactions.length),
        },
        { name: 'Energy', type: 'bar', xAxisIndex: 1, yAxisIndex: 1, barMaxWidth: 14, data: energy },
      ],
    };
  }, [blocks]);
  const transactions = blocks.slice(0, SHOWN).reduce((sum, block) => sum + block.transactions.length, 0);
  return (
    <Chart
      label={`Transactions and Energy of the last ${Math.min(SHOWN, blocks.length)} blocks: ${transactions} transactions`}
      options={options}
      colors={COLORS}
      heightPx={236}
    />
  );
}
