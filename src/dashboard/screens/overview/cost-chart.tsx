/** Who or what paid: staked, free, burned, by resource, over the newest blocks. */

import { useMemo } from 'preact/hooks';
import type { LiveBlock } from '../../chain/follow.js';
import { formatTrx, formatUnits } from '../../parts/amounts.js';
import { chargeName } from '../../parts/charges.js';
import { Chart } from '../../parts/chart.js';
import { Empty } from '../../parts/panel.js';

export function CostChart({ blocks }: { readonly blocks: readonly LiveBlock[] }) {
  const sums = useMemo(() => {
    const found = new Map<string, bigint>();
    for (const { contents } of blocks)
      for (const { charges } of contents)
        for (const charge of charges) {
          if (charge.resource !== 'coin') continue;
          const name = chargeName(charge);
          found.set(name, (found.get(name) ?? 0n) + BigInt(charge.amount));
        }
    return [...found].sort(([, one], [, other]) => (one < other ? -1 : 1));
  }, [blocks]);
  const options = useMemo(
    () => ({
      grid: { left: 8, right: 80, top: 8, bottom: 8, containLabel: true },
      tooltip: { trigger: 'item' },
      xAxis: {
        type: 'value',
        axisLabel: { formatter: (sun: number) => formatTrx(BigInt(Math.round(sun))) },
        splitNumber: 3,
        splitLine: { lineStyle: { opacity: 0.25 } },
      },
      yAxis: { type: 'category', data: sums.map(([name]) => name), axisTick: { show: false } },
      series: [
        {
          type: 'bar',
          name: 'TRX',
          barMaxWidth: 18,
          data: sums.map(([, sun]) => Number(sun)),
          label: {
            show: true,
            position: 'right',
            color: 'inherit',
            formatter: ({ value }: { value: number }) => `${formatTrx(BigInt(value))} TRX`,
          },
        },
      ],
    }),
    [sums],
  );
  if (sums.length === 0)
    return <Empty>Nothing was burned in the newest blocks: stakes and free Bandwidth paid for all transactions.</Empty>;
  return (
    <Chart
      label={`Burned and paid TRX by reason: ${sums.map(([name, sun]) => `${name} ${formatUnits(sun)} sun`).join(', ')}`}
      options={options}
    />
  );
}
