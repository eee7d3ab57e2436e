import { useMemo } from 'preact/hooks';
import type { LiveBlock } from '../../chain/follow.js';
import { formatCompact } from '../../parts/amounts.js';
import { Chart } from '../../parts/chart.js';

/** More bars than this are too thin to see. */
const SHOWN = 100;

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
    return {
      legend: { top: 0, right: 0, itemWidth: 12, itemHeight: 8 },
      xAxis: { type: 'category', data: shown.map(({ number }) => number) },
      yAxis: [
        { type: 'value', minInterval: 1, splitLine: { show: false } },
        {
          type: 'value',
          minInterval: 1,
          axisLabel: { formatter: (value: number) => formatCompact(Math.round(value)) },
          splitLine: { lineStyle: { opacity: 0.25 } },
        },
      ],
      series: [
        { name: 'Energy', type: 'bar', yAxisIndex: 1, data: energy, barMaxWidth: 14 },
        {
          name: 'Transactions',
          type: 'line',
          step: 'middle',
          symbol: 'none',
          data: shown.map(({ transactions }) => transactions.length),
        },
      ],
    };
  }, [blocks]);
  const transactions = blocks.slice(0, SHOWN).reduce((sum, block) => sum + block.transactions.length, 0);
  return (
    <Chart
      label={`Transactions and Energy of the last ${Math.min(SHOWN, blocks.length)} blocks: ${transactions} transactions`}
      options={options}
    />
  );
}
