/** All that the node knows about one account at one head block. */

import type { Slots } from '../../../fees.js';
import type { AccountAnswer } from '../../chain/account-answers.js';
import type { Amount, BlockAnswer, ResourcesAnswer } from '../../chain/answers.js';
import { nodeSettings, wallet } from '../../chain/ask.js';

export interface AccountState {
  readonly address: string;
  /** Undefined: the account does not exist. */
  readonly account: AccountAnswer | undefined;
  readonly resources: ResourcesAnswer;
  readonly rewardSun: Amount;
  /** What `withdrawexpireunfreeze` would pay now. */
  readonly withdrawableSun: Amount;
  readonly headMs: number;
  readonly slots: Slots;
}

/** @param address base58check */
export async function accountState(address: string): Promise<AccountState> {
  const head = await wallet<BlockAnswer>('getnowblock');
  const headMs = head.block_header.raw_data.timestamp ?? 0;
  const [account, resources, { reward = 0 }, { amount = 0 }, genesis, { slotMs }] = await Promise.all([
    wallet<AccountAnswer>('getaccount', { address }),
    wallet<ResourcesAnswer>('getaccountresource', { address }),
    wallet<{ readonly reward?: Amount }>('getReward', { address }),
    wallet<{ readonly amount?: Amount }>('getcanwithdrawunfreezeamount', { owner_address: address, timestamp: headMs }),
    wallet<BlockAnswer>('getblockbynum', { num: 0 }),
    nodeSettings(),
  ]);
  return {
    address,
    account: account.address === undefined ? undefined : account,
    resources,
    rewardSun: reward,
    withdrawableSun: amount,
    headMs,
    slots: { genesisMs: genesis.block_header.raw_data.timestamp ?? 0, slotMs },
  };
}
