/**
 * Checks transfers of TRX and tokens inside of the machine, with java-tron's error texts
 * (protocol/contract-runs.md#checks-before-the-code-runs; VMUtils.validateForSmartContract).
 */

import type { Address } from '../primitives/ids.js';
import type { AccountHost, TokenHost } from './host.js';
import { MAX_LONG } from './words.js';

/** Token ids are above this one. */
export const MIN_TOKEN_ID = 1_000_000n;

/**
 * The reason why a transfer of TRX is refused, or `undefined`.
 *
 * Used by the ledger as the last check of a transaction's call value, and by the machine for every CALL.
 */
export function transferRefusal(host: AccountHost, from: Address, to: Address, amountSun: bigint): string | undefined {
  if (from === to) return 'Cannot transfer TRX to yourself.';
  if (!host.accountExists(from)) return 'Validate InternalTransfer error, no OwnerAccount.';
  if (!host.accountExists(to)) {
    return 'Validate InternalTransfer error, no ToAccount. And not allowed to create an account in a smartContract.';
  }
  if (amountSun < 0n) return 'Amount must be greater than or equals 0.';
  if (host.balance(from) < amountSun) return 'Validate InternalTransfer error, balance is not sufficient.';
  if (host.balance(to) + amountSun > MAX_LONG) return 'long overflow';
  return undefined;
}

/** The reason why a transfer of tokens is refused, or `undefined`. */
export function tokenTransferRefusal(
  host: AccountHost & TokenHost,
  from: Address,
  to: Address,
  tokenId: bigint,
  amount: bigint,
): string | undefined {
  if (amount <= 0n) return 'Amount must greater than 0.';
  if (from === to) return 'Cannot transfer asset to yourself.';
  if (!host.accountExists(from)) return 'No owner account!';
  if (!host.tokenExists(tokenId)) return 'No asset !';
  const held = host.tokenBalance(from, tokenId);
  if (held <= 0n) return 'assetBalance must greater than 0.';
  if (held < amount) return 'assetBalance is not sufficient.';
  if (!host.accountExists(to)) {
    return 'Validate InternalTransfer error, no ToAccount. And not allowed to create account in smart contract.';
  }
  if (host.tokenBalance(to, tokenId) + amount > MAX_LONG) return 'long overflow';
  return undefined;
}
