/** Sections as Markdown, for pull requests and documents. */

import type { ColumnKind, Section } from '../../prose/report.js';
import type { RunEnd } from '../results/result.js';
import type { RunTotals } from '../results/totals.js';
import { runSections } from './sections.js';
import { cellText, endLines } from './table.js';

export function markdownReport(file: string, totals: RunTotals, end: RunEnd): string {
  const [sum, digest] = endLines(totals, end);
  return [`# ${escaped(file)}`, sum, ...runSections(totals).map(sectionMarkdown), `\`${digest}\``, ''].join('\n\n');
}

export function sectionMarkdown({ title, columns, rows }: Section): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const rule = (kind: ColumnKind) => (kind === 'text' ? '---' : '---:');
  return [
    `## ${title}`,
    '',
    line(columns.map(({ name }) => escaped(name))),
    line(columns.map(({ kind }) => rule(kind))),
    ...rows.map((row) => line(row.map((cell, at) => escaped(cellText(cell, columns[at]?.kind ?? 'text'))))),
  ].join('\n');
}

/** Names come from the file: escape them, so that they cannot end a cell or start a tag. */
export function escaped(text: string): string {
  return text.replace(/[\\|`*_<>[\]#]/g, '\\$&').replace(/\s+/g, ' ');
}
