/** The verdicts as matchers of vitest and jest: `expect.extend(matchers)`. `sunup/vitest` and `sunup/jest` do it. */

import type { Account } from '../contracts/deployed-contract.js';
import { askingTest, type RunnerState } from './asking-test.js';
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
 * Of what `contract.write…`, `contract.read…` and `devnet.deploy` give, as it is, as a promise, or as a function. They
 * are asynchronous: await them. What fails shows what the transaction did and cost.
 */
export interface DevnetMatchers<R = unknown> {
  /** It did not fail. */
  toBeSuccessful(): Promise<R>;
  /**
   * It failed: for that reason, with that custom error, with that panic; without an argument in any way.
   *
   * @example await expect(token.write.transfer([bob, 9n])).toRevertWith('balance too low')
   * @example await expect(vault.write.pay([bob, 9n])).toRevertWith('NotEnough', { wanted: 9n })
   * @example await expect(math.read.divide([1n, 0n])).toRevertWith({ panic: 0x12 })
   */
  toRevertWith(expected?: ExpectedRevert, args?: ExpectedArgs): Promise<R>;
  /**
   * It emitted an event, with all its arguments in order or with some by name; of a certain contract, if one is named
   * first.
   *
   * @example await expect(token.write.mint([bob, 5n])).toEmit('Transfer', { to: bob, value: 5n })
   * @example await expect(router.write.swap()).toEmit(token, 'Transfer')
   */
  toEmit(...expected: EventArguments): Promise<R>;
  /** The account's coin changed by so many sun; the fee that it paid is left out unless it is asked for. */
  toChangeBalance(account: Account, sun: ExpectedAmount, options?: BalanceOptions): Promise<R>;
  toChangeBalances(accounts: readonly Account[], sun: readonly ExpectedAmount[], options?: BalanceOptions): Promise<R>;
  /** The account's balance of a TRC-20 token changed by so much. */
  toChangeTokenBalance(token: Account, account: Account, amount: ExpectedAmount): Promise<R>;
  toChangeTokenBalances(token: Account, accounts: readonly Account[], amounts: readonly ExpectedAmount[]): Promise<R>;
  /**
   * It cost what it cost before: Energy, penalty, bandwidth, coin, by the line in `.fee-snapshot`, which is written when
   * there is none. The runner's option that updates snapshots writes it anew; in CI nothing is written.
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

/** What happened is explained where somebody reads it. */
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
  if (this?.isNot) throw new TypeError('toMatchFeeSnapshot has no .not: whatever it costs is written down');
  const test = askingTest(this ?? hookedState(), options.name !== undefined);
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
