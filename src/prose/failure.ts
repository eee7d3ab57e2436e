/** Why a contract failed, in words. */

import type { FailureReason, Outcome } from '../explanation/model/explanation.js';
import { formatTrx, formatValue, quoted, safeName } from './amounts.js';
import { contractText } from './names.js';
import { siteText } from './source-lines.js';

/** The meaning of a Solidity panic, by its code. */
const PANICS: Readonly<Record<string, string>> = {
  '0': 'a generic error of the compiler',
  '1': 'an assertion failed',
  '17': 'an arithmetic overflow or underflow',
  '18': 'a division or modulo by zero',
  '33': 'a value outside its enum',
  '34': 'an incorrectly encoded byte array in storage',
  '49': 'pop() of an empty array',
  '50': 'an array index out of bounds',
  '65': 'too much memory, or an array that is too large',
  '81': 'a call of an uninitialized internal function',
};

const SHOWN_DATA_DIGITS = 136;

/**
 * The error of a REVERT in one line.
 *
 * @example errorText(reason) // 'NotEnough(wanted: 50, has: 0)', '"only the owner"', 'Panic(0x12): a division or
 * modulo by zero'
 */
export function errorText({ error, arguments: values = [], data }: FailureReason): string | undefined {
  if (error === undefined) return data === undefined ? undefined : dataText(data);
  const [first] = values;
  if (error === 'Error' && values.length === 1 && first?.type === 'string') return formatValue(first.value, first.type);
  if (error === 'Panic' && values.length === 1 && first !== undefined) {
    const code = String(first.value);
    const meaning = PANICS[code];
    return `Panic(0x${BigInt(code).toString(16).padStart(2, '0')})${meaning === undefined ? '' : `: ${meaning}`}`;
  }
  const texts = values.map(({ name, type, value }) => {
    const text = formatValue(value, type);
    return name === '' ? text : `${safeName(name)}: ${text}`;
  });
  return `${safeName(error)}(${texts.join(', ')})`;
}

function dataText(data: string): string {
  const shown = data.length > SHOWN_DATA_DIGITS ? `${data.slice(0, SHOWN_DATA_DIGITS)}…` : data;
  return `0x${shown}, an error that no known ABI defines`;
}

const HINTS: Readonly<Record<NonNullable<FailureReason['hint']>, string>> = {
  'no-such-function': 'the contract has no such function and no fallback',
  'not-payable': 'TRX was sent, but the function is not payable',
  'takes-no-coin':
    'TRX was sent without data, but the contract has neither a receive function nor a payable fallback function',
};

/** The likely reason of a REVERT without data, from the ABI. */
export function hintText({ hint }: FailureReason): string | undefined {
  return hint === undefined ? undefined : HINTS[hint];
}

/** The reason of a failure and its source position, for one log line. */
export function shortReason(outcome: Outcome): string | undefined {
  const why = shortestWhy(outcome);
  const [site] = outcome.reason?.stack ?? [];
  if (site === undefined) return why;
  return `${why ?? outcome.result} at ${siteText(site)}`;
}

function shortestWhy({ result, message, reason = {} }: Outcome): string | undefined {
  const error = errorText(reason);
  if (error !== undefined) return error;
  if (reason.hint !== undefined) return HINTS[reason.hint];
  if (reason.exception !== undefined) return reason.exception;
  if (result === 'OUT_OF_ENERGY') return 'out of Energy (sunup explain shows how much it needs)';
  return result === 'REVERT' ? undefined : message;
}

const EXCEPTIONS: Readonly<Record<string, string>> = {
  BAD_JUMP_DESTINATION: 'It jumped to an invalid destination. No compiler makes such code.',
  OUT_OF_MEMORY: 'It needed more than 3 MiB of memory, the limit of the TVM.',
  PRECOMPILED_CONTRACT: 'A precompiled contract failed.',
  STACK_TOO_SMALL: 'It took more values from the stack than it had. No compiler makes such code.',
  STACK_TOO_LARGE: 'Its stack grew beyond 1,024 words.',
  ILLEGAL_OPERATION:
    'It reached an unknown opcode: a failed assertion of old Solidity, code for a newer TVM, or data executed as code.',
  OUT_OF_TIME: 'It ran longer than a transaction may.',
  JVM_STACK_OVER_FLOW: 'Its calls were nested too deeply.',
  TRANSFER_FAILED: 'It could not make a transfer.',
  INVALID_CODE: 'The code to store begins with 0xef, which is reserved.',
  UNKNOWN: 'The network has no name for this error.',
};

/** Sentences about a failure inside the contract. For OUT_OF_ENERGY see `energy.ts`. */
export function failureSentences({ result, message, reason = {} }: Outcome): readonly string[] {
  const where = reason.raisedBy === undefined ? undefined : contractText(reason.raisedBy);
  if (result === 'REVERT') return [revertSentence(reason, where), ...lackSentence(reason)];
  if (result === 'OUT_OF_ENERGY') {
    return where === undefined ? [] : [`The Energy ran out in ${where}, which it called.`];
  }
  const known = EXCEPTIONS[result];
  const words = message === undefined ? [] : [`The receipt says: ${quoted(message)}.`];
  return [...(known === undefined ? [] : [known]), ...words];
}

function lackSentence({ lackedCoin }: FailureReason): readonly string[] {
  if (lackedCoin === undefined) return [];
  const { contract, balanceSun, valueSun } = lackedCoin;
  return [
    `Before that, ${contractText(contract)} tried to send ${formatTrx(valueSun)} but had only ${formatTrx(balanceSun)}: that call failed.`,
  ];
}

function revertSentence(reason: FailureReason, where: string | undefined): string {
  const error = errorText(reason);
  if (error !== undefined) {
    return where === undefined ? `It reverted with ${error}.` : `It reverted with ${error}, raised in ${where}.`;
  }
  if (reason.exception !== undefined) {
    const callee = where === undefined ? 'a contract that it called' : `${where}, which it called,`;
    return `It reverted without a reason after ${callee} failed: ${quoted(reason.exception)}.`;
  }
  if (where !== undefined) return `It reverted because ${where}, which it called, reverted without a reason.`;
  if (reason.hint !== undefined) return `It reverted without a reason: ${HINTS[reason.hint]}.`;
  return 'It reverted without a reason.';
}
