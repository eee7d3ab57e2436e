/** A report as one self-contained page: tables, and plots as SVG. */

import { escapedHtml } from '../../primitives/html-text.js';
import { formatTrx } from '../../prose/amounts.js';
import type { RunEnd } from '../results/result.js';
import type { RunTotals } from '../results/totals.js';
import { runSections, type Section } from './sections.js';
import { cellText, endLines } from './table.js';
import type { Span } from './timeline.js';

export interface HtmlRun {
  readonly file: string;
  readonly totals: RunTotals;
  readonly end: RunEnd;
  readonly spans: readonly Span[];
}

/** All runs of one command on one page. Loads the plotting library. */
export async function htmlReport(runs: readonly HtmlRun[]): Promise<string> {
  const { costPlot, energyPlot, payersPlot, sourcesPlot } = await import('./plots.js');
  const parts = runs.map(({ file, totals, end, spans }) => {
    const [sum = '', digest = ''] = endLines(totals, end);
    const plots = [payersPlot(totals), sourcesPlot(totals), costPlot(spans), energyPlot(spans)];
    return [
      `<h1>${escapedHtml(file)}</h1>`,
      `<p>${escapedHtml(sum)}</p>`,
      ...figures(plots),
      ...runSections(totals).map(sectionHtml),
      `<p class="digest">${escapedHtml(digest)}</p>`,
    ].join('\n');
  });
  const all = runs.reduce((sum, { totals }) => sum + totals.feeSun, 0n);
  return htmlPage(runs.length === 1 ? (runs[0]?.file ?? '') : `${runs.length} scenarios, ${formatTrx(all)}`, parts);
}

export function figures(plots: readonly (string | undefined)[]): readonly string[] {
  return plots.flatMap((plot) => (plot === undefined ? [] : [`<figure>${plot}</figure>`]));
}

export function sectionHtml({ title, columns, rows }: Section): string {
  const cell = (tag: string, text: string, at: number) => {
    const kind = columns[at]?.kind === 'text' ? (text.length > LONG_TEXT ? ' class="l"' : '') : ' class="n"';
    return `<${tag}${kind}>${escapedHtml(text)}</${tag.slice(0, 2)}>`;
  };
  const head = columns.map(({ name }, at) => cell('th scope="col"', name, at)).join('');
  const body = rows.map(
    (row) => `<tr>${row.map((one, at) => cell('td', cellText(one, columns[at]?.kind ?? 'text'), at)).join('')}</tr>`,
  );
  return `<h2>${escapedHtml(title)}</h2>\n<table><thead><tr>${head}</tr></thead><tbody>\n${body.join('\n')}\n</tbody></table>`;
}

/** Wraps long text. */
const LONG_TEXT = 60;

const STYLE = `body{font:15px/1.5 system-ui,sans-serif;max-width:960px;margin:2rem auto;padding:0 1rem;color:#1c2733}
h1{font-size:1.5rem;overflow-wrap:anywhere}h2{font-size:1.1rem;margin-top:2rem}h3{font-size:1rem;margin:1.5rem 0 .3rem}
table{border-collapse:collapse;font-size:.85rem;display:block;overflow-x:auto}
th,td{padding:.25rem .7rem;border-bottom:1px solid #dde3ea;text-align:left;white-space:nowrap}
th{border-bottom:2px solid #b8c3cf}.l{white-space:normal;min-width:22rem}.n{text-align:right;font-variant-numeric:tabular-nums}
figure{margin:1rem 0}svg{max-width:100%;height:auto}.digest{font:12px ui-monospace,monospace;overflow-wrap:anywhere;color:#5b6b7b}`;

/** @param parts HTML */
export function htmlPage(title: string, parts: readonly string[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapedHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
${parts.join('\n')}
</body>
</html>
`;
}
