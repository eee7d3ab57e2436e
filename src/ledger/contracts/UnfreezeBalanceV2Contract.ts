/**
 * Starts the unstaking of Stake 2.0 (protocol/contract-types.md#unfreezebalancev2contract-55). Mirrors
 * UnfreezeBalanceV2Actuator.
 */

import { contractValidateException } from '../../errors/refusals.js';
import { isAddress } from '../../primitives/ids.js';
import type { UnfreezeBalanceV2Contract as Message } from '../../protocol/generated/balance-contract.js';
import { ResourceCode } from '../../protocol/generated/resource-code.js';
import { Transaction_Contract_ContractType } from '../../protocol/generated/tron.js';
import { stakeV2Of } from '../../resources/limits.js';
import type { StakedResource } from '../../resources/metered-account.js';
import { dueUnfreezes, MAX_PENDING_UNFREEZES } from '../../resources/staking.js';
import type { Ledger } from '../ledger.js';
import { unfreezeV2 } from '../stake/staking.js';
import type { LedgerContract } from './contract.js';

function checkResource(ledger: Ledger, resource: ResourceCode): string {
  if (resource === ResourceCode.BANDWIDTH) return 'BANDWIDTH';
  if (resource === ResourceCode.ENERGY) return 'Energy';
  const tronPower = ledger.on('ALLOW_NEW_RESOURCE_MODEL');
  if (resource === ResourceCode.TRON_POWER && tronPower) return 'TronPower';
  throw contractValidateException(
    `ResourceCode error.valid ResourceCode[BANDWIDTH、Energy${tronPower ? '、TRON_POWER' : ''}]`,
  );
}

export const unfreezeBalanceV2Contract: LedgerContract<Message> = {
  type: Transaction_Contract_ContractType.UnfreezeBalanceV2Contract,

  validate(ledger, { owner_address: owner, unfreeze_balance: amount, resource }) {
    if (!ledger.stakeV2On) {
      throw contractValidateException('Not support UnfreezeV2 transaction, need to be opened by the committee');
    }
    if (!isAddress(owner)) throw contractValidateException('Invalid address');
    const account = ledger.state.tables.accounts.get(owner);
    if (account === undefined) throw contractValidateException(`Account[${owner}] does not exist`);
    const resourceName = checkResource(ledger, resource);
    const stake = stakeV2Of(account, resource as StakedResource);
    if (stake <= 0n) throw contractValidateException(`no frozenBalance(${resourceName})`);
    if (amount <= 0n || amount > stake) {
      throw contractValidateException(`Invalid unfreeze_balance, [${amount}] is error`);
    }
    if (dueUnfreezes(account.unfrozenV2, ledger.headTimeMs).waiting.length >= MAX_PENDING_UNFREEZES) {
      throw contractValidateException('Invalid unfreeze operation, unfreezing times is over limit');
    }
  },

  execute(ledger, { owner_address, unfreeze_balance, resource }, { result }) {
    result.withdraw_expire_amount = unfreezeV2(ledger, owner_address, unfreeze_balance, resource);
  },
};
