/** Changes what an issuer may change of its token (ledger.md 3.5, type 15). Mirrors UpdateAssetActuator. */

import { type Address, isAddress } from '../../primitives/ids.js';
import type { UpdateAssetContract as Message } from '../../protocol/messages/asset-issue-contract.js';
import { Transaction_Contract_ContractType } from '../../protocol/messages/tron.js';
import { tokensHaveIds } from '../assets.js';
import { existingAccount } from '../coin.js';
import { contractValidateException } from '../refusals.js';
import { checkFreeLimits, checkUrlAndDescription } from './AssetIssueContract.js';
import type { SystemContract } from './contract.js';

export const updateAssetContract: SystemContract<Message> = {
  type: Transaction_Contract_ContractType.UpdateAssetContract,

  validate(ledger, { owner_address: owner, description, url, new_limit, new_public_limit }) {
    if (!isAddress(owner)) throw contractValidateException('Invalid ownerAddress');
    const { accounts, assets, assetsByName } = ledger.state.tables;
    const account = accounts.get(owner);
    if (account === undefined) throw contractValidateException('Account does not exist');
    const byId = tokensHaveIds(ledger);
    const token = byId ? account.asset_issued_ID : account.asset_issued_name;
    if (token === '') throw contractValidateException('Account has not issued any asset');
    if (!(byId ? assets : assetsByName).has(token)) {
      throw contractValidateException(`Asset is not existed in AssetIssue${byId ? 'V2' : ''}Store`);
    }
    checkUrlAndDescription(url, description);
    checkFreeLimits(ledger, new_limit, new_public_limit);
  },

  execute(ledger, { owner_address, description, url, new_limit, new_public_limit }) {
    const { asset_issued_ID: id, asset_issued_name: name } = existingAccount(ledger, owner_address as Address);
    const { assets, assetsByName } = ledger.state.tables;
    const change = {
      description,
      url,
      free_asset_net_limit: new_limit,
      public_free_asset_net_limit: new_public_limit,
    };
    const asset = assets.get(id);
    if (asset === undefined) throw new Error(`issued token ${id} has no record`);
    assets.set(id, { ...asset, ...change });
    if (tokensHaveIds(ledger)) return;
    const named = assetsByName.get(name);
    if (named === undefined) throw new Error(`issued token named ${name} has no record`);
    assetsByName.set(name, { ...named, ...change });
  },
};
