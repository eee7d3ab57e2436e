/** The hot path's copy of an account against the spread that it stands for. */

import { expect, it } from 'vitest';
import { changedAccount, withUsage } from '../../../../src/ledger/accounts/changed-account.js';
import { Account, Account_AccountResource } from '../../../../src/protocol/generated/tron.js';
import { BANDWIDTH, ENERGY, withUsageWindow } from '../../../../src/resources/metered-account.js';

/** Every field holds something that no other does. */
function distinct<Message extends object>(empty: Message): Message {
  return Object.fromEntries(Object.keys(empty).map((field) => [field, `value of ${field}`])) as Message;
}

const empty = Account.empty as Account;
const account: Account = { ...distinct(empty), account_resource: distinct(Account_AccountResource.empty) };
const window = { usage: 1n, lastSlot: 2n, windowSize: 3n, windowOptimized: true };

it('copies every field, in the same order', () => {
  const changed = changedAccount(account, { balance: 7n, account_name: 'aa' });
  expect(changed).toEqual({ ...account, balance: 7n, account_name: 'aa' });
  expect(Object.keys(changed)).toEqual(Object.keys(Account.empty));
  expect(account.balance).toBe('value of balance');
});

it.each([BANDWIDTH, ENERGY] as const)('writes the usage of resource %d', (resource) => {
  const changed = withUsage(account, resource, window, { balance: 7n });
  expect(changed).toEqual({ ...withUsageWindow(account, resource, window), balance: 7n });
  expect(withUsage(empty, resource, window)).toEqual(withUsageWindow(empty, resource, window));
});
