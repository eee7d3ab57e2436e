/** Sections as terminal tables. */

import Table from 'cli-table3';
import { printable } from '../../primitives/printable.js';
import { formatAverageTrx, formatMoment, formatTrx, formatUnits } from '../../prose/amounts.js';
import type { Cell, ColumnKind, Section } from '../../prose/report.js';
import type { RunEnd } from '../results/result.js';
import type { RunTotals } from '../results/totals.js';
import { isZero, runSections } from './sections.js';

const PLAIN = { style: { head: [], border: [], compact: true } };

export function sectionTable({ columns, rows }: Section): string {
  const made = new Table({ ...PLAIN, head: columns.map(({ name }) => name) });
  made.push(
    ...rows.map((row) =>
      row.map((cell, at) => {
        const { kind = 'text' } = columns[at] ?? {};
        const content = cellText(cell, kind);
        return kind === 'text' ? wrapped(content) : { content, hAlign: 'right' as const };
      }),
    ),
  );
  return made.toString();
}

const WIDEST_TEXT = 72;

/** Wraps sentences; names and values stay on one line. */
function wrapped(text: string): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && line.length + word.length >= WIDEST_TEXT) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.join('\n');
}

/** Formatted for people; an empty cell instead of zero. */
export function cellText(cell: Cell, kind: ColumnKind): string {
  if (cell === undefined) return '';
  if (kind === 'text') return printable(String(cell));
  if (kind === 'percent') return `${cell} %`;
  if (isZero(cell)) return '';
  const amount = BigInt(cell);
  if (kind === 'average') return formatAverageTrx(amount);
  return kind === 'coin' ? formatTrx(amount) : formatUnits(amount);
}

/** The tables of a run; the last line has the digest. */
export function tableReport(file: string, totals: RunTotals, end: RunEnd): string {
  return [file, ...runSections(totals).map(sectionTable), ...endLines(totals, end), ''].join('\n');
}

/** Totals, the head of the chain, and the digest. */
export function endLines(
  totals: RunTotals,
  { head, digest, rulesVersion, rolledBack, fork }: RunEnd,
): readonly string[] {
  const back =
    rolledBack === 0 ? '' : ` (${formatUnits(BigInt(rolledBack))} of them rolled back later; totals include them)`;
  const above = fork === undefined ? '' : `, fork of ${fork.url} after block ${fork.blockNumber}`;
  return [
    `${formatUnits(BigInt(totals.transactions))} transactions${back}, ${formatTrx(totals.feeSun)}; block ${head.number}, ${formatMoment(head.timestampMs)}${above}`,
    `digest ${digest} (rules ${rulesVersion})`,
  ];
}
