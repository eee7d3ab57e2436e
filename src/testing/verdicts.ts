/** Verdicts of the matchers: whether an assertion holds, and the message for the opposite. */

import { addressHexOf } from '../contracts/codec.js';
import type { Account, EmittedEvent, Receipt, RevertReason } from '../contracts/deployed-contract.js';
import { toBase58 } from '../protocol/address.js';
import { includes, isSame, shown } from './same-value.js';
import { outcomeOf, receiptOf, type Subject } from './subject.js';

export interface Verdict {
  readonly pass: boolean;
  /** Why it does not hold; if it holds, the message for `.not`. */
  readonly message: string;
  /** The judged transaction, for the explanation below the message. */
  readonly receipt: Receipt | undefined;
}

/** Arguments of an event or an error: all in order, or some by name. */
export type ExpectedArgs = readonly unknown[] | Readonly<Record<string, unknown>>;

/** A reason or the name of a custom error, or an object with one of them. */
export type ExpectedRevert =
  | string
  | RegExp
  | { readonly reason: string | RegExp }
  | { readonly error: string; readonly args?: ExpectedArgs }
  | { readonly panic: bigint | number };

type Verdicts = Promise<Verdict>;

export function verdict(pass: boolean, message: string, receipt: Receipt | undefined): Verdict {
  return { pass, message, receipt };
}

export async function isSuccessful(subject: Subject): Verdicts {
  const { receipt, failure, message, result } = await outcomeOf(subject);
  if (failure !== undefined)
    return verdict(false, `expected it to succeed, but ${message || `it failed with ${result}`}`, receipt);
  return verdict(true, 'expected it not to succeed, but it did', receipt);
}

export async function revertsWith(subject: Subject, expected?: ExpectedRevert, args?: ExpectedArgs): Verdicts {
  const { receipt, failure, message, result, refused } = await outcomeOf(subject);
  const wanted = expected === undefined ? 'a failure' : expectedText(expected, args);
  if (failure === undefined) return verdict(false, `expected ${wanted}, but it succeeded`, receipt);
  if (expected === undefined || isExpected(expected, args, failure)) {
    return verdict(true, `expected anything but ${wanted}, but it failed with ${failure.text ?? result}`, receipt);
  }
  if (refused) return verdict(false, `expected ${wanted}, but ${message}`, receipt);
  const got = failure.text ?? (failure.data === '' && result === 'REVERT' ? 'no reason' : result);
  const named = typeof expected === 'object' && 'error' in expected ? expected : { error: expected, args };
  const hint = named.error === failure.error ? unknownNames(named.args ?? args, failure.args) : '';
  return verdict(false, `expected ${wanted}, but it failed with ${got}${hint}`, receipt);
}

/** An unknown argument name is a mistake in the test, not a different value. */
function unknownNames(expected: ExpectedArgs | undefined, actual: Readonly<Record<string, unknown>> = {}): string {
  if (expected === undefined || Array.isArray(expected)) return '';
  const unknown = Object.keys(expected).filter((name) => !Object.hasOwn(actual, name));
  return unknown.length === 0 ? '' : ` (there is no argument ${unknown.join(', ')})`;
}

function isExpected(expected: ExpectedRevert, args: ExpectedArgs | undefined, failure: RevertReason): boolean {
  if (typeof expected === 'string') {
    if (args === undefined && failure.reason === expected) return true;
    return failure.error === expected && areArgs(args, failure);
  }
  if (expected instanceof RegExp)
    return [failure.reason, failure.text].some((text) => text !== undefined && text.search(expected) >= 0);
  if ('reason' in expected) {
    const { reason } = expected;
    return reason instanceof RegExp ? reason.test(failure.reason ?? '') : failure.reason === reason;
  }
  if ('panic' in expected) return failure.panic === BigInt(expected.panic);
  return failure.error === expected.error && areArgs(expected.args ?? args, failure);
}

function areArgs(
  expected: ExpectedArgs | undefined,
  { args = {}, values = [] }: Pick<EmittedEvent, 'args' | 'values'> | Pick<RevertReason, 'args' | 'values'>,
): boolean {
  if (expected === undefined) return true;
  if (Array.isArray(expected)) return isSame(expected, values);
  return includes(args, expected as Readonly<Record<string, unknown>>);
}

function expectedText(expected: ExpectedRevert, args: ExpectedArgs | undefined): string {
  if (typeof expected === 'string')
    return args === undefined ? `the reason or the error ${shown(expected)}` : errorText(expected, args);
  if (expected instanceof RegExp) return `a reason or an error like ${expected}`;
  if ('reason' in expected)
    return `the reason ${expected.reason instanceof RegExp ? expected.reason : shown(expected.reason)}`;
  if ('panic' in expected) return `Panic(0x${BigInt(expected.panic).toString(16).padStart(2, '0')})`;
  return errorText(expected.error, expected.args ?? args);
}

function errorText(error: string, args: ExpectedArgs | undefined): string {
  return `the error ${error}${args === undefined ? '' : ` with ${shown(args)}`}`;
}

/** @param emitter of the event; undefined: any contract */
export async function emits(subject: Subject, name: string, args?: ExpectedArgs, emitter?: Account): Verdicts {
  const receipt = await receiptOf(subject);
  const addressHex = emitter === undefined ? undefined : addressHexOf(emitter);
  const from = addressHex === undefined ? '' : ` of ${toBase58(addressHex)}`;
  const wanted = `${name}${from}${args === undefined ? '' : ` with ${shown(args)}`}`;
  if (!receipt.succeeded) {
    return verdict(
      false,
      `expected ${wanted}, but the transaction failed: ${receipt.failure?.text ?? receipt.result}`,
      receipt,
    );
  }
  const named = receipt.events.filter(
    (event) =>
      (event.name === name || event.signature === name) &&
      (addressHex === undefined || addressHexOf(event.address) === addressHex),
  );
  if (named.some((event) => areArgs(args, event))) {
    return verdict(true, `expected no ${wanted}, but it was emitted`, receipt);
  }
  const [one] = named;
  const hint = one === undefined ? '' : unknownNames(args, one.args);
  return verdict(
    false,
    `expected ${wanted}, but ${eventsText(one === undefined ? receipt.events : named)}${hint}`,
    receipt,
  );
}

function eventsText(events: readonly EmittedEvent[]): string {
  if (events.length === 0) return 'it emitted nothing';
  const lines = events.map(({ name, address, args, topics }) =>
    name === undefined
      ? `  an unknown event of ${address} with topic 0x${topics[0] ?? ''}`
      : `  ${name} of ${address} with ${shown(args)}`,
  );
  const isUnknown = events.some(({ name }) => name === undefined);
  const hint = isUnknown
    ? "\n(to name unknown events, pass their ABI with the devnet's option artifacts, or with contractAt)"
    : '';
  return `it emitted\n${lines.join('\n')}${hint}`;
}

export interface BalanceOptions {
  /** Whether the fee counts if the account is the sender. Default false. */
  readonly includeFee?: boolean;
}

/** The expected change: an amount, or a predicate. */
export type ExpectedAmount = bigint | number | ((change: bigint) => boolean);

export async function changesBalances(
  subject: Subject,
  accounts: readonly Account[],
  amounts: readonly ExpectedAmount[],
  { includeFee = false }: BalanceOptions = {},
): Verdicts {
  const receipt = await receiptOf(subject);
  return changes(receipt, accounts, amounts, 'sun', async (account) => {
    const change = await receipt.balanceChange(account);
    const isSender = addressHexOf(account) === addressHexOf(receipt.from);
    return isSender && !includeFee ? change + receipt.feeSun : change;
  });
}

export async function changesTokenBalances(
  subject: Subject,
  token: Account,
  accounts: readonly Account[],
  amounts: readonly ExpectedAmount[],
): Verdicts {
  const receipt = await receiptOf(subject);
  return changes(receipt, accounts, amounts, 'tokens', (account) => receipt.tokenBalanceChange(token, account));
}

async function changes(
  receipt: Receipt,
  accounts: readonly Account[],
  amounts: readonly ExpectedAmount[],
  unit: string,
  changeOf: (account: Account) => Promise<bigint>,
): Verdicts {
  if (accounts.length !== amounts.length) {
    throw new TypeError(
      `got ${accounts.length} accounts and ${amounts.length} amounts: pass one amount for each account`,
    );
  }
  const actual = await Promise.all(accounts.map(changeOf));
  const wrong = accounts.flatMap((account, i) => {
    const wanted = amounts[i];
    if (isSame(wanted, actual[i])) return [];
    return [`  ${shown(account)} changed by ${actual[i]} ${unit}, not by ${shown(wanted)}`];
  });
  if (wrong.length > 0) return verdict(false, `expected other balance changes:\n${wrong.join('\n')}`, receipt);
  return verdict(true, 'expected other balance changes, but they were as given', receipt);
}
