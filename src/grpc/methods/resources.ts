/** Delegations and unfreezings: the queries of staking (protocol/grpc.md#stake-10-and-stake-20). */

import type { Wallet_service } from '../../protocol/generated/services.js';
import {
  getAvailableUnfreezeCount,
  getCanDelegatedMaxSize,
  getCanWithdrawUnfreezeAmount,
  getDelegatedResource,
  getDelegatedResourceAccountIndex,
  getDelegatedResourceAccountIndexV2,
  getDelegatedResourceV2,
} from '../../wallet/delegations.js';
import { internal, type MethodsOf, query } from '../table.js';

export const resourceMethods = {
  GetDelegatedResource: query(getDelegatedResource),
  GetDelegatedResourceV2: query(getDelegatedResourceV2, internal),
  GetDelegatedResourceAccountIndex: query(getDelegatedResourceAccountIndex, internal),
  GetDelegatedResourceAccountIndexV2: query(getDelegatedResourceAccountIndexV2, internal),
  GetCanDelegatedMaxSize: query(getCanDelegatedMaxSize, internal),
  GetAvailableUnfreezeCount: query(getAvailableUnfreezeCount, internal),
  GetCanWithdrawUnfreezeAmount: query(getCanWithdrawUnfreezeAmount, internal),
} satisfies MethodsOf<typeof Wallet_service>;
