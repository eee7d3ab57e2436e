/** What the command says while it runs: a line for each block that has transactions, and one for each of these. */

import type { BlockReport, TransactionReport } from '../devnet/reports.js';
import type { ChargeReport } from '../explanation/explanation.js';
import { formatTrx, formatUnits } from '../prose/amounts.js';

/** No line at all for a block without transactions: one comes every three seconds. */
export function blockLines(block: BlockReport): readonly string[] {
  const count = block.transactions.length;
  if (count === 0) return [];
  const time = new Date(block.timestampMs).toISOString().slice(11, 23);
  return [
    `block ${block.number}  ${time}  ${count} transaction${count === 1 ? '' : 's'}  ${block.id}`,
    ...block.transactions.flatMap((transaction) => [
      transactionLine(transaction),
      ...consoleOutput(transaction.consoleLines),
    ]),
  ];
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
