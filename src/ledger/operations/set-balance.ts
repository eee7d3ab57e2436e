/** Coin out of nothing, and back into it. */

import { OperationError } from '../../errors/operation-error.js';
import type { Address, Sun } from '../../primitives/ids.js';
import { MAX_LONG } from '../../primitives/java-math.js';
import { newAccount } from '../accounts/accounts.js';
import { changedAccount } from '../accounts/changed-account.js';
import { putAccount } from '../accounts/coin.js';
import type { Ledger } from '../ledger.js';
import { addToOwnNumber } from './own-numbers.js';

/**
 * Gives an account so much coin, no more and no less. A missing account is made as a transfer makes it, and nobody is
 * charged for that.
 *
 * @example setBalance(ledger, { address, balanceSun: 5_000_000n })
 * @throws OperationError for an amount that no balance can be
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
 * Gives each of many accounts so much coin, no more and no less.
 *
 * @throws OperationError for an amount that no balance can be
 */
export function setBalances(
  ledger: Ledger,
  { addresses, balanceSun }: { readonly addresses: readonly Address[]; readonly balanceSun: Sun },
): void {
  for (const address of addresses) setBalance(ledger, { address, balanceSun });
}

/**
 * Gives an account so much more coin; a negative amount takes it away.
 *
 * @returns the balance in sun
 * @throws OperationError for a sum that no balance can be
 */
export function addBalance(
  ledger: Ledger,
  { address, amountSun }: { readonly address: Address; readonly amountSun: Sun },
): Sun {
  const balanceSun = (ledger.state.tables.accounts.get(address)?.balance ?? 0n) + amountSun;
  setBalance(ledger, { address, balanceSun });
  return balanceSun;
}
