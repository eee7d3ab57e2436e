/** Plots as SVG, drawn by ECharts without a browser. */

import { init } from 'echarts';
import { escapedHtml } from '../../primitives/html-text.js';
import { printable } from '../../primitives/printable.js';
import type { Plot, Tone } from '../../prose/report.js';

/** Colours that most people can distinguish, also in print. */
const COLORS: Readonly<Record<Tone, string>> = {
  bandwidth: '#3b6fb6',
  energy: '#e08a3c',
  free: '#5a9e6f',
  origin: '#8457c9',
  staked: '#4aa3a2',
  burned: '#b5484e',
  penalty: '#97231a',
  factor: '#7a7f87',
};

export const WIDE_PX = 860;
export const NARROW_PX = 340;

const ROW_PX = 22;
/** A name in the legend, with its mark and distance. */
const LEGEND_CHAR_PX = 7;
const LEGEND_MARK_PX = 54;

/** A plot as a whole SVG document. @param title also as a label for screen readers */
export function drawn({ title, heightPx, tones, legend, hasAxisNames, option }: Plot, widthPx = WIDE_PX): string {
  const hasLegend = legend.length > 0;
  const legendPx = legend.reduce((sum, name) => sum + LEGEND_MARK_PX + LEGEND_CHAR_PX * name.length, 0);
  const legendRows = hasLegend ? Math.ceil(legendPx / widthPx) : 0;
  const top = 40 + ROW_PX * legendRows + (hasAxisNames === true ? ROW_PX : 0);
  const chart = init(null, null, { renderer: 'svg', ssr: true, width: widthPx, height: heightPx + top });
  try {
    chart.setOption({
      animation: false,
      textStyle: { fontFamily: 'system-ui, sans-serif' },
      title: {
        text: printable(title),
        top: 6,
        left: 0,
        textStyle: { fontSize: 14, width: widthPx, overflow: 'truncate' },
      },
      grid: { left: 8, right: 24, top, bottom: 12, containLabel: true },
      color: tones.map((tone) => COLORS[tone]),
      legend: { show: hasLegend, top: 34, left: 0, itemGap: 18 },
      ...option,
    });
    // To a screen reader a plot is one picture; its numbers are in the tables.
    return chart.renderToSVGString().replace('<svg ', `<svg role="img" aria-label="${escapedHtml(printable(title))}" `);
  } finally {
    chart.dispose();
  }
}
