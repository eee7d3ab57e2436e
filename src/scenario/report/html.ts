/** Reports as one self-contained page: the answer first, then plots as SVG and tables. For screens, phones and paper. */

import { escapedHtml } from '../../primitives/html-text.js';
import { printable } from '../../primitives/printable.js';
import { formatTrx, formatUnits } from '../../prose/amounts.js';
import type { Figure, Plot, Report, Section } from '../../prose/report.js';
import { cellText } from './table.js';

/** All reports of one command on one page. Loads the plotting library. */
export async function htmlReport(reports: readonly Report[]): Promise<string> {
  const { drawn, NARROW_PX } = await import('./draw.js');
  // A plot for paper and one for phones, because its text would shrink with it.
  const figure = (plot: Plot) =>
    `<figure><div class="wide">${drawn(plot)}</div><div class="narrow">${drawn(plot, NARROW_PX)}</div></figure>`;
  const parts = reports.map((report) => `<article>\n${reportHtml(report, report.plots.map(figure))}\n</article>`);
  const [only] = reports;
  return htmlPage(reports.length === 1 && only !== undefined ? only.title : `${reports.length} scenarios`, parts);
}

function reportHtml(report: Report, plots: readonly string[]): string {
  const { title, about, answer, findings, figures, assumptions, sections, end } = report;
  const facts = assumptions.map(({ name, value }) => `<div><dt>${inHtml(name)}</dt><dd>${inHtml(value)}</dd></div>`);
  return [
    `<h1>${inHtml(title)}</h1>`,
    ...(about === undefined ? [] : [`<p class="about">${inHtml(about)}</p>`]),
    `<p class="answer">${inHtml(answer)}</p>`,
    `<dl class="figures">${figures.map(figureHtml).join('')}</dl>`,
    ...(findings.length === 0 ? [] : [`<ul>${findings.map((line) => `<li>${inHtml(line)}</li>`).join('\n')}</ul>`]),
    ...(facts.length === 0 ? [] : [`<h2>Assumptions</h2>\n<dl class="facts">${facts.join('\n')}</dl>`]),
    ...plots,
    ...sections.map(sectionHtml),
    ...end.map((line) => `<p class="digest">${inHtml(line)}</p>`),
  ].join('\n');
}

function figureHtml({ name, kind, value }: Figure): string {
  const text = kind === 'time' ? spanText(Number(value)) : cellText(value, kind);
  return `<div><dt>${inHtml(name)}</dt><dd>${inHtml(text === '' ? (kind === 'coin' ? formatTrx(0n) : '0') : text)}</dd></div>`;
}

const HOUR_MS = 3_600_000;

function spanText(spanMs: number): string {
  if (spanMs >= 48 * HOUR_MS) return `${Math.round(spanMs / HOUR_MS / 2.4) / 10} days`;
  if (spanMs >= HOUR_MS) return `${Math.round((spanMs / HOUR_MS) * 10) / 10} hours`;
  return `${formatUnits(Math.round(spanMs / 1_000))} s`;
}

const inHtml = (text: string) => escapedHtml(printable(text));

/** On a phone, each row is a list of its columns' names and values. */
export function sectionHtml({ title, columns, rows }: Section): string {
  const kinds = columns.map(({ kind }) => kind);
  const head = columns.map(
    ({ name, kind }) => `<th scope="col"${kind === 'text' ? '' : ' class="n"'}>${inHtml(name)}</th>`,
  );
  const body = rows.map((row) => {
    const cells = row.map((one, at) => {
      const text = cellText(one, kinds[at] ?? 'text');
      const form = kinds[at] !== 'text' ? 'n' : text.length > LONG_TEXT ? 'l' : text.length > SHORT_TEXT ? 't' : 's';
      return `<td class="${form}" data-name="${inHtml(columns[at]?.name ?? '')}">${escapedHtml(text)}</td>`;
    });
    return `<tr>${cells.join('')}</tr>`;
  });
  return `<h2>${inHtml(title)}</h2>\n<table><thead><tr>${head.join('')}</tr></thead><tbody>\n${body.join('\n')}\n</tbody></table>`;
}

/** Sentences get a width; values stay on one line. */
const LONG_TEXT = 60;
const SHORT_TEXT = 16;

const STYLE = `:root{color-scheme:light}*{box-sizing:border-box}
body{font:15px/1.5 system-ui,sans-serif;max-width:1180px;margin:2rem auto;padding:0 1.5rem;color:#1c2733;background:#fff}
article+article{margin-top:4rem;border-top:2px solid #b8c3cf}
h1{font-size:1.5rem;margin:1rem 0 .2rem;overflow-wrap:anywhere}h2{font-size:1.1rem;margin:2rem 0 .4rem}h3{font-size:1rem;margin:1.5rem 0 .3rem}
.about{margin:0;color:#4a5a6a;font-size:1.05rem}.answer{margin:1rem 0;padding:.9rem 1.1rem;border-left:4px solid #e08a3c;background:#fdf4ea;font-size:1.15rem;overflow-wrap:anywhere}
dl{margin:0}dd{margin:0;overflow-wrap:anywhere}li{overflow-wrap:anywhere}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));gap:.8rem;margin:1rem 0}
.figures div{padding:.6rem .9rem;border:1px solid #dde3ea;border-radius:8px}.figures dt{color:#5b6b7b;font-size:.85rem}.figures dd{font-size:1.2rem;font-weight:600;font-variant-numeric:tabular-nums}
.facts div{display:grid;grid-template-columns:12rem 1fr;gap:1rem;padding:.2rem 0}.facts dt{color:#5b6b7b}
table{border-collapse:collapse;font-size:.85rem;width:100%}
th,td{padding:.3rem .6rem;border-bottom:1px solid #dde3ea;text-align:left;vertical-align:top;overflow-wrap:anywhere}
th{border-bottom:2px solid #b8c3cf;vertical-align:bottom;overflow-wrap:normal}.l{min-width:18rem}
.n{text-align:right;font-variant-numeric:tabular-nums}td.n,.s{overflow-wrap:normal;white-space:nowrap}
figure{margin:1.5rem 0;break-inside:avoid}svg{max-width:100%;height:auto}.narrow{display:none}
.digest{font:12px ui-monospace,monospace;overflow-wrap:anywhere;color:#5b6b7b;margin:.5rem 0}
@media screen and (max-width:760px){body{margin:1rem auto;padding:0 1rem}.wide{display:none}.narrow{display:block}
.figures{grid-template-columns:1fr 1fr}.facts div{grid-template-columns:1fr;gap:0;padding:.4rem 0}
thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}table,tbody,tr,td{display:block}
tr{padding:.5rem 0;border-bottom:2px solid #dde3ea}td,td.n,.s{display:flex;justify-content:space-between;gap:1rem;padding:.1rem 0;border:0;white-space:normal;text-align:right}
td::before{content:attr(data-name);flex:none;max-width:50%;color:#5b6b7b;text-align:left}td:empty{display:none}td:first-child{font-weight:600}.l{min-width:0}}
@media print{@page{margin:12mm}body{margin:0;padding:0;max-width:none;font-size:10pt}table{font-size:7.5pt}th,td,td.n,.s{padding:1.5pt 3pt;white-space:normal}.l{min-width:0}thead{display:table-header-group}tr{break-inside:avoid}h2{break-after:avoid}}`;

/** @param parts HTML */
export function htmlPage(title: string, parts: readonly string[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${inHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${parts.join('\n')}
</main>
</body>
</html>
`;
}
