/**
 * Sets the percentage of its rewards that a witness keeps (protocol/contract-types.md#updatebrokeragecontract-49).
 * Mirrors UpdateBrokerageActuator.
 */

import { contractValidateException } from '../../errors/refusals.js';
import { isAddress } from '../../primitives/ids.js';
import type { UpdateBrokerageContract as Message } from '../../protocol/generated/storage-contract.js';
import { Transaction_Contract_ContractType } from '../../protocol/generated/tron.js';
import { setNextBrokerage } from '../voting/rewards.js';
import type { LedgerContract } from './contract.js';

const MAX_BROKERAGE = 100;

export const updateBrokerageContract: LedgerContract<Message> = {
  type: Transaction_Contract_ContractType.UpdateBrokerageContract,

  validate(ledger, { owner_address: owner, brokerage }) {
    if (!ledger.on('CHANGE_DELEGATION')) {
      throw contractValidateException('contract type error, unexpected type [UpdateBrokerageContract]');
    }
    if (!isAddress(owner)) throw contractValidateException('Invalid ownerAddress');
    if (brokerage < 0 || brokerage > MAX_BROKERAGE) throw contractValidateException('Invalid brokerage');
    if (!ledger.state.tables.witnesses.has(owner)) throw contractValidateException(`Not existed witness:${owner}`);
    if (!ledger.state.tables.accounts.has(owner)) throw contractValidateException('Account does not exist');
  },

  execute(ledger, { owner_address, brokerage }) {
    setNextBrokerage(ledger, owner_address, BigInt(brokerage));
  },
};
