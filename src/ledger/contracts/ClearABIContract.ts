/**
 * Removes a contract's ABI; its code stays (protocol/contract-types.md#clearabicontract-48). Mirrors
 * ClearABIContractActuator.
 */

import { contractValidateException } from '../../errors/refusals.js';
import { isAddress } from '../../primitives/ids.js';
import type { ClearABIContract as Message } from '../../protocol/generated/smart-contract.js';
import { Transaction_Contract_ContractType } from '../../protocol/generated/tron.js';
import { checkDeployer } from '../smart-contracts/administration.js';
import type { LedgerContract } from './contract.js';

export const clearABIContract: LedgerContract<Message> = {
  type: Transaction_Contract_ContractType.ClearABIContract,

  validate(ledger, { owner_address: owner, contract_address }) {
    if (!ledger.on('ALLOW_TVM_CONSTANTINOPLE')) {
      throw contractValidateException('contract type error,unexpected type [ClearABIContract]');
    }
    if (!isAddress(owner)) throw contractValidateException('Invalid address');
    if (!ledger.state.tables.accounts.has(owner)) throw contractValidateException(`Account[${owner}] not exists`);
    checkDeployer(ledger, owner, contract_address, 'Contract not exists');
  },

  execute(ledger, { contract_address }) {
    ledger.state.tables.abis.delete(contract_address);
  },
};
