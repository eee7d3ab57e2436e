/**
 * Existing accounts, and plain changes of their balances. Mirrors java-tron's Commons.adjustBalance. Code that changes
 * more than the balance (stakes, rewards, orders, bills) writes the balance itself; the destination of fees is in
 * `charging/fees.ts`.
 */

import { contractExeException } from '../../errors/refusals.js';
import type { Address, Sun } from '../../primitives/ids.js';
import { addExact } from '../../primitives/java-math.js';
import type { Account } from '../../protocol/generated/tron.js';
import type { Ledger } from '../ledger.js';
import { changedAccount } from './changed-account.js';

export function existingAccount(ledger: Ledger, address: Address): Account {
  const account = ledger.state.tables.accounts.get(address);
  if (account === undefined) throw new Error(`account ${address} does not exist: validation should have refused`);
  return account;
}

export function putAccount(ledger: Ledger, account: Account): void {
  ledger.state.tables.accounts.set(account.address, account);
}

/** Adds `amount`, which may be negative, to a balance. Throws java-tron's execution error if the balance is too low. */
export function adjustBalance(ledger: Ledger, address: Address, amount: Sun): void {
  if (amount === 0n) return;
  const account = existingAccount(ledger, address);
  if (amount < 0n && account.balance < -amount) {
    throw contractExeException(`${address} insufficient balance, balance: ${account.balance}, amount: ${-amount}`);
  }
  putAccount(ledger, changedAccount(account, { balance: addExact(account.balance, amount) }));
}
