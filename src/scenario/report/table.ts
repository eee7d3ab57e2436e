/** A run as tables for a terminal: by step, by payer, by what was paid for and from what. */

import Table from 'cli-table3';
import type { Amount } from '../../explanation/amount.js';
import { formatMoment, formatTrx, formatUnits } from '../../prose/amounts.js';
import type { RunEnd } from '../result.js';
import type { RunTotals } from '../totals.js';

const PLAIN = { style: { head: [], border: [], compact: true } };

type Cell = string | { readonly content: string; readonly hAlign: 'right' };

const right = (content: string): Cell => ({ content, hAlign: 'right' });
const units = (amount: Amount): Cell => right(amount === 0 ? '' : formatUnits(amount));
const coin = (amount: Amount): Cell => right(amount === 0 ? '' : formatTrx(amount));
const number = (count: number): Cell => right(count === 0 ? '' : formatUnits(BigInt(count)));

function table(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const made = new Table({ ...PLAIN, head: [...head] });
  made.push(...rows.map((row) => [...row]));
  return made.toString();
}

/** The tables, with a last line that says the digest. */
export function tableReport(file: string, totals: RunTotals, end: RunEnd): string {
  const { head, digest, rulesVersion } = end;
  return [
    file,
    table(
      ['step', 'what', 'times', 'failed', 'refused', 'bytes', 'Energy', 'penalty', 'fee'],
      totals.steps.map((step) => [
        step.label ?? step.step,
        step.type,
        number(step.count),
        number(step.failed),
        number(step.refused),
        units(step.bandwidth),
        units(step.energy),
        units(step.energyPenalty),
        coin(step.feeSun),
      ]),
    ),
    table(
      ['payer', 'transactions', 'bytes, no coin', 'Energy, no coin', 'for bytes', 'for Energy', 'fixed fees', 'paid'],
      totals.payers.map((payer) => [
        payer.payer,
        number(payer.transactions),
        units(payer.bandwidthUnits),
        units(payer.energyUnits),
        coin(payer.bandwidthSun),
        coin(payer.energySun),
        coin(payer.feeSun),
        coin(payer.sun),
      ]),
    ),
    table(
      ['for', 'from', 'times', 'units', 'coin'],
      totals.sources.map(({ reason, source, count, units: amount, sun }) => [
        reason,
        source,
        number(count),
        units(amount),
        coin(sun),
      ]),
    ),
    `${formatUnits(BigInt(totals.transactions))} transactions, ${formatTrx(totals.feeSun)}; block ${head.number}, ${formatMoment(head.timestampMs)}`,
    `digest ${digest} (rules ${rulesVersion})`,
    '',
  ].join('\n');
}
