/**
 * Settings that the deployer of a contract may change; shared by the contract types of
 * protocol/contract-types.md#contract-administration.
 */

import { contractValidateException } from '../../errors/refusals.js';
import type { Hex } from '../../primitives/hex.js';
import type { Address } from '../../primitives/ids.js';
import type { SmartContract } from '../../protocol/generated/smart-contract.js';
import type { Ledger } from '../ledger.js';

/** Refuses an account that is not the contract's deployer. @param missing the text for an address without a contract */
export function checkDeployer(ledger: Ledger, owner: Address, address: Hex, missing: string): void {
  const contract = ledger.state.tables.contracts.get(address);
  if (contract === undefined) throw contractValidateException(missing);
  if (contract.origin_address !== owner) {
    throw contractValidateException(`Account[${owner}] is not the owner of the contract`);
  }
}

export function changeContract(ledger: Ledger, address: Address, change: Partial<SmartContract>): void {
  const { contracts } = ledger.state.tables;
  const contract = contracts.get(address);
  if (contract === undefined) throw new Error(`contract ${address} does not exist: validation should have refused`);
  contracts.set(address, { ...contract, ...change });
}
