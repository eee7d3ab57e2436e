/**
 * Sets the name of an account, once (protocol/contract-types.md#accountupdatecontract-10). Mirrors
 * UpdateAccountActuator.
 */

import { contractValidateException } from '../../errors/refusals.js';
import { byteLength } from '../../primitives/hex.js';
import { isAddress } from '../../primitives/ids.js';
import type { AccountUpdateContract as Message } from '../../protocol/generated/account-contract.js';
import { Transaction_Contract_ContractType } from '../../protocol/generated/tron.js';
import { existingAccount, putAccount } from '../accounts/coin.js';
import type { LedgerContract } from './contract.js';

export const MAX_NAME_BYTES = 200;

export const accountUpdateContract: LedgerContract<Message> = {
  type: Transaction_Contract_ContractType.AccountUpdateContract,

  validate(ledger, { owner_address: owner, account_name: name }) {
    if (byteLength(name) > MAX_NAME_BYTES) throw contractValidateException('Invalid accountName');
    if (!isAddress(owner)) throw contractValidateException('Invalid ownerAddress');
    const account = ledger.state.tables.accounts.get(owner);
    if (account === undefined) throw contractValidateException('Account does not exist');
    if (ledger.on('ALLOW_UPDATE_ACCOUNT_NAME')) return;
    if (account.account_name !== '') throw contractValidateException('This account name is already existed');
    if (ledger.state.tables.accountNames.has(name)) throw contractValidateException('This name is existed');
  },

  execute(ledger, { owner_address: owner, account_name }) {
    putAccount(ledger, { ...existingAccount(ledger, owner), account_name });
    ledger.state.tables.accountNames.set(account_name, owner);
  },
};
