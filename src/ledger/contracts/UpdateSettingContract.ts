/**
 * Sets the percentage of a contract's Energy that callers pay (protocol/contract-types.md#updatesettingcontract-33).
 * Mirrors UpdateSettingContractActuator.
 */

import { contractValidateException } from '../../errors/refusals.js';
import { isAddress } from '../../primitives/ids.js';
import type { UpdateSettingContract as Message } from '../../protocol/generated/smart-contract.js';
import { Transaction_Contract_ContractType } from '../../protocol/generated/tron.js';
import { changeContract, checkDeployer } from '../smart-contracts/administration.js';
import type { LedgerContract } from './contract.js';

export const updateSettingContract: LedgerContract<Message> = {
  type: Transaction_Contract_ContractType.UpdateSettingContract,

  validate(ledger, { owner_address: owner, contract_address, consume_user_resource_percent: percent }) {
    if (!isAddress(owner)) throw contractValidateException('Invalid address');
    if (!ledger.state.tables.accounts.has(owner)) throw contractValidateException(`Account[${owner}] does not exist`);
    if (percent < 0n || percent > 100n) throw contractValidateException('percent not in [0, 100]');
    checkDeployer(ledger, owner, contract_address, 'Contract does not exist');
  },

  execute(ledger, { contract_address, consume_user_resource_percent }) {
    changeContract(ledger, contract_address, { consume_user_resource_percent });
  },
};
