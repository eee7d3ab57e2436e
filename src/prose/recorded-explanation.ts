/** The explanation of a network's transaction in words. Its head and payments are those of every explanation. */

import type { RecordedExplanation, Today } from '../explanation/model/recorded-explanation.js';
import { formatMoment, formatRounded, formatTrx, formatUnits, formatValue, quoted, safeName } from './amounts.js';
import { costLines, outcomeLines } from './explanation.js';
import { contractText } from './names.js';

const SHOWN_EVENTS = 20;

export interface RecordedExplanationInWords extends RecordedExplanation {
  readonly text: readonly string[];
}

export function recordedExplanationInWords(explanation: RecordedExplanation): RecordedExplanationInWords {
  return { ...explanation, text: recordedExplanationText(explanation) };
}

/** Lines that are not wrapped, as `explanationText`. */
export function recordedExplanationText(explanation: RecordedExplanation): readonly string[] {
  const { today } = explanation;
  const parts = [
    [...outcomeLines(explanation, 'in-block'), ...callLines(explanation)],
    [...costLines(explanation), ...mismatchLines(explanation)],
    energyLines(explanation),
    movementLines(explanation),
    internalLines(explanation),
    eventLines(explanation),
    notRecordedLines(explanation),
    today === undefined ? [] : todayLines(today),
  ];
  return parts.filter((part) => part.length > 0).flatMap((part, at) => (at === 0 ? part : ['', ...part]));
}

function callLines({ arguments: values = [], implementation, memo }: RecordedExplanation): readonly string[] {
  return [
    ...(implementation === undefined ? [] : [`It is a proxy of ${contractText(implementation)}.`]),
    ...values.map(({ name, type, value }) => `  ${name === '' ? type : safeName(name)}: ${formatValue(value, type)}`),
    ...(memo === undefined ? [] : [`Memo: ${quoted(memo)}`]),
  ];
}

function mismatchLines({ mismatches }: RecordedExplanation): readonly string[] {
  return mismatches.map((one) =>
    one.what === 'fee'
      ? `  ${formatTrx(one.amountSun)} of the fee are not explained by the prices of that moment.`
      : `  The receipt has ${formatTrx(one.amountSun)} for ${one.what}; ${formatUnits(one.units)} at ${formatUnits(one.unitPriceSun)} sun each would be ${formatTrx(one.units * one.unitPriceSun)}.`,
  );
}

function energyLines({ energy }: RecordedExplanation): readonly string[] {
  if (energy === undefined) return [];
  const { total, penalty, caller, origin, feeLimitSun, feeLimitEnergy, ranOutBy } = energy;
  const shares = [
    origin === undefined
      ? undefined
      : `${formatUnits(origin.paid)} paid by the deployer${origin.address === undefined ? '' : ` (${origin.address})`}`,
    caller.staked > 0n && `${formatUnits(caller.staked)} from the caller's stake, own or delegated`,
    caller.bought > 0n && `${formatUnits(caller.bought)} bought`,
  ].filter((part) => typeof part === 'string');
  return [
    `Energy: ${formatUnits(total)}`,
    ...(penalty === 0n
      ? []
      : [
          `  ${formatUnits(total - penalty)} at the base price, and a penalty of ${formatUnits(penalty)} by energy factors.`,
        ]),
    ...(shares.length === 0 ? [] : [`  ${shares.join(', ')}.`]),
    `  The feeLimit of ${formatTrx(feeLimitSun)} allowed the caller ${formatUnits(feeLimitEnergy)} Energy.${ranOut(ranOutBy)}`,
  ];
}

function ranOut(by: NonNullable<RecordedExplanation['energy']>['ranOutBy']): string {
  if (by === undefined) return '';
  return by === 'feeLimit'
    ? ' It used all of that: a higher feeLimit was needed.'
    : " It ran out before that: the caller's stake and balance did not buy more.";
}

function movementLines({ balanceChanges, owner }: RecordedExplanation): readonly string[] {
  if (balanceChanges.length === 0) return [];
  const width = Math.max(...balanceChanges.map(({ address }) => address.length));
  return [
    'Balances:',
    ...balanceChanges.map(({ address, token, change }) => {
      const sign = change > 0n ? '+' : '-';
      const size = change > 0n ? change : -change;
      const amount = token === undefined ? formatTrx(size) : `${formatUnits(size)} of token ${safeName(token)}`;
      return `  ${address.padEnd(width)}  ${sign}${amount}${address === owner ? ' (sender)' : ''}`;
    }),
  ];
}

function internalLines({ internalTransactions }: RecordedExplanation): readonly string[] {
  if (internalTransactions.length === 0) return [];
  const shown = internalTransactions.slice(0, SHOWN_EVENTS).map(({ note, from, to, valueSun, tokens, rejected }) => {
    const moved = [
      ...(valueSun > 0n ? [formatTrx(valueSun)] : []),
      ...tokens.map(({ id, amount }) => `${formatUnits(amount)} of token ${safeName(id)}`),
    ].join(', ');
    const end = `${moved === '' ? '' : ` with ${moved}`}${rejected ? ' (rejected)' : ''}`;
    return `  ${safeName(note)}: ${from}${to === '' ? '' : ` to ${to}`}${end}`;
  });
  const more = internalTransactions.length - shown.length;
  return ['Internal transactions:', ...shown, ...(more > 0 ? [`  and ${formatUnits(more)} more`] : [])];
}

function eventLines({ events }: RecordedExplanation): readonly string[] {
  if (events.length === 0) return [];
  const shown = events.slice(0, SHOWN_EVENTS).map(({ contract, event, arguments: values = [], topics }) => {
    const what =
      event === undefined
        ? `unknown event 0x${(topics[0] ?? '').slice(0, 8)}`
        : `${safeName(event)}(${values.map(({ name, type, value }) => `${name === '' ? '' : `${safeName(name)}: `}${formatValue(value, type)}`).join(', ')})`;
    return `  ${contractText(contract)}: ${what}`;
  });
  const more = events.length > SHOWN_EVENTS ? [`  and ${formatUnits(events.length - SHOWN_EVENTS)} more`] : [];
  return ['Events:', ...shown, ...more];
}

function notRecordedLines({ notRecorded }: RecordedExplanation): readonly string[] {
  if (notRecorded.length === 0) return [];
  return ['Not in the receipt:', ...notRecorded.map(({ why }) => `  ${why}.`)];
}

/** The part "as of block N". */
export function todayLines(today: Today): readonly string[] {
  const { blockNumber, timestampMs, contract, callerEnergyLimit, callerEnergyLeft } = today;
  const { energyPerTrx, stakeForEnergySun, mayDiffer } = today;
  return [
    `As of block ${formatUnits(blockNumber)}, ${formatMoment(timestampMs)} (not the values of then):`,
    ...(contract === undefined
      ? []
      : [
          `  The contract's energy factor is ${contract.factor}. Callers pay ${contract.userPercent} %; the deployer at most ${formatUnits(contract.originEnergyLimit)} per call, and has ${formatUnits(contract.deployerEnergyLeft)} of ${formatUnits(contract.deployerEnergyLimit)} Energy left.`,
        ]),
    `  The caller has ${formatUnits(callerEnergyLeft)} of ${formatUnits(callerEnergyLimit)} Energy left.`,
    ...(stakeForEnergySun === undefined
      ? []
      : [
          `  One staked TRX yields ${formatRounded(energyPerTrx)} Energy a day: ${formatTrx(stakeForEnergySun)} staked would yield the caller's part once a day.`,
        ]),
    ...mayDiffer.map((text) => `  Against the receipt: ${text}.`),
  ];
}
