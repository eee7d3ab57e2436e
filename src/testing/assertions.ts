/** The matchers as functions that throw, for node:test, mocha and chai. */

import { AssertionError } from 'node:assert';
import type { FeeSnapshotOptions } from './fee-snapshot.js';
import { matchers } from './matchers.js';

type Matcher<Args extends readonly unknown[]> = (
  this: undefined,
  subject: unknown,
  ...args: Args
) => Promise<{ pass: boolean; message: () => string }>;

function assertion<Args extends readonly unknown[]>(matcher: Matcher<Args>) {
  const assert = async (subject: unknown, ...args: Args): Promise<void> => {
    const { pass, message } = await matcher.call(undefined, subject, ...args);
    // The stack of errors starts at the test, not here.
    if (!pass) throw new AssertionError({ message: message(), stackStartFn: assert });
  };
  return assert;
}

/** @example await assertRevertsWith(token.write.transfer([bob, 9n]), 'balance too low') */
export const assertRevertsWith = assertion(matchers.toRevertWith);
/** @example await assertEmits(token.write.mint([bob, 5n]), 'Transfer', { to: bob }) */
export const assertEmits = assertion(matchers.toEmit);
export const assertSuccessful = assertion(matchers.toBeSuccessful);
/** @example await assertChangesBalance(vault.write.pay([bob, 5n]), bob, 5n) */
export const assertChangesBalance = assertion(matchers.toChangeBalance);
export const assertChangesBalances = assertion(matchers.toChangeBalances);
/** @example await assertChangesTokenBalance(token.write.mint([bob, 5n]), token, bob, 5n) */
export const assertChangesTokenBalance = assertion(matchers.toChangeTokenBalance);
export const assertChangesTokenBalances = assertion(matchers.toChangeTokenBalances);
/**
 * `useDevnet` learns the test's name from the runner and uses it for the line; without it, pass `name`.
 *
 * @throws TypeError without either
 * @example await assertMatchesFeeSnapshot(token.write.transfer([bob, 5n]), { name: 'a transfer to a new holder' })
 */
export const assertMatchesFeeSnapshot = assertion<[options?: FeeSnapshotOptions]>(matchers.toMatchFeeSnapshot);
