import type { Address } from '../../primitives/ids.js';
import type { Ledger } from '../ledger.js';
import { setSlot } from '../smart-contracts/storage-slots.js';
import { contractAt } from './contract-account.js';

/**
 * Sets a word of a contract's storage. An address without a contract becomes one without code, because the position of
 * a slot depends on the contract's record.
 *
 * @param slot as in Solidity; for a mapping's entry keccak256(key ‖ slot)
 * @example setStorage(ledger, { address, slot: 0n, value: 5n })
 */
export function setStorage(
  ledger: Ledger,
  { address, slot, value }: { readonly address: Address; readonly slot: bigint; readonly value: bigint },
): void {
  setSlot(ledger, address, slot, value, contractAt(ledger, address));
}
