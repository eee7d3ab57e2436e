/**
 * Sets the maximum of the deployer's Energy for one call (protocol/contract-types.md#updateenergylimitcontract-45).
 * Mirrors UpdateEnergyLimitContractActuator.
 */

import { contractValidateException } from '../../errors/refusals.js';
import { isAddress } from '../../primitives/ids.js';
import type { UpdateEnergyLimitContract as Message } from '../../protocol/generated/smart-contract.js';
import { Transaction_Contract_ContractType } from '../../protocol/generated/tron.js';
import { changeContract, checkDeployer } from '../smart-contracts/administration.js';
import type { LedgerContract } from './contract.js';

export const updateEnergyLimitContract: LedgerContract<Message> = {
  type: Transaction_Contract_ContractType.UpdateEnergyLimitContract,

  validate(ledger, { owner_address: owner, contract_address, origin_energy_limit }) {
    if (ledger.headNumber < ledger.config.energyLimitForkBlock) {
      throw contractValidateException('contract type error, unexpected type [UpdateEnergyLimitContract]');
    }
    if (!isAddress(owner)) throw contractValidateException('Invalid address');
    if (!ledger.state.tables.accounts.has(owner)) throw contractValidateException(`Account[${owner}] does not exist`);
    if (origin_energy_limit <= 0n) throw contractValidateException('origin energy limit must be > 0');
    checkDeployer(ledger, owner, contract_address, 'Contract does not exist');
  },

  execute(ledger, { contract_address, origin_energy_limit }) {
    changeContract(ledger, contract_address, { origin_energy_limit });
  },
};
