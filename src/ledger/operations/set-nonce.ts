import { OperationError } from '../../errors/operation-error.js';
import type { Address } from '../../primitives/ids.js';
import { ethereumNonce } from '../accounts/ethereum.js';
import type { Ledger } from '../ledger.js';

/**
 * The nonce of an account's next transaction through `/eth`.
 *
 * @throws OperationError for less than it is: an address of a contract that is there would be given again
 * @example setNonce(ledger, { address, nonce: 5n })
 */
export function setNonce(
  ledger: Ledger,
  { address, nonce }: { readonly address: Address; readonly nonce: bigint },
): void {
  const current = ethereumNonce(ledger, address);
  if (nonce < current)
    throw new OperationError(`New nonce (${nonce}) must not be smaller than existing nonce (${current})`);
  if (nonce >= 1n << 64n) throw new OperationError(`a nonce has at most 64 bits, got ${nonce}`);
  ledger.state.tables.ethereumNonces.set(address, nonce);
}
