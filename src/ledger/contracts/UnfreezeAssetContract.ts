/**
 * Releases the part of an issuer's frozen supply whose freeze has ended (protocol/trade.md#unfreezeassetcontract-14).
 * Mirrors UnfreezeAssetActuator.
 */

import { contractValidateException } from '../../errors/refusals.js';
import { isAddress } from '../../primitives/ids.js';
import type { UnfreezeAssetContract as Message } from '../../protocol/generated/asset-issue-contract.js';
import { Transaction_Contract_ContractType } from '../../protocol/generated/tron.js';
import { addTokens, issuedToken } from '../accounts/assets.js';
import { existingAccount, putAccount } from '../accounts/coin.js';
import type { LedgerContract } from './contract.js';

export const unfreezeAssetContract: LedgerContract<Message> = {
  type: Transaction_Contract_ContractType.UnfreezeAssetContract,

  validate(ledger, { owner_address: owner }) {
    if (!isAddress(owner)) throw contractValidateException('Invalid address');
    const account = ledger.state.tables.accounts.get(owner);
    if (account === undefined) throw contractValidateException(`Account[${owner}] does not exist`);
    if (account.frozen_supply.length === 0) throw contractValidateException('no frozen supply balance');
    if (issuedToken(ledger, account) === '') throw contractValidateException('this account has not issued any asset');
    const now = ledger.headTimeMs;
    if (!account.frozen_supply.some(({ expire_time }) => expire_time <= now)) {
      throw contractValidateException("It's not time to unfreeze asset supply");
    }
  },

  execute(ledger, { owner_address }) {
    const account = existingAccount(ledger, owner_address);
    const now = ledger.headTimeMs;
    const expired = account.frozen_supply.filter(({ expire_time }) => expire_time <= now);
    const frozen_supply = account.frozen_supply.filter(({ expire_time }) => expire_time > now);
    const amount = expired.reduce((sum, { frozen_balance }) => sum + frozen_balance, 0n);
    putAccount(ledger, addTokens(ledger, { ...account, frozen_supply }, issuedToken(ledger, account), amount));
  },
};
