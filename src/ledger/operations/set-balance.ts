/** Creates and destroys TRX. */

import { OperationError } from '../../errors/operation-error.js';
import type { Address, Sun } from '../../primitives/ids.js';
import { MAX_LONG } from '../../primitives/java-math.js';
import { newAccount } from '../accounts/accounts.js';
import { changedAccount } from '../accounts/changed-account.js';
import { putAccount } from '../accounts/coin.js';
import type { Ledger } from '../ledger.js';
import { addToOwnNumber } from './own-numbers.js';

/**
 * Sets the balance of an account. A missing account is created as by a transfer, without a charge.
 *
 * @example setBalance(ledger, { address, balanceSun: 5_000_000n })
 * @throws OperationError for an invalid balance
 */
export function setBalance(
  ledger: Ledger,
  { address, balanceSun }: { readonly address: Address; readonly balanceSun: Sun },
): void {
  if (balanceSun < 0n) throw new OperationError('balance can not be less than 0');
  if (balanceSun > MAX_LONG) throw new OperationError(`balance can not be more than ${MAX_LONG} sun`);
  const account = ledger.state.tables.accounts.get(address) ?? newAccount(ledger, address);
  addToOwnNumber(ledger, 'grantedSun', balanceSun - account.balance);
  putAccount(ledger, changedAccount(account, { balance: balanceSun }));
}

/**
 * Sets the balances of many accounts.
 *
 * @throws OperationError for an invalid balance
 */
export function setBalances(
  ledger: Ledger,
  { addresses, balanceSun }: { readonly addresses: readonly Address[]; readonly balanceSun: Sun },
): void {
  for (const address of addresses) setBalance(ledger, { address, balanceSun });
}

/**
 * Adds to the balance of an account; a negative amount is subtracted.
 *
 * @returns the balance in sun
 * @throws OperationError if the sum is no valid balance
 */
export function addBalance(
  ledger: Ledger,
  { address, amountSun }: { readonly address: Address; readonly amountSun: Sun },
): Sun {
  const balanceSun = (ledger.state.tables.accounts.get(address)?.balance ?? 0n) + amountSun;
  setBalance(ledger, { address, balanceSun });
  return balanceSun;
}
