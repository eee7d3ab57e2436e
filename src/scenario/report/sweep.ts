/** A sweep as a table, as rows, and as one page with a plot. */

import { amountOf } from '../../explanation/amount.js';
import { findingLines } from '../what-if/findings.js';
import type { Sweep } from '../what-if/outcome.js';
import { sectionCsv } from './csv.js';
import { escaped } from './escaped.js';
import { figures, htmlPage, sectionHtml } from './html.js';
import { escaped as escapedMarkdown, sectionMarkdown } from './markdown.js';
import type { Section } from './sections.js';
import { sectionTable } from './table.js';

/** A row for each setting; the first is the file as it is. */
function sweepSection({ variations, outcomes }: Sweep): Section {
  const asItIs = outcomes.find(({ index }) => index === 0);
  return {
    title: 'By setting',
    columns: [
      ...variations.map(({ name }) => ({ name, kind: 'text' as const })),
      ...['transactions', 'failed', 'refused', 'bytes', 'Energy', 'penalty'].map((name) => ({
        name,
        kind: 'number' as const,
      })),
      { name: 'stake', kind: 'coin' },
      { name: 'fee', kind: 'coin' },
      { name: 'against the file', kind: 'coin' },
    ],
    rows: outcomes.map((one) => [
      ...one.values.map((value) => (one.index === 0 ? 'as it is' : String(value))),
      one.transactions,
      one.failed,
      one.refused,
      one.bandwidth,
      one.energy,
      one.energyPenalty,
      one.stakedSun,
      one.feeSun,
      asItIs === undefined ? undefined : amountOf(BigInt(one.feeSun) - BigInt(asItIs.feeSun)),
    ]),
  };
}

const MOST_ROWS = 500;
const MOST_OF_STAKES = 12;

export function sweepTable(sweep: Sweep): string {
  const section = sweepSection(sweep);
  const more = section.rows.length - MOST_ROWS;
  return [
    sweep.file,
    sectionTable({ ...section, rows: section.rows.slice(0, MOST_ROWS) }),
    ...(more > 0 ? [`and ${more} further settings (--csv, --json)`] : []),
    ...findingLines(sweep, MOST_OF_STAKES),
    '',
  ].join('\n');
}

export function sweepCsv(sweep: Sweep): string {
  return sectionCsv(sweepSection(sweep));
}

export function sweepMarkdown(sweep: Sweep): string {
  const lines = findingLines(sweep).map((line) => `- ${escapedMarkdown(line)}`);
  return [`# ${escapedMarkdown(sweep.file)}`, lines.join('\n'), sectionMarkdown(sweepSection(sweep)), ''].join('\n\n');
}

/** The plotting library is loaded for it. */
export async function sweepHtml(sweep: Sweep): Promise<string> {
  const { sweepPlots } = await import('./sweep-plots.js');
  const findings = findingLines(sweep).map((line) => `<li>${escaped(line)}</li>`);
  return htmlPage(sweep.file, [
    `<h1>${escaped(sweep.file)}</h1>`,
    `<ul>${findings.join('\n')}</ul>`,
    ...figures(sweepPlots(sweep)),
    sectionHtml(sweepSection(sweep)),
  ]);
}

/** The plot alone, as an SVG document. */
export async function sweepSvg(sweep: Sweep): Promise<string> {
  const { sweepPlots } = await import('./sweep-plots.js');
  return `${sweepPlots(sweep)[0] ?? ''}\n`;
}
