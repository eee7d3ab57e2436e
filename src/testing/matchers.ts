/** The verdicts as matchers of vitest and jest: `expect.extend(matchers)`, done by `sunup/vitest` and `sunup/jest`. */

import type { Account } from '../contracts/deployed-contract.js';
import { currentTest, type RunnerState } from './current-test.js';
import { type FeeSnapshotOptions, matchesFeeSnapshot } from './fee-snapshot.js';
import { hookedState } from './hooked-test.js';
import { explanationBelow, type Subject } from './subject.js';
import {
  type BalanceOptions,
  changesBalances,
  changesTokenBalances,
  type ExpectedAmount,
  type ExpectedArgs,
  type ExpectedRevert,
  emits,
  isSuccessful,
  revertsWith,
  type Verdict,
} from './verdicts.js';

/**
 * Subjects are results of `contract.write…`, `contract.read…` and `devnet.deploy`: values, promises or functions.
 * Matchers are asynchronous: await them. A failed assertion shows what the transaction did and cost.
 */
export interface DevnetMatchers<R = unknown> {
  /** It succeeded. */
  toBeSuccessful(): Promise<R>;
  /**
   * It failed with this reason, custom error or panic; without an argument, for any reason.
   *
   * @example await expect(token.write.transfer([bob, 9n])).toRevertWith('balance too low')
   * @example await expect(vault.write.pay([bob, 9n])).toRevertWith('NotEnough', { wanted: 9n })
   * @example await expect(math.read.divide([1n, 0n])).toRevertWith({ panic: 0x12 })
   */
  toRevertWith(expected?: ExpectedRevert, args?: ExpectedArgs): Promise<R>;
  /**
   * It emitted an event, with all arguments in order or some by name; pass a contract first to require its address.
   *
   * @example await expect(token.write.mint([bob, 5n])).toEmit('Transfer', { to: bob, value: 5n })
   * @example await expect(router.write.swap()).toEmit(token, 'Transfer')
   */
  toEmit(...expected: EventArguments): Promise<R>;
  /** The account's balance changed by this amount in sun; without its fee, unless `includeFee` is set. */
  toChangeBalance(account: Account, sun: ExpectedAmount, options?: BalanceOptions): Promise<R>;
  toChangeBalances(accounts: readonly Account[], sun: readonly ExpectedAmount[], options?: BalanceOptions): Promise<R>;
  /** The account's balance of a TRC-20 token changed by this amount. */
  toChangeTokenBalance(token: Account, account: Account, amount: ExpectedAmount): Promise<R>;
  toChangeTokenBalances(token: Account, accounts: readonly Account[], amounts: readonly ExpectedAmount[]): Promise<R>;
  /**
   * Its Energy, penalty, Bandwidth and burned TRX are as in its line in `.fee-snapshot`. A missing line is written.
   * The runner's option to update snapshots replaces it; CI writes nothing.
   *
   * @example await expect(token.write.transfer([bob, 5n])).toMatchFeeSnapshot()
   * @example await expect(sending).toMatchFeeSnapshot({ name: 'to a new holder', tolerancePercent: 1 })
   */
  toMatchFeeSnapshot(options?: FeeSnapshotOptions): Promise<R>;
}

type Judge<Args extends readonly unknown[]> = (subject: Subject, ...args: Args) => Promise<Verdict>;

interface Judged {
  readonly pass: boolean;
  readonly message: () => string;
}

function matcher<Args extends readonly unknown[]>(judge: Judge<Args>) {
  return async function (this: RunnerState | undefined, subject: unknown, ...args: Args): Promise<Judged> {
    return judged(this, await judge(subject, ...args));
  };
}

/** The explanation is added only if the message is shown. */
async function judged(runner: RunnerState | undefined, { pass, message, receipt }: Verdict): Promise<Judged> {
  const fails = pass === (runner?.isNot ?? false);
  const text = fails ? `${message}${await explanationBelow(receipt)}` : message;
  return { pass, message: () => text };
}

async function toMatchFeeSnapshot(
  this: RunnerState | undefined,
  subject: unknown,
  options: FeeSnapshotOptions = {},
): Promise<Judged> {
  if (this?.isNot) throw new TypeError('toMatchFeeSnapshot has no .not: it would record any cost');
  const test = currentTest(this ?? hookedState(), options.name !== undefined);
  return judged(this, await matchesFeeSnapshot(subject, options, test));
}

/** @example expect.extend(matchers) */
export const matchers = {
  toBeSuccessful: matcher(isSuccessful),
  toRevertWith: matcher(revertsWith),
  toEmit: matcher((subject, ...args: EventArguments) => emits(subject, ...eventArguments(args))),
  toChangeBalance: matcher((subject, account: Account, sun: ExpectedAmount, options?: BalanceOptions) =>
    changesBalances(subject, [account], [sun], options),
  ),
  toChangeBalances: matcher(changesBalances),
  toChangeTokenBalance: matcher((subject, token: Account, account: Account, amount: ExpectedAmount) =>
    changesTokenBalances(subject, token, [account], [amount]),
  ),
  toChangeTokenBalances: matcher(changesTokenBalances),
  toMatchFeeSnapshot,
};

export type EventArguments =
  | [event: string, args?: ExpectedArgs | undefined]
  | [contract: Account, event: string, args?: ExpectedArgs | undefined];

/** Name, arguments, emitter. */
function eventArguments(given: EventArguments): [string, ExpectedArgs | undefined, Account | undefined] {
  const [first, second, third] = given;
  if (typeof second === 'string') return [second, third as ExpectedArgs | undefined, first];
  return [first as string, second as ExpectedArgs | undefined, undefined];
}
