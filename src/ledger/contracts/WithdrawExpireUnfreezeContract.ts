/**
 * Withdraws expired unstakings (protocol/contract-types.md#withdrawexpireunfreezecontract-56). Mirrors
 * WithdrawExpireUnfreezeActuator.
 */

import { contractValidateException, refuseOverflow } from '../../errors/refusals.js';
import { isAddress } from '../../primitives/ids.js';
import { checkedAdd } from '../../primitives/java-math.js';
import type { WithdrawExpireUnfreezeContract as Message } from '../../protocol/generated/balance-contract.js';
import { Transaction_Contract_ContractType } from '../../protocol/generated/tron.js';
import { dueUnfreezes } from '../../resources/staking.js';
import { withdrawExpired } from '../stake/staking.js';
import type { LedgerContract } from './contract.js';

export const withdrawExpireUnfreezeContract: LedgerContract<Message> = {
  type: Transaction_Contract_ContractType.WithdrawExpireUnfreezeContract,

  validate(ledger, { owner_address: owner }) {
    if (!ledger.stakeV2On) {
      throw contractValidateException(
        'Not support WithdrawExpireUnfreeze transaction, need to be opened by the committee',
      );
    }
    if (!isAddress(owner)) throw contractValidateException('Invalid address');
    const account = ledger.state.tables.accounts.get(owner);
    if (account === undefined) throw contractValidateException(`Account[${owner}] not exists`);
    const { dueSun: amount } = dueUnfreezes(account.unfrozenV2, ledger.headTimeMs);
    if (amount <= 0n) throw contractValidateException('no unFreeze balance to withdraw ');
    refuseOverflow(() => checkedAdd(account.balance, amount));
  },

  execute(ledger, { owner_address }, { result }) {
    result.withdraw_expire_amount = withdrawExpired(ledger, owner_address);
  },
};
