/**
 * Stakes all pending unstakings again (protocol/contract-types.md#cancelallunfreezev2contract-59). Mirrors
 * CancelAllUnfreezeV2Actuator.
 */

import { contractValidateException } from '../../errors/refusals.js';
import { isAddress } from '../../primitives/ids.js';
import type { CancelAllUnfreezeV2Contract as Message } from '../../protocol/generated/balance-contract.js';
import { Transaction_Contract_ContractType } from '../../protocol/generated/tron.js';
import { cancelAllUnfreezes } from '../stake/staking.js';
import type { LedgerContract } from './contract.js';

export const cancelAllUnfreezeV2Contract: LedgerContract<Message> = {
  type: Transaction_Contract_ContractType.CancelAllUnfreezeV2Contract,

  validate(ledger, { owner_address: owner }) {
    if (!ledger.stakeV2On || !ledger.on('ALLOW_CANCEL_ALL_UNFREEZE_V2')) {
      throw contractValidateException(
        'Not support CancelAllUnfreezeV2 transaction, need to be opened by the committee',
      );
    }
    if (!isAddress(owner)) throw contractValidateException('Invalid address');
    const account = ledger.state.tables.accounts.get(owner);
    if (account === undefined) throw contractValidateException(`Account[${owner}] not exists`);
    if (account.unfrozenV2.length === 0) throw contractValidateException('No unfreezeV2 list to cancel');
  },

  execute(ledger, { owner_address }, { result }) {
    const { paidSun, restakedSun } = cancelAllUnfreezes(ledger, owner_address);
    result.withdraw_expire_amount = paidSun;
    // All three keys, in the order of java-tron's map.
    result.cancel_unfreezeV2_amount = new Map([
      ['ENERGY', restakedSun[1]],
      ['TRON_POWER', restakedSun[2]],
      ['BANDWIDTH', restakedSun[0]],
    ]);
  },
};
