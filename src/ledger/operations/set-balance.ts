import { OperationError } from '../../errors/operation-error.js';
import type { Address, Sun } from '../../primitives/ids.js';
import { newAccount } from '../accounts/accounts.js';
import { changedAccount } from '../accounts/changed-account.js';
import { putAccount } from '../accounts/coin.js';
import type { Ledger } from '../ledger.js';
import { addToOwnNumber } from './own-numbers.js';

const MAX_BALANCE_SUN = 2n ** 63n - 1n;

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
  if (balanceSun > MAX_BALANCE_SUN) throw new OperationError(`balance can not be more than ${MAX_BALANCE_SUN} sun`);
  const account = ledger.state.tables.accounts.get(address) ?? newAccount(ledger, address);
  addToOwnNumber(ledger, 'grantedSun', balanceSun - account.balance);
  putAccount(ledger, changedAccount(account, { balance: balanceSun }));
}
