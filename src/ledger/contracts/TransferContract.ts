/**
 * Transfers TRX; creates a missing receiver (protocol/contract-types.md#transfercontract-1). Mirrors TransferActuator.
 */

import { contractValidateException, refuseOverflow } from '../../errors/refusals.js';
import { type Address, isAddress } from '../../primitives/ids.js';
import { addExact } from '../../primitives/java-math.js';
import type { TransferContract as Message } from '../../protocol/generated/balance-contract.js';
import { AccountType, Transaction_Contract_ContractType } from '../../protocol/generated/tron.js';
import { newAccount } from '../accounts/accounts.js';
import { adjustBalance, putAccount } from '../accounts/coin.js';
import { payFee } from '../charging/fees.js';
import type { Ledger } from '../ledger.js';
import type { LedgerContract } from './contract.js';

function checkReceiver(ledger: Ledger, to: Address): bigint {
  const receiver = ledger.state.tables.accounts.get(to);
  if (receiver === undefined) return ledger.long('CREATE_NEW_ACCOUNT_FEE_IN_SYSTEM_CONTRACT');
  if (receiver.type !== AccountType.Contract) return 0n;
  if (ledger.on('FORBID_TRANSFER_TO_CONTRACT')) {
    throw contractValidateException('Cannot transfer TRX to a smartContract.');
  }
  if (ledger.on('ALLOW_TVM_COMPATIBLE_EVM')) {
    const contract = ledger.state.tables.contracts.get(to);
    if (contract === undefined) {
      throw contractValidateException('Account type is Contract, but it is not exist in contract store.');
    }
    if (contract.version === 1) {
      throw contractValidateException(
        'Cannot transfer TRX to a smartContract which version is one. Instead please use TriggerSmartContract ',
      );
    }
  }
  return 0n;
}

export const transferContract: LedgerContract<Message> = {
  type: Transaction_Contract_ContractType.TransferContract,

  validate(ledger, { owner_address: from, to_address: to, amount }) {
    if (!isAddress(from)) throw contractValidateException('Invalid ownerAddress!');
    if (!isAddress(to)) throw contractValidateException('Invalid toAddress!');
    if (from === to) throw contractValidateException('Cannot transfer TRX to yourself.');
    const owner = ledger.state.tables.accounts.get(from);
    if (owner === undefined) throw contractValidateException('Validate TransferContract error, no OwnerAccount.');
    if (amount <= 0n) throw contractValidateException('Amount must be greater than 0.');
    const feeSun = checkReceiver(ledger, to);
    refuseOverflow(() => {
      if (owner.balance < addExact(amount, feeSun)) {
        throw contractValidateException('Validate TransferContract error, balance is not sufficient.');
      }
      const receiver = ledger.state.tables.accounts.get(to);
      if (receiver !== undefined) addExact(receiver.balance, amount);
    });
  },

  execute(ledger, { owner_address: from, to_address: to, amount }, { charges }) {
    let feeSun = 0n;
    if (!ledger.state.tables.accounts.has(to)) {
      putAccount(ledger, newAccount(ledger, to));
      feeSun = ledger.long('CREATE_NEW_ACCOUNT_FEE_IN_SYSTEM_CONTRACT');
    }
    payFee(ledger, charges, from, feeSun, 'account-activation');
    adjustBalance(ledger, from, -amount);
    adjustBalance(ledger, to, amount);
  },
};
