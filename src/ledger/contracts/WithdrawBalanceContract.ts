/**
 * Withdraws earned rewards to the balance, once a day (protocol/contract-types.md#withdrawbalancecontract-13). Mirrors
 * WithdrawBalanceActuator.
 */

import { contractValidateException, refuseOverflow } from '../../errors/refusals.js';
import { isAddress } from '../../primitives/ids.js';
import { checkedAdd } from '../../primitives/java-math.js';
import type { WithdrawBalanceContract as Message } from '../../protocol/generated/balance-contract.js';
import { Transaction_Contract_ContractType } from '../../protocol/generated/tron.js';
import { existingAccount, putAccount } from '../accounts/coin.js';
import { queryReward, settleReward } from '../voting/voter-rewards.js';
import type { LedgerContract } from './contract.js';

const MS_PER_DAY = 86_400_000n;

export const withdrawBalanceContract: LedgerContract<Message> = {
  type: Transaction_Contract_ContractType.WithdrawBalanceContract,

  validate(ledger, { owner_address: owner }) {
    if (!isAddress(owner)) throw contractValidateException('Invalid address');
    const account = ledger.state.tables.accounts.get(owner);
    if (account === undefined) throw contractValidateException(`Account[${owner}] not exists`);
    if (ledger.config.genesisWitnesses.has(owner)) {
      throw contractValidateException(
        `Account[${owner}] is a guard representative and is not allowed to withdraw Balance`,
      );
    }
    const { latest_withdraw_time: latest, allowance, balance } = account;
    if (ledger.headTimeMs - latest < ledger.long('WITNESS_ALLOWANCE_FROZEN_TIME') * MS_PER_DAY) {
      throw contractValidateException(`The last withdraw time is ${latest}, less than 24 hours`);
    }
    if (allowance <= 0n && queryReward(ledger, owner) <= 0n) {
      throw contractValidateException('witnessAccount does not have any reward');
    }
    refuseOverflow(() => checkedAdd(balance, allowance));
  },

  execute(ledger, { owner_address: owner }, { result }) {
    settleReward(ledger, owner);
    const account = existingAccount(ledger, owner);
    const { allowance } = account;
    putAccount(ledger, {
      ...account,
      balance: account.balance + allowance,
      allowance: 0n,
      latest_withdraw_time: ledger.headTimeMs,
    });
    result.withdraw_amount = allowance;
  },
};
