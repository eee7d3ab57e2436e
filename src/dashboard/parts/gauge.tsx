/** How much of a limit is in use. */

import { useMemo } from 'preact/hooks';
import type { Amount } from '../chain/answers.js';
import { formatUnits } from './amounts.js';
import { Chart } from './chart.js';

interface GaugeProps {
  readonly name: string;
  readonly used: Amount;
  readonly limit: Amount;
  /** A custom property of the style sheet. */
  readonly color: string;
}

export function Gauge({ name, used, limit, color }: GaugeProps) {
  const percent = Number(limit) === 0 ? 0 : Math.min(100, Math.round((Number(used) / Number(limit)) * 100));
  const options = useMemo(
    () => ({
      tooltip: { show: false },
      series: [
        {
          type: 'gauge',
          silent: true,
          center: ['50%', '60%'],
          radius: '96%',
          startAngle: 200,
          endAngle: -20,
          progress: { show: true, width: 12 },
          axisLine: { lineStyle: { width: 12, color: [[1, 'rgba(128, 138, 150, 0.22)']] } },
          pointer: { show: false },
          axisTick: { show: false },
          splitLine: { show: false },
          axisLabel: { show: false },
          title: { show: false },
          detail: { formatter: '{value} %', fontSize: 20, fontWeight: 600, color: 'inherit', offsetCenter: [0, 0] },
          data: [{ value: percent }],
        },
      ],
    }),
    [percent],
  );
  const colors = useMemo(() => [color], [color]);
  const label = `${name}: ${formatUnits(used)} of ${formatUnits(limit)} in use`;
  return (
    <figure class="gauge">
      <Chart label={label} options={options} colors={colors} heightPx={120} />
      <figcaption>
        <b>{name}</b>
        <span class="number">
          {formatUnits(used)} of {formatUnits(limit)} in use
        </span>
      </figcaption>
    </figure>
  );
}
