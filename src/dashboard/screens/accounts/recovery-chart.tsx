/** How the usage of a resource falls over the next 24 hours. */

import { useMemo } from 'preact/hooks';
import { type Usage, usedAt } from '../../../fees.js';
import type { Amount } from '../../chain/answers.js';
import { formatCompact, formatUnits } from '../../parts/amounts.js';
import { Chart } from '../../parts/chart.js';
import { Empty } from '../../parts/panel.js';

interface Source {
  readonly name: string;
  readonly usage: Usage;
  readonly limit: Amount;
  readonly color: string;
}

const DAY_MS = 86_400_000;
const POINTS = 96;

export function RecoveryChart({
  name,
  headMs,
  sources,
}: {
  readonly name: string;
  readonly headMs: number;
  readonly sources: readonly Source[];
}) {
  const recovering = sources.filter(({ usage }) => usage.used > 0);
  const key = recovering.map(({ usage }) => `${usage.used} ${usage.windowMs}`).join();
  const { options, colors } = useMemo(
    () => ({
      colors: recovering.map(({ color }) => color),
      options: {
        useUTC: true,
        legend: { show: recovering.length > 1, top: 0, right: 0, itemWidth: 12, itemHeight: 8 },
        grid: { left: 8, right: 16, top: 28, bottom: 8, containLabel: true },
        xAxis: {
          type: 'time',
          min: headMs,
          max: headMs + DAY_MS,
          splitNumber: 4,
          axisLabel: { formatter: '{HH}:{mm}', hideOverlap: true },
        },
        yAxis: {
          type: 'value',
          min: 0,
          minInterval: 1,
          axisLabel: { formatter: (value: number) => formatCompact(Math.round(value)) },
          splitLine: { lineStyle: { opacity: 0.25 } },
        },
        tooltip: { valueFormatter: (value: number) => `${formatUnits(Math.round(value))} in use` },
        series: recovering.map(({ name, usage }) => ({
          name,
          type: 'line',
          symbol: 'none',
          areaStyle: { opacity: 0.12 },
          data: Array.from({ length: POINTS + 1 }, (_, at) => {
            const timeMs = headMs + (DAY_MS / POINTS) * at;
            return [timeMs, usedAt(usage, timeMs)];
          }),
        })),
      },
    }),
    [headMs, key],
  );
  if (recovering.length === 0) return <Empty>Nothing is in use, so nothing has to recover.</Empty>;
  const ends = recovering
    .map(({ usage, limit }) => `${formatUnits(usage.used)} of ${formatUnits(limit)} in use now, `)
    .join('');
  return (
    <figure class="recovery">
      <figcaption class="muted">In use over the next 24 hours (UTC), if nothing is added</figcaption>
      <Chart
        label={`Recovery of ${name}: ${ends}less each hour until all has recovered`}
        options={options}
        colors={colors}
        heightPx={190}
      />
    </figure>
  );
}
