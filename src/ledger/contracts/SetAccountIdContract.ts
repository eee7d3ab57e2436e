/**
 * Sets an account's unique id, once (protocol/contract-types.md#setaccountidcontract-19). Mirrors
 * SetAccountIdActuator.
 */

import { contractValidateException } from '../../errors/refusals.js';
import { byteLength, hexToBytes } from '../../primitives/hex.js';
import { isAddress } from '../../primitives/ids.js';
import type { SetAccountIdContract as Message } from '../../protocol/generated/account-contract.js';
import { Transaction_Contract_ContractType } from '../../protocol/generated/tron.js';
import { accountIdKey } from '../accounts/accounts.js';
import { existingAccount, putAccount } from '../accounts/coin.js';
import type { LedgerContract } from './contract.js';

export function isAccountId(id: string): boolean {
  const length = byteLength(id);
  return length >= 8 && length <= 32 && hexToBytes(id).every((byte) => byte >= 0x21 && byte <= 0x7e);
}

export const setAccountIdContract: LedgerContract<Message> = {
  type: Transaction_Contract_ContractType.SetAccountIdContract,

  validate(ledger, { owner_address: owner, account_id: id }) {
    if (!isAccountId(id)) throw contractValidateException('Invalid accountId');
    if (!isAddress(owner)) throw contractValidateException('Invalid ownerAddress');
    const account = ledger.state.tables.accounts.get(owner);
    if (account === undefined) throw contractValidateException('Account has not existed');
    if (account.account_id !== '') throw contractValidateException('This account id already set');
    if (ledger.state.tables.accountIds.has(accountIdKey(id))) throw contractValidateException('This id has existed');
  },

  execute(ledger, { owner_address: owner, account_id }) {
    putAccount(ledger, { ...existingAccount(ledger, owner), account_id });
    ledger.state.tables.accountIds.set(accountIdKey(account_id), owner);
  },
};
