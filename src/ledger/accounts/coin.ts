/**
 * Moving coin: the only code that changes a balance outside of the virtual machine, and the only code that burns.
 *
 * Mirrors java-tron's Commons.adjustBalance and the fee handling of Manager and the actuators.
 */

import type { Address, Sun } from '../../primitives/ids.js';
import { addExact } from '../../primitives/java-math.js';
import type { Account } from '../../protocol/generated/tron.js';
import { contractExeException } from '../admission/refusals.js';
import type { Charge, ChargeReason, ChargeSource } from '../charging/charges.js';
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

/** Adds `amount` (negative: takes) to a balance. Taking more than there is refuses with java-tron's execution error. */
export function adjustBalance(ledger: Ledger, address: Address, amount: Sun): void {
  if (amount === 0n) return;
  const account = existingAccount(ledger, address);
  if (amount < 0n && account.balance < -amount) {
    throw contractExeException(`${address} insufficient balance, balance: ${account.balance}, amount: ${-amount}`);
  }
  putAccount(ledger, changedAccount(account, { balance: addExact(account.balance, amount) }));
}

/** Coin leaves circulation, or goes to the Blackhole account while the optimization is off (ledger.md 6.7). */
export function burn(ledger: Ledger, amount: Sun): ChargeSource {
  if (ledger.on('ALLOW_BLACKHOLE_OPTIMIZATION')) {
    if (amount > 0n) ledger.addToLong('BURN_TRX_AMOUNT', amount);
    return 'burned';
  }
  adjustBalance(ledger, ledger.config.blackhole, amount);
  return 'blackhole';
}

/** Takes a contract's own fee: from the owner, to the fire. A fee of 0 leaves no charge. */
export function payFee(ledger: Ledger, charges: Charge[], payer: Address, amount: Sun, reason: ChargeReason): void {
  adjustBalance(ledger, payer, -amount);
  const source = burn(ledger, amount);
  if (amount !== 0n) charges.push({ payer, resource: 'coin', source, amount, reason });
}
