/**
 * The log lines of the command, at most 120 columns each: blocks with transactions, each transaction with its action,
 * outcome and cost, refusals, and changes of the chain from outside.
 */

import type {
  BlockReport,
  BranchedReport,
  ChangedReport,
  FailedCallReport,
  MinedReport,
  RefusedReport,
  SnapshotReport,
  TransactionReport,
} from '../devnet/events/reports.js';
import type { TracedCall } from '../explanation/calls/call-tree.js';
import type { ChargeReport } from '../explanation/model/explanation.js';
import { timeSpanText } from '../options/time-span.js';
import { writeJson } from '../primitives/amount-json.js';
import { printableLine } from '../primitives/printable.js';
import { formatMoment, formatTrx, formatUnits } from '../prose/amounts.js';
import { callTreeLines } from '../prose/call-tree.js';
import { wrapped } from '../prose/explanation.js';
import { shortReason } from '../prose/failure.js';
import { actionText, contractText, methodText } from '../prose/names.js';

const COLUMNS = 120;
const DETAIL = '    ';

/** Formats a line: with colour on a terminal, unchanged in a file. */
export type Mark = (line: string) => string;

const plain: Mark = (line) => line;

/** Formats for failures and for contract events in a call tree. */
export interface Marks {
  readonly plain: Mark;
  readonly failed: Mark;
  readonly event: Mark;
}

const PLAIN: Marks = { plain, failed: plain, event: plain };

/**
 * Empty blocks get no line, because one comes every three seconds. Only the end of an epoch is shown, unless
 * `minedLine` shows it.
 *
 * @param lastDay the day of the last shown block, `2025-01-01`; a change of the day shows the date too
 */
export function blockLines(block: BlockReport, lastDay: string, marks: Marks = PLAIN): readonly string[] {
  const count = block.transactions.length;
  const epochs = block.asked ? 0 : block.epochs;
  if (count === 0 && epochs === 0) return [];
  const iso = new Date(block.timestampMs).toISOString();
  const time = `${dayOf(block) === lastDay ? '' : `${dayOf(block)} `}${iso.slice(11, 23)}`;
  return [
    `block ${block.number}  ${time}  ${count === 0 ? 'no transactions' : counted(count, 'transaction')}  ${block.id}`,
    ...(epochs === 0 ? [] : [`  ${epochsText(epochs, 1)}`]),
    ...block.transactions.flatMap((transaction) => transactionLines(transaction, marks)),
  ];
}

/** The day of a block, UTC: `2025-01-01`. */
export function dayOf({ timestampMs }: { readonly timestampMs: number }): string {
  return new Date(timestampMs).toISOString().slice(0, 10);
}

/** A refused broadcast. */
export function refusedLines(refused: RefusedReport, failed: Mark = plain): readonly string[] {
  const { txid, owner, type, action, code, reason } = refused;
  return [
    `refused  ${txid}  ${code}`,
    fitted(`${DETAIL}${actionText(owner, type, action, 'refused')}`),
    ...wrapped([DETAIL + printableLine(reason)], COLUMNS),
  ].map(failed);
}

export function minedLine({ asked, blocks, epochs, maintenances, aheadMs, ...head }: MinedReport): string {
  const made = counted(blocks, 'block');
  const did =
    'blocks' in asked || 'epochs' in asked
      ? `mined ${made}`
      : `${'advanceMs' in asked ? timeSpanText(asked.advanceMs) : 'time'} passed (${made})`;
  const ahead =
    aheadMs === undefined
      ? ''
      : `, ${timeSpanText(aheadMs)} ahead of the clock; the next block waits until the clock has caught up`;
  return `${did}: ${headText(head)}${epochs === 0 ? '' : `, ${epochsText(epochs, maintenances)}`}${ahead}`;
}

/** A jump ends all epochs in one block, as a network does after an outage; `advance` makes a block at each boundary. */
function epochsText(epochs: number, maintenances: number): string {
  if (epochs === maintenances)
    return `${counted(epochs, 'epoch')} ended with a maintenance${epochs === 1 ? '' : ' each'}`;
  return `${counted(epochs, 'epoch')} ended with ${counted(maintenances, 'maintenance')}, as after an outage of the network`;
}

export function snapshotLine({ snapshot, number }: SnapshotReport): string {
  return `snapshot ${snapshot} of block ${number}`;
}

export function revertedLine({ snapshot, ...head }: SnapshotReport): string {
  return `reverted to snapshot ${snapshot}: ${headText(head)}`;
}

/** `set balance  address TMVQ…, balance sun 5000000` */
export function changedLine({ operation, values }: ChangedReport): string {
  const parts = Object.entries(values).map(([name, value]) => `${words(name)} ${valueText(value)}`);
  return fitted(`${words(operation)}  ${parts.join(', ')}`);
}

export function branchedLine({ number, timestampMs, ...how }: BranchedReport): string {
  const head = headText({ number, timestampMs });
  switch (how.kind) {
    case 'rollback':
      return `rolled back ${counted(how.depth, 'block')}: ${head}`;
    case 'reorg':
      return `replaced ${counted(how.depth, 'block')}: ${head}`;
    case 'reset':
      return `reset: ${head}`;
    case 'load':
      return `loaded a dump: ${head}`;
  }
}

/** `setBalance` → `set balance`. */
function words(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** Long values such as code are cut: the beginning identifies them. */
function valueText(value: unknown): string {
  const text = printableLine(typeof value === 'string' ? value : writeJson(value));
  return text.length > 66 ? `${text.slice(0, 40)}…` : text;
}

function headText({ number, timestampMs }: { readonly number: number; readonly timestampMs: number }): string {
  return `the head is block ${number}, ${formatMoment(timestampMs)}`;
}

function counted(count: number, what: string): string {
  return `${formatUnits(count)} ${what}${count === 1 ? '' : 's'}`;
}

/** Console output of a contract, marked to distinguish it from ours. */
export function consoleOutput(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => line.split('\n')).map((line) => `${DETAIL}console.log: ${line}`);
}

/** The id is complete on its line, so that users can copy it. */
function transactionLines(transaction: TransactionReport, marks: Marks): readonly string[] {
  const { txid, result, type, owner, action, outcome, charges } = transaction;
  const mark = result === 'SUCCESS' ? marks.plain : marks.failed;
  const reason = outcome.succeeded ? undefined : shortReason(outcome);
  return [
    mark(`  ${txid}  ${result}`),
    marks.plain(fitted(`${DETAIL}${actionText(owner, type, action, outcome.succeeded ? 'done' : 'failed')}`)),
    ...(reason === undefined ? [] : wrapped([`${DETAIL}failed: ${reason}`], COLUMNS).map(mark)),
    ...costLines(owner, charges).map((line) => marks.plain(fitted(DETAIL + line))),
    ...(transaction.trace === undefined
      ? consoleOutput(transaction.consoleLines).map(marks.plain)
      : treeLines(transaction.trace, marks)),
  ];
}

/** The call tree of `--trace`, which contains the lines of `console.log`. */
function treeLines(call: TracedCall, { plain, failed, event }: Marks): readonly string[] {
  return callTreeLines(call, DETAIL).map(({ text, tone }) =>
    tone === 'failed' ? failed(text) : tone === 'event' ? event(text) : plain(text),
  );
}

/** A failed call without a transaction: only its caller would know. */
export function failedCallLines(
  { caller, contract, method, outcome, trace }: FailedCallReport,
  marks: Marks,
): readonly string[] {
  const name = methodText(method);
  const reason = shortReason(outcome);
  const end = reason === undefined ? outcome.result : `${outcome.result}: ${reason}`;
  return [
    fitted(`call of ${name === '' ? '' : `${name} of `}${contractText(contract)} by ${caller}`),
    ...wrapped([`${DETAIL}failed with ${end}`], COLUMNS),
  ]
    .map(marks.failed)
    .concat(trace === undefined ? [] : treeLines(trace, marks));
}

/**
 * `paid 268 bandwidth (free), 1 TRX for account-activation (burned)`; other payers than the sender get their own lines.
 */
function costLines(owner: string, charges: readonly ChargeReport[]): readonly string[] {
  const parts = new Map<string, string[]>();
  for (const charge of charges) {
    if (charge.amount === 0n) continue;
    const part = parts.get(charge.payer) ?? [];
    parts.set(charge.payer, part);
    part.push(chargeText(charge));
  }
  if (parts.size === 0) return ['no cost'];
  return [...parts].map(([payer, texts]) => `${payer === owner ? 'paid' : `${payer} paid`} ${texts.join(', ')}`);
}

function chargeText({ resource, source, amount, reason, units }: ChargeReport): string {
  if (resource !== 'coin') return `${formatUnits(amount)} ${resource === 'energy' ? 'Energy' : resource} (${source})`;
  const purpose =
    units === undefined ? reason : `${formatUnits(units)} ${reason === 'energy' ? 'Energy' : 'bandwidth'}`;
  return `${formatTrx(amount)} for ${purpose} (${source})`;
}

const ADDRESS = /T[1-9A-HJ-NP-Za-km-z]{33}/;

/** Shortens addresses from the left until the line fits; then cuts the line. */
function fitted(line: string): string {
  let text = line;
  while (text.length > COLUMNS && ADDRESS.test(text)) {
    text = text.replace(ADDRESS, (address) => `${address.slice(0, 6)}…${address.slice(-4)}`);
  }
  return text.length > COLUMNS ? `${text.slice(0, COLUMNS - 1)}…` : text;
}
