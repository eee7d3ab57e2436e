/** Changes the mutable settings of a token (protocol/trade.md#updateassetcontract-15). Mirrors UpdateAssetActuator. */

import { contractValidateException } from '../../errors/refusals.js';
import { isAddress } from '../../primitives/ids.js';
import type { UpdateAssetContract as Message } from '../../protocol/generated/asset-issue-contract.js';
import { Transaction_Contract_ContractType } from '../../protocol/generated/tron.js';
import { assetOf, issuedToken, putAsset, tokensHaveIds } from '../accounts/assets.js';
import { existingAccount } from '../accounts/coin.js';
import { checkFreeLimits, checkUrlAndDescription } from './AssetIssueContract.js';
import type { LedgerContract } from './contract.js';

export const updateAssetContract: LedgerContract<Message> = {
  type: Transaction_Contract_ContractType.UpdateAssetContract,

  validate(ledger, { owner_address: owner, description, url, new_limit, new_public_limit }) {
    if (!isAddress(owner)) throw contractValidateException('Invalid ownerAddress');
    const account = ledger.state.tables.accounts.get(owner);
    if (account === undefined) throw contractValidateException('Account does not exist');
    const token = issuedToken(ledger, account);
    if (token === '') throw contractValidateException('Account has not issued any asset');
    if (assetOf(ledger, token) === undefined) {
      throw contractValidateException(`Asset is not existed in AssetIssue${tokensHaveIds(ledger) ? 'V2' : ''}Store`);
    }
    checkUrlAndDescription(url, description);
    checkFreeLimits(ledger, new_limit, new_public_limit);
  },

  execute(ledger, { owner_address, description, url, new_limit, new_public_limit }) {
    const token = issuedToken(ledger, existingAccount(ledger, owner_address));
    const asset = assetOf(ledger, token);
    if (asset === undefined) throw new Error(`issued token ${token} has no record`);
    putAsset(ledger, {
      ...asset,
      description,
      url,
      free_asset_net_limit: new_limit,
      public_free_asset_net_limit: new_public_limit,
    });
  },
};
