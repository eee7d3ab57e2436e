/** An Energy report as text for terminals and as Markdown for pull requests, with changes since another report. */

import { type EnergyReport, type EnergyRow, keyOf, shareOf } from '../../explanation/summary/energy-by-method.js';
import { formatTrx, formatUnits } from '../../prose/amounts.js';

const HEADS = ['Contract', 'Method', 'Calls', 'Failed', 'Min', 'Average', 'Max', 'Penalty', 'Burned'] as const;
/** Text columns are left-aligned. */
const NAMES = 2;

/** @param last the report to compare with: of the previous run, or of the target branch */
export function textTable(report: EnergyReport, last?: EnergyReport): string {
  const heads = headsOf(last);
  const rows = [heads, ...cellsOf(report, last)];
  const widths = heads.map((_, column) => Math.max(...rows.map((cells) => (cells[column] ?? '').length)));
  const lines = rows.map((cells) =>
    cells
      .map((cell, column) => (column < NAMES ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
      .join('  ')
      .trimEnd(),
  );
  return `${headline(report, last)}\n\n${lines.join('\n')}\n${gone(report, last, (text) => text)}`;
}

export function markdownTable(report: EnergyReport, last?: EnergyReport): string {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const heads = headsOf(last);
  const marks = heads.map((_, column) => (column < NAMES ? '---' : '---:'));
  const rows = cellsOf(report, last).map(([contract, method, ...numbers]) =>
    row([escaped(contract), `\`${escaped(method)}\``, ...numbers]),
  );
  return `### Energy of the tests\n\n${headline(report, last)}\n\n${[row(heads), row(marks), ...rows].join('\n')}\n${gone(report, last, (text) => `\`${escaped(text)}\``)}`;
}

function headsOf(last: EnergyReport | undefined): readonly string[] {
  return last === undefined ? HEADS : [...HEADS, 'Change'];
}

function escaped(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('`', "'");
}

function headline({ transactions, energy, penalty, burnedSun }: EnergyReport, last: EnergyReport | undefined): string {
  const change = last === undefined ? '' : ` (${changeText(last.energy, energy)})`;
  const count = `${formatUnits(transactions)} ${transactions === 1 ? 'transaction' : 'transactions'}`;
  return `${count}: Energy ${formatUnits(energy)}${change}, of which ${shareText(shareOf(penalty, energy))} penalty; burned ${formatTrx(burnedSun)}`;
}

type Cells = readonly [contract: string, method: string, ...numbers: string[]];

function cellsOf({ rows }: EnergyReport, last: EnergyReport | undefined): readonly Cells[] {
  const before = new Map(last?.rows.map((row) => [keyOf(row), row]));
  return rows.map((row) => {
    const { contract, calls, failed, min, average, max, penaltyShare, averageBurnedSun } = row;
    const amounts = [min, average, max].map((amount) => (calls === 0 ? '–' : formatUnits(amount)));
    return [
      contract === '' ? '(no name)' : contract,
      methodText(row),
      formatUnits(calls),
      formatUnits(failed),
      ...amounts,
      shareText(penaltyShare),
      formatTrx(averageBurnedSun),
      ...(last === undefined ? [] : [rowChange(before.get(keyOf(row)), row)]),
    ];
  });
}

function methodText({ method, codeBytes = 0 }: EnergyRow): string {
  return method ?? `deployment, ${formatUnits(codeBytes)} bytes`;
}

function rowChange(was: EnergyRow | undefined, is: EnergyRow): string {
  if (was === undefined) return 'new';
  const bytes = (is.codeBytes ?? 0) - (was.codeBytes ?? 0);
  const size = bytes === 0 ? '' : `, ${bytes > 0 ? '+' : '-'}${formatUnits(Math.abs(bytes))} bytes`;
  if (was.calls === 0 || is.calls === 0) return `${was.calls === is.calls ? '' : 'other number of calls'}${size}`;
  return `${changeText(was.average, is.average)}${size}`;
}

/** @example changeText(200n, 203n) // '+3, +1.5 %' */
function changeText(before: bigint, now: bigint): string {
  if (now === before) return '=';
  const [sign, by] = now > before ? ['+', now - before] : ['-', before - now];
  const percent = before === 0n ? '' : `, ${sign}${(shareOf(by, before) * 100).toFixed(1)} %`;
  return `${sign}${formatUnits(by)}${percent}`;
}

function shareText(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

/** Rows of the last report that this one lacks. */
function gone({ rows }: EnergyReport, last: EnergyReport | undefined, shown: (text: string) => string): string {
  const there = new Set(rows.map(keyOf));
  const lost = last?.rows.filter((row) => !there.has(keyOf(row))) ?? [];
  if (lost.length === 0) return '';
  const names = lost.map(({ contract, method = 'deployment' }) => shown(`${contract} ${method}`.trim()));
  return `\nNot in this run: ${names.join(', ')}\n`;
}
