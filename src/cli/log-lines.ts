/**
 * What the command says while it runs, on lines that fit into 120 columns: of each block that has transactions, and of
 * each of these what it did, how it ended, what it cost; what was refused; what was done to the chain from outside.
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

/** How a line is shown; colour where there is a terminal, nothing in a file. */
export type Mark = (line: string) => string;

const plain: Mark = (line) => line;

/** How lines are shown that tell of a failure, and of what a contract says in a call tree. */
export interface Marks {
  readonly plain: Mark;
  readonly failed: Mark;
  readonly event: Mark;
}

const PLAIN: Marks = { plain, failed: plain, event: plain };

/**
 * No line at all for a block without transactions: one comes every three seconds. Of epochs that ended with a block
 * that nobody asked for it says so; of others `minedLine` does.
 *
 * @param lastDay the day of the block that was told of before, `2025-01-01`; on another one the date is shown too
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

/** A broadcast that was not let in. */
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

/** A jump ends all epochs at once, as a network does after an outage; `advance` crosses each boundary. */
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

/** Of code and the like the beginning is enough to know it by. */
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

/** What a contract printed, so that it can be told from what we say. */
export function consoleOutput(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => line.split('\n')).map((line) => `${DETAIL}console.log: ${line}`);
}

/** The id stands whole on a line, so that it can be copied. */
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

/** What `--trace` shows; lines of `console.log` are in it. */
function treeLines(call: TracedCall, { plain, failed, event }: Marks): readonly string[] {
  return callTreeLines(call, DETAIL).map(({ text, tone }) =>
    tone === 'failed' ? failed(text) : tone === 'event' ? event(text) : plain(text),
  );
}

/** A call without a transaction that failed: nobody but its caller would know. */
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

/** `paid 268 bandwidth (free), 1 TRX for account-activation (burned)`; others than the sender on lines of their own. */
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

/** Shortens addresses from the left, as many as have to be, and in the end whatever is still too long. */
function fitted(line: string): string {
  let text = line;
  while (text.length > COLUMNS && ADDRESS.test(text)) {
    text = text.replace(ADDRESS, (address) => `${address.slice(0, 6)}…${address.slice(-4)}`);
  }
  return text.length > COLUMNS ? `${text.slice(0, COLUMNS - 1)}…` : text;
}
