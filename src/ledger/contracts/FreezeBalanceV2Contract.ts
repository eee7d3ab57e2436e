/**
 * Stakes TRX for a resource without end (protocol/contract-types.md#freezebalancev2contract-54). Mirrors
 * FreezeBalanceV2Actuator.
 */

import { contractValidateException } from '../../errors/refusals.js';
import { isAddress } from '../../primitives/ids.js';
import type { FreezeBalanceV2Contract as Message } from '../../protocol/generated/balance-contract.js';
import { ResourceCode } from '../../protocol/generated/resource-code.js';
import { Transaction_Contract_ContractType } from '../../protocol/generated/tron.js';
import { freezeV2 } from '../stake/staking.js';
import type { LedgerContract } from './contract.js';

const ONE_TRX_SUN = 1_000_000n;

export const freezeBalanceV2Contract: LedgerContract<Message> = {
  type: Transaction_Contract_ContractType.FreezeBalanceV2Contract,

  validate(ledger, { owner_address: owner, frozen_balance: amount, resource }) {
    if (!ledger.stakeV2On) {
      throw contractValidateException('Not support FreezeV2 transaction, need to be opened by the committee');
    }
    if (!isAddress(owner)) throw contractValidateException('Invalid address');
    const account = ledger.state.tables.accounts.get(owner);
    if (account === undefined) throw contractValidateException(`Account[${owner}] not exists`);
    if (amount <= 0n) throw contractValidateException('frozenBalance must be positive');
    if (amount < ONE_TRX_SUN) throw contractValidateException('frozenBalance must be greater than or equal to 1 TRX');
    if (amount > account.balance) {
      throw contractValidateException('frozenBalance must be less than or equal to accountBalance');
    }
    const tronPower = ledger.on('ALLOW_NEW_RESOURCE_MODEL');
    if (resource === ResourceCode.BANDWIDTH || resource === ResourceCode.ENERGY) return;
    if (resource === ResourceCode.TRON_POWER && tronPower) return;
    throw contractValidateException(
      `ResourceCode error, valid ResourceCode[BANDWIDTH、ENERGY${tronPower ? '、TRON_POWER' : ''}]`,
    );
  },

  execute(ledger, { owner_address, frozen_balance, resource }) {
    freezeV2(ledger, owner_address, frozen_balance, resource);
  },
};
