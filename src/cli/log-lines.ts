/**
 * What the command says while it runs: a line for each block that has transactions and one for each of these, what was
 * refused, and what was done to the chain from outside.
 */

import type { BlockReport, MinedReport, RefusedReport, SnapshotReport, TransactionReport } from '../devnet/reports.js';
import type { ChargeReport } from '../explanation/explanation.js';
import { timeSpanText } from '../options/time-span.js';
import { formatMoment, formatTrx, formatUnits } from '../prose/amounts.js';
import { wrapped } from '../prose/explanation.js';

/** How a line is shown that tells of a failure; colour where there is a terminal, nothing in a file. */
export type Mark = (line: string) => string;

const plain: Mark = (line) => line;

/**
 * No line at all for a block without transactions: one comes every three seconds.
 *
 * @param lastDay the day of the block that was told of before, `2025-01-01`; on another one the date is shown too
 */
export function blockLines(block: BlockReport, lastDay: string, failed: Mark = plain): readonly string[] {
  const count = block.transactions.length;
  if (count === 0) return [];
  const iso = new Date(block.timestampMs).toISOString();
  const time = `${dayOf(block) === lastDay ? '' : `${dayOf(block)} `}${iso.slice(11, 23)}`;
  return [
    `block ${block.number}  ${time}  ${counted(count, 'transaction')}  ${block.id}`,
    ...block.transactions.flatMap((transaction) => [
      (transaction.result === 'SUCCESS' ? plain : failed)(transactionLine(transaction)),
      ...consoleOutput(transaction.consoleLines),
    ]),
  ];
}

/** The day of a block, UTC: `2025-01-01`. */
export function dayOf({ timestampMs }: { readonly timestampMs: number }): string {
  return new Date(timestampMs).toISOString().slice(0, 10);
}

export function refusedLines({ txid, type, owner, reason }: RefusedReport, failed: Mark = plain): readonly string[] {
  const lines = wrapped(
    [`refused  ${txid}  ${type.replace(/Contract$/, '')}`, `  of ${owner}: ${oneLine(reason)}`],
    120,
  );
  return lines.map(failed);
}

export function minedLine({ asked, blocks, aheadMs, ...head }: MinedReport): string {
  const made = counted(blocks, 'block');
  const did =
    'blocks' in asked
      ? `mined ${made}`
      : `${'advanceMs' in asked ? timeSpanText(asked.advanceMs) : 'time'} passed (${made})`;
  const ahead =
    aheadMs === undefined ? '' : `, ${timeSpanText(aheadMs)} ahead of the clock, which the next one waits for`;
  return `${did}: ${headText(head)}${ahead}`;
}

export function snapshotLine({ snapshot, number }: SnapshotReport): string {
  return `snapshot ${snapshot} of block ${number}`;
}

export function revertedLine({ snapshot, ...head }: SnapshotReport): string {
  return `went back to snapshot ${snapshot}: ${headText(head)}`;
}

function headText({ number, timestampMs }: { readonly number: number; readonly timestampMs: number }): string {
  return `the head is block ${number}, ${formatMoment(timestampMs)}`;
}

function counted(count: number, what: string): string {
  return `${formatUnits(count)} ${what}${count === 1 ? '' : 's'}`;
}

/** What a stranger's contract or transaction made the network say cannot move the cursor of a terminal. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ');
}

/** What a contract printed, so that it can be told from what we say. */
export function consoleOutput(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `    console.log: ${line}`);
}

function transactionLine({ txid, type, result, charges }: TransactionReport): string {
  return `  ${txid}  ${type.replace(/Contract$/, '')}  ${result}  ${costText(charges)}`;
}

/** `TWer… paid 268 bandwidth (free), 1 TRX for account-activation (burned)`, one part for each payer. */
function costText(charges: readonly ChargeReport[]): string {
  const parts = new Map<string, string[]>();
  for (const charge of charges) {
    if (BigInt(charge.amount) === 0n) continue;
    const part = parts.get(charge.payer) ?? [];
    parts.set(charge.payer, part);
    part.push(chargeText(charge));
  }
  if (parts.size === 0) return 'no cost';
  return [...parts].map(([payer, texts]) => `${payer} paid ${texts.join(', ')}`).join('; ');
}

function chargeText({ resource, source, amount, reason }: ChargeReport): string {
  if (resource !== 'coin') return `${formatUnits(amount)} ${resource} (${source})`;
  return `${formatTrx(amount)} for ${reason} (${source})`;
}
