/** Shielded transfers: closed on every network that Sunup follows, so only the refusal exists. */

import { contractValidateException } from '../../errors/java-exception.js';
import type { ShieldedTransferContract } from '../../protocol/generated/shield-contract.js';
import { Transaction_Contract_ContractType as ContractType } from '../../protocol/generated/tron.js';
import { tokensHaveIds } from '../accounts/assets.js';
import type { LedgerContract } from './contract.js';

export const shieldedTransferContract: LedgerContract<ShieldedTransferContract> = {
  type: ContractType.ShieldedTransferContract,
  validate(ledger) {
    if (!tokensHaveIds(ledger)) {
      throw contractValidateException(
        'shielded transaction is not allowed before ALLOW_SAME_TOKEN_NAME is opened by the committee',
      );
    }
    throw contractValidateException('Not support Shielded Transaction, need to be opened by the committee');
  },
  execute() {
    throw new Error('a shielded transfer cannot have passed its validation');
  },
};
