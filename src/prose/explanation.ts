/**
 * An explanation in words: the result, its reason, the cost, who paid, then the reasons for each part. The text needs
 * the data of `explanation/` alone, so a client that has the JSON can make the same text.
 */

import type { BandwidthCost, ChargeReport, Explanation, ExplanationHead } from '../explanation/model/explanation.js';
import { printableLine } from '../primitives/printable.js';
import { formatMoment, formatTrx, formatUnits } from './amounts.js';
import { energyLines, feeLimitLines, freeOfChargeSentence, limitLines, wantSentences } from './energy.js';
import { failureSentences } from './failure.js';
import { actionText } from './names.js';
import { assumptionLines, networkRowLines } from './network-rows.js';
import { stackLines } from './source-lines.js';
import { limitSentence } from './stake.js';

/** The data and the text for it, in lines. An indented line is a detail of the line above. */
export interface ExplanationInWords extends Explanation {
  readonly text: readonly string[];
}

export function explanationInWords(explanation: Explanation): ExplanationInWords {
  return { ...explanation, text: explanationText(explanation) };
}

/** Whether the transaction ran in its block, or is previewed: without being sent, or again in its place. */
export type RunKind = 'in-block' | 'unsent' | 'again';

/** Lines that are not wrapped: two spaces for each level of detail, an empty line between parts. */
export function explanationText(explanation: Explanation, ran: RunKind = 'in-block'): readonly string[] {
  const { energy, bandwidth, action, freeOfCharge, networkRows, assumptions } = explanation;
  const ranOut = explanation.outcome.result === 'OUT_OF_ENERGY' || energy?.needed !== undefined;
  return [
    ...outcomeLines(explanation, ran, energy !== undefined && ranOut ? wantSentences(energy) : []),
    '',
    ...costLines(explanation),
    ...(bandwidth === undefined ? [] : ['', ...bandwidthLines(bandwidth, explanation)]),
    ...(energy === undefined
      ? []
      : ['', ...energyLines(energy, action.kind), '', ...limitLines(energy), '', ...feeLimitLines(energy)]),
    ...(freeOfCharge === undefined ? [] : ['', freeOfChargeSentence(freeOfCharge, energy)]),
    ...(networkRows === undefined ? [] : ['', ...networkRowLines(networkRows)]),
    ...(assumptions === undefined ? [] : ['', ...assumptionLines(assumptions)]),
  ];
}

const ENDS: Readonly<Record<RunKind, { readonly good: string; readonly bad: string; readonly after: string }>> = {
  'in-block': {
    good: 'Succeeded',
    bad: 'FAILED',
    after: 'All its changes were undone. The Energy that it used is still paid.',
  },
  unsent: {
    good: 'Would succeed',
    bad: 'Would FAIL',
    after: 'All its changes would be undone. The Energy that it uses would still be paid.',
  },
  again: {
    good: 'Would have succeeded',
    bad: 'Would have FAILED',
    after: 'All its changes would have been undone. The Energy that it used would still be paid.',
  },
};

/** What the head needs of an explanation, whatever its source. */
type Headed = ExplanationHead & {
  readonly bandwidth?: Pick<BandwidthCost, 'createsAccount'>;
  readonly energy?: object;
};

/** @param wants about a call that ran out of Energy */
export function outcomeLines(
  { txid, block, outcome, owner, type, action, bandwidth }: Headed,
  ran: RunKind,
  wants: readonly string[] = [],
): readonly string[] {
  const { succeeded, result } = outcome;
  const { good, bad, after } = ENDS[ran];
  const place = `in block ${block.number}, ${formatMoment(block.timestampMs)}${ran === 'unsent' ? '; nothing was sent' : ''}`;
  const head = [succeeded ? `${good} ${place}` : `${bad} with ${result} ${place}`, `transaction ${txid}`];
  const deed = `${actionText(owner, type, action, ran === 'unsent' ? 'unsent' : succeeded ? 'done' : 'failed')}.`;
  if (succeeded) {
    const created = bandwidth?.createsAccount && action.kind !== 'account-creation';
    return [...head, '', created ? `${deed} That account is new.` : deed];
  }
  return [...head, '', deed, ...failureSentences(outcome), ...stackLines(outcome.reason?.stack ?? []), ...wants, after];
}

type Payment = (amount: string, charge: ChargeReport) => string;

const UNITS_PAID: Partial<Record<ChargeReport['source'], Payment>> = {
  free: (amount) => `${amount} of its free daily bandwidth`,
  issuer: (amount) => `${amount} of its staked bandwidth`,
  origin: (amount) => `${amount} of its staked Energy`,
  'free-or-staked': (amount) => `${amount} of free or staked bandwidth`,
  staked: (amount, { resource }) => `${amount} of its staked ${resource === 'energy' ? 'Energy' : 'bandwidth'}`,
};

const DESTINATION: Partial<Record<ChargeReport['source'], string>> = {
  blackhole: 'sent to the Blackhole account',
  'fee-pool': "put into the producers' fee pool",
};

const PURPOSE: Readonly<Record<ChargeReport['reason'], Payment>> = {
  bandwidth: (_, charge) => `for ${priced(charge, 'bytes')}`,
  energy: (_, charge) => `for ${priced(charge, 'Energy')}`,
  'account-creation-bandwidth': () => 'as the flat bandwidth fee of a transaction that creates an account',
  'account-activation': () => 'to activate the new account',
  'multi-signature': () => 'for multiple signatures',
  memo: () => 'for a memo',
  'witness-creation': () => 'to become a witness candidate',
  'asset-issue': () => 'to issue a TRC-10 token',
  'permission-update': () => 'to change account permissions',
  'exchange-creation': () => 'to create an exchange',
  'market-order': () => 'for a market order',
};

function priced({ units, unitPriceSun }: ChargeReport, unit: string): string {
  if (units === undefined || unitPriceSun === undefined) return unit;
  return `${formatUnits(units)} ${unit} at ${formatUnits(unitPriceSun)} sun each`;
}

export function costLines(explanation: Headed): readonly string[] {
  const { feeSun, charges } = explanation;
  const paid = charges.filter(({ amount }) => amount !== 0n);
  if (paid.length === 0) return ['It cost nothing.'];
  const roles = paid.map((charge) => roleOf(charge, explanation));
  const width = Math.max(...roles.map(({ length }) => length));
  const lines = paid.map((charge, at) => `  ${(roles[at] ?? '').padEnd(width)}  ${paymentText(charge)}`);
  return [feeSun === 0n ? 'Cost: 0 TRX' : `Cost: ${formatTrx(feeSun)}`, ...lines];
}

/** The role of the payer. Its address is given where the role is first named. */
function roleOf({ payer, source }: ChargeReport, { owner, energy }: Headed): string {
  if (source === 'origin') return 'deployer';
  if (source === 'issuer') return 'issuer';
  if (payer !== owner) return payer;
  return energy === undefined ? 'sender' : 'caller';
}

function paymentText(charge: ChargeReport): string {
  const { resource, source, amount, reason } = charge;
  if (resource !== 'coin') {
    const units = formatUnits(amount);
    return UNITS_PAID[source]?.(units, charge) ?? `${units} ${resource}`;
  }
  return `${formatTrx(amount)} ${DESTINATION[source] ?? 'burned'} ${PURPOSE[reason]('', charge)}`;
}

function bandwidthLines(bandwidth: BandwidthCost, explanation: Explanation): readonly string[] {
  return [
    `Bandwidth: ${formatUnits(bandwidth.bytes)} bytes`,
    ...bandwidthSentences(bandwidth, explanation).map((sentence) => `  ${sentence}`),
  ];
}

/** Available sources of Bandwidth, and why one of them paid. */
export function bandwidthSentences(
  { bytes, createsAccount, staked, free, bytePriceSun }: BandwidthCost,
  { charges, energy }: Explanation,
): readonly string[] {
  const charge = charges.find(({ reason }) => reason === 'bandwidth' || reason === 'account-creation-bandwidth');
  if (staked === undefined || charge === undefined) {
    return [`The issuer of the token, ${charge?.payer}, pays for this transfer from its staked bandwidth.`];
  }
  const stake = limitSentence(energy === undefined ? 'The sender' : 'The caller', staked, 'bandwidth');
  if (charge.source === 'staked') return [`${stake} That was enough.`];
  if (createsAccount) {
    return [
      stake,
      'A transaction that creates an account cannot use free bandwidth. Without enough staked bandwidth it pays a flat fee.',
    ];
  }
  if (free === undefined) return [stake];
  const left = `${formatUnits(free.left)} of its ${formatUnits(free.limit)} free daily bytes were left`;
  if (charge.source === 'free') return [stake, `${left}: enough.`];
  return [
    stake,
    `${left}: not enough for ${formatUnits(bytes)}. A single source pays for a whole transaction, so all bytes were bought at ${formatUnits(bytePriceSun)} sun each.`,
  ];
}

const COLUMNS = 100;

/** A contract's name and address stay together. */
const BREAKS = / (?!\(T\w{33}\))/;

/** Breaks long lines. Continuation lines are indented below the text. */
export function wrapped(lines: readonly string[], columns = COLUMNS): readonly string[] {
  return lines.map(printableLine).flatMap((line) => {
    if (line.length <= columns) return [line];
    const [margin = ''] = /^ */.exec(line) ?? [];
    const rows: string[] = [];
    let row = margin;
    for (const word of line.slice(margin.length).split(BREAKS)) {
      if (row.length + 1 + word.length > columns && row.trim() !== '') {
        rows.push(row);
        row = `${margin}  ${word}`;
      } else row = row.trim() === '' ? `${row}${word}` : `${row} ${word}`;
    }
    return [...rows, row];
  });
}
