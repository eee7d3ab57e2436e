/** A chart of ECharts, loaded with the first one. Text of tooltips is drawn, never read as HTML. */

import type { EChartsCoreOption } from 'echarts/core';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useTheme } from './theme.js';

type Library = typeof import('./echarts.js');

interface ChartProps {
  /** What a reader who cannot see it is told. */
  readonly label: string;
  readonly options: EChartsCoreOption;
  readonly heightPx?: number;
}

export function Chart({ label, options, heightPx = 220 }: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const [library, setLibrary] = useState<Library>();
  const [theme] = useTheme();
  useEffect(() => {
    import('./echarts.js').then(setLibrary);
  }, []);
  useEffect(() => {
    if (library === undefined || box.current === null) return;
    const chart = library.init(box.current);
    const resized = new ResizeObserver(() => chart.resize());
    resized.observe(box.current);
    return () => {
      resized.disconnect();
      chart.dispose();
    };
  }, [library, theme]);
  useEffect(() => {
    if (library === undefined || box.current === null) return;
    const style = getComputedStyle(document.documentElement);
    const color = (name: string) => style.getPropertyValue(`--${name}`).trim();
    library.getInstanceByDom(box.current)?.setOption(
      {
        animation: false,
        textStyle: { fontFamily: 'inherit', color: color('text') },
        color: ['energy', 'bandwidth', 'burned', 'staked', 'free', 'penalty'].map(color),
        grid: { left: 8, right: 12, top: 28, bottom: 8, containLabel: true },
        ...options,
        tooltip: { trigger: 'axis', renderMode: 'richText', confine: true, ...(options.tooltip as object) },
      },
      { notMerge: true },
    );
  }, [library, options, theme]);
  return <div ref={box} class="chart" role="img" aria-label={label} style={{ height: `${heightPx}px` }} />;
}
