/** The verdicts as matchers of vitest and jest: `expect.extend(matchers)`. `sunup/vitest` and `sunup/jest` do it. */

import type { Account } from '../contracts/deployed-contract.js';
import type { Subject } from './subject.js';
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
}

type Judge<Args extends readonly unknown[]> = (subject: Subject, ...args: Args) => Promise<Verdict>;

function matcher<Args extends readonly unknown[]>(judge: Judge<Args>) {
  return async (subject: unknown, ...args: Args): Promise<{ pass: boolean; message: () => string }> => {
    const { pass, message } = await judge(subject, ...args);
    return { pass, message: () => message };
  };
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
};

export type EventArguments =
  | [event: string, args?: ExpectedArgs | undefined]
  | [contract: Account, event: string, args?: ExpectedArgs | undefined];

/** Name, arguments, emitter. */
export function eventArguments(given: EventArguments): [string, ExpectedArgs | undefined, Account | undefined] {
  const [first, second, third] = given;
  if (typeof second === 'string') return [second, third as ExpectedArgs | undefined, first];
  return [first as string, second as ExpectedArgs | undefined, undefined];
}
