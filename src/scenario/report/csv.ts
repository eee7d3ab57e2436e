/**
 * CSV for spreadsheets and programs (RFC 4180): amounts in sun, bytes and Energy without separators. Text that a
 * spreadsheet would read as a formula gets an apostrophe in front.
 */

import type { Cell, Column, Section } from '../../prose/report.js';
import type { RunTotals } from '../results/totals.js';
import { runSections } from './sections.js';

/** One table of all runs. Each row names its file and section; cells of other sections' columns are empty. */
export function csvReport(runs: readonly { readonly file: string; readonly totals: RunTotals }[]): string {
  const all = runs.flatMap(({ file, totals }) => runSections(totals).map((section) => ({ file, section })));
  const names = [...new Set(all.flatMap(({ section }) => section.columns.map(columnName)))];
  const lines = [csvLine(['file', 'section', ...names])];
  for (const { file, section } of all) {
    const { title, columns, rows } = section;
    const places = names.map((name) => columns.findIndex((column) => columnName(column) === name));
    for (const row of rows) lines.push(csvLine([file, title, ...places.map((at) => (at < 0 ? undefined : row[at]))]));
  }
  return lines.join('');
}

/** The rows of one section with their own header. */
export function sectionCsv({ columns, rows }: Section): string {
  return [columns.map(columnName), ...rows].map(csvLine).join('');
}

function columnName({ name, kind }: Column): string {
  if (kind === 'percent') return `${name} (%)`;
  return kind === 'coin' || kind === 'average' ? `${name} (sun)` : name;
}

function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(cell: Cell): string {
  if (cell === undefined) return '';
  if (typeof cell !== 'string' || /^-?\d+$/.test(cell)) return String(cell);
  const text = /^[=+\-@\t\r\n＝＋－＠]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
