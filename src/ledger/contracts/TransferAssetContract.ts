/**
 * Transfers tokens; creates a missing receiver (protocol/contract-types.md#transferassetcontract-2). Mirrors
 * TransferAssetActuator.
 */

import { contractValidateException, refuseOverflow } from '../../errors/refusals.js';
import { isAddress } from '../../primitives/ids.js';
import { addExact } from '../../primitives/java-math.js';
import type { TransferAssetContract as Message } from '../../protocol/generated/asset-issue-contract.js';
import { AccountType, Transaction_Contract_ContractType } from '../../protocol/generated/tron.js';
import { newAccount } from '../accounts/accounts.js';
import { addTokens, assetOf, takeTokens, tokenBalance } from '../accounts/assets.js';
import { existingAccount, putAccount } from '../accounts/coin.js';
import { payFee } from '../charging/fees.js';
import type { LedgerContract } from './contract.js';

export const transferAssetContract: LedgerContract<Message> = {
  type: Transaction_Contract_ContractType.TransferAssetContract,

  validate(ledger, { asset_name: token, owner_address: from, to_address: to, amount }) {
    if (!isAddress(from)) throw contractValidateException('Invalid ownerAddress');
    if (!isAddress(to)) throw contractValidateException('Invalid toAddress');
    if (amount <= 0n) throw contractValidateException('Amount must be greater than 0.');
    if (from === to) throw contractValidateException('Cannot transfer asset to yourself.');
    const owner = ledger.state.tables.accounts.get(from);
    if (owner === undefined) throw contractValidateException('No owner account!');
    if (assetOf(ledger, token) === undefined) throw contractValidateException('No asset!');
    const balance = tokenBalance(ledger, owner, token);
    if (balance === undefined || balance <= 0n) {
      throw contractValidateException('assetBalance must be greater than 0.');
    }
    if (amount > balance) throw contractValidateException('assetBalance is not sufficient.');
    const receiver = ledger.state.tables.accounts.get(to);
    if (receiver === undefined) {
      if (owner.balance < ledger.long('CREATE_NEW_ACCOUNT_FEE_IN_SYSTEM_CONTRACT')) {
        throw contractValidateException('Validate TransferAssetActuator error, insufficient fee.');
      }
      return;
    }
    if (receiver.type === AccountType.Contract && ledger.on('FORBID_TRANSFER_TO_CONTRACT')) {
      throw contractValidateException('Cannot transfer asset to smartContract.');
    }
    refuseOverflow(() => addExact(tokenBalance(ledger, receiver, token) ?? 0n, amount));
  },

  execute(ledger, { asset_name: token, owner_address: from, to_address: to, amount }, { charges }) {
    let feeSun = 0n;
    let receiver = ledger.state.tables.accounts.get(to);
    if (receiver === undefined) {
      receiver = newAccount(ledger, to);
      feeSun = ledger.long('CREATE_NEW_ACCOUNT_FEE_IN_SYSTEM_CONTRACT');
    }
    putAccount(ledger, takeTokens(ledger, existingAccount(ledger, from), token, amount));
    putAccount(ledger, addTokens(ledger, receiver, token, amount));
    payFee(ledger, charges, from, feeSun, 'account-activation');
  },
};
