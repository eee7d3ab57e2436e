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
  /** Custom properties of the style sheet, for series in their order. */
  readonly colors?: readonly string[];
}

const COLORS = ['energy', 'bandwidth', 'burned', 'staked', 'free', 'penalty'] as const;

export function Chart({ label, options, heightPx = 220, colors = COLORS }: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const [library, setLibrary] = useState<Library>();
  const [theme] = useTheme();
  useEffect(() => {
    import('./echarts.js').then(setLibrary);
  }, []);
  useEffect(() => {
    if (library === undefined || box.current === null) return;
    const chart = library.init(box.current, axisColors());
    const resized = new ResizeObserver(() => chart.resize());
    resized.observe(box.current);
    return () => {
      resized.disconnect();
      chart.dispose();
    };
  }, [library, theme]);
  useEffect(() => {
    if (library === undefined || box.current === null) return;
    library.getInstanceByDom(box.current)?.setOption(
      {
        animation: false,
        textStyle: { fontFamily: getComputedStyle(box.current).fontFamily, color: cssColor('text') },
        color: colors.map(cssColor),
        grid: { left: 8, right: 12, top: 28, bottom: 8, containLabel: true },
        ...options,
        tooltip: { trigger: 'axis', renderMode: 'richText', confine: true, ...(options.tooltip as object) },
      },
      { notMerge: true },
    );
  }, [library, options, theme, colors]);
  return <div ref={box} class="chart" role="img" aria-label={label} style={{ height: `${heightPx}px` }} />;
}

function cssColor(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

/** The colours of text in the library's own theme do not follow ours. */
function axisColors(): object {
  const line = { lineStyle: { color: cssColor('line') } };
  const axis = { axisLabel: { color: cssColor('muted') }, axisLine: line, splitLine: line };
  return {
    ...{ categoryAxis: axis, valueAxis: axis, timeAxis: axis },
    legend: { textStyle: { color: cssColor('muted') } },
  };
}
