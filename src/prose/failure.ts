/** Why a contract failed, in words. */

import type { FailureReason, Outcome } from '../explanation/model/explanation.js';
import { formatTrx, formatValue, quoted, safeName } from './amounts.js';
import { contractText } from './names.js';
import { siteText } from './source-lines.js';

/** What Solidity panics about, by its code. */
const PANICS: Readonly<Record<string, string>> = {
  '0': 'something that the compiler left without a code',
  '1': 'an assertion does not hold',
  '17': 'an arithmetic overflow or underflow',
  '18': 'a division or modulo by zero',
  '33': 'a value that its enum does not have',
  '34': 'a byte array in storage that is encoded wrongly',
  '49': 'pop() of an empty array',
  '50': 'an array index out of bounds',
  '65': 'too much memory, or an array that is too large',
  '81': 'a call of an internal function that was never set',
};

const SHOWN_DATA_DIGITS = 136;

/**
 * The error of a REVERT, short enough for a line.
 * @example errorText(reason) // 'NotEnough(wanted: 50, has: 0)', '"only the owner"', 'Panic(0x12): a division or modulo by zero'
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
  return `0x${shown}, which is no error that the ABIs on the chain know`;
}

const HINTS: Readonly<Record<NonNullable<FailureReason['hint']>, string>> = {
  'no-such-function': 'the contract has no such function, and no fallback',
  'not-payable': 'coin came along, and the function is not payable',
  'takes-no-coin': 'coin came without data, and the contract has neither receive nor a payable fallback',
};

/** What the ABI gives away about a REVERT without data. */
export function hintText({ hint }: FailureReason): string | undefined {
  return hint === undefined ? undefined : HINTS[hint];
}

/** The shortest true account of a failure, for a line of the log: why, and where in the sources. */
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
  if (result === 'OUT_OF_ENERGY') return 'it ran out of Energy (sunup explain says how much it takes)';
  return result === 'REVERT' ? undefined : message;
}

const EXCEPTIONS: Readonly<Record<string, string>> = {
  BAD_JUMP_DESTINATION: 'It jumped to a place in the code where no jump may end: code that no compiler makes.',
  OUT_OF_MEMORY: 'It wanted more than 3 MiB of memory, which no Energy buys.',
  PRECOMPILED_CONTRACT: 'A precompiled contract failed.',
  STACK_TOO_SMALL: 'It took more from the stack than was on it: code that no compiler makes.',
  STACK_TOO_LARGE: 'Its stack grew beyond 1,024 words.',
  ILLEGAL_OPERATION:
    'It met an operation that does not exist: an assertion of old Solidity, code for a newer machine, or data run as code.',
  OUT_OF_TIME: 'It ran for longer than one transaction may.',
  JVM_STACK_OVER_FLOW: 'Its calls were nested too deeply.',
  TRANSFER_FAILED: 'It could not make a transfer.',
  INVALID_CODE: 'The code that was to be stored begins with 0xef, which is reserved.',
  UNKNOWN: 'Something happened that the network has no name for.',
};

/** Sentences about what went wrong inside the contract. For want of Energy see `energy.ts`. */
export function failureSentences({ result, message, reason = {} }: Outcome): readonly string[] {
  const where = reason.raisedBy === undefined ? undefined : contractText(reason.raisedBy);
  if (result === 'REVERT') return [revertSentence(reason, where), ...lackSentence(reason)];
  if (result === 'OUT_OF_ENERGY') {
    return where === undefined ? [] : [`The Energy ran out in ${where}, which it had called.`];
  }
  const known = EXCEPTIONS[result];
  const words = message === undefined ? [] : [`The receipt says: ${quoted(message)}.`];
  return [...(known === undefined ? [] : [known]), ...words];
}

function lackSentence({ lackedCoin }: FailureReason): readonly string[] {
  if (lackedCoin === undefined) return [];
  const { contract, balanceSun, valueSun } = lackedCoin;
  return [
    `Before that ${contractText(contract)} wanted to send ${formatTrx(valueSun)} and had ${formatTrx(balanceSun)}: that call was refused.`,
  ];
}

function revertSentence(reason: FailureReason, where: string | undefined): string {
  const error = errorText(reason);
  if (error !== undefined) {
    return where === undefined ? `It reverted with ${error}.` : `It reverted with ${error}, which came from ${where}.`;
  }
  if (reason.exception !== undefined) {
    const callee = where === undefined ? 'a contract that it had called' : `${where}, which it had called,`;
    return `It reverted without a reason of its own after ${callee} failed: ${quoted(reason.exception)}.`;
  }
  if (where !== undefined) return `It reverted without a reason, as ${where} did, which it had called.`;
  if (reason.hint !== undefined) return `It reverted without a word: ${HINTS[reason.hint]}.`;
  return 'It reverted without saying why.';
}
