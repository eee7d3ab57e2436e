/**
 * Delegations and unfreezings: the queries of staking (protocol/http.md#accounts-and-resources,
 * protocol/http-endpoints.md#stake-20-queries-and-builders).
 */

import {
  BytesMessage,
  CanDelegatedMaxSizeRequestMessage,
  CanDelegatedMaxSizeResponseMessage,
  CanWithdrawUnfreezeAmountRequestMessage,
  CanWithdrawUnfreezeAmountResponseMessage,
  DelegatedResourceList,
  DelegatedResourceMessage,
  GetAvailableUnfreezeCountRequestMessage,
  GetAvailableUnfreezeCountResponseMessage,
} from '../../protocol/generated/api.js';
import { DelegatedResourceAccountIndex } from '../../protocol/generated/tron.js';
import { readHex } from '../../protocol/json/hex-text.js';
import type { WalletContext } from '../../wallet/context.js';
import {
  getAvailableUnfreezeCount,
  getCanDelegatedMaxSize,
  getCanWithdrawUnfreezeAmount,
  getDelegatedResource,
  getDelegatedResourceAccountIndex,
  getDelegatedResourceAccountIndexV2,
  getDelegatedResourceV2,
} from '../../wallet/delegations.js';
import { readAddressValue } from '../address-value.js';
import { addressOrEmpty, CONFIRMED, type HttpEndpoint, queryEndpoint, readQuery } from '../table.js';

const DELEGATION = {
  services: CONFIRMED,
  body: 'form',
  request: DelegatedResourceMessage,
  query: { fromAddress: 'address', toAddress: 'address' },
  response: DelegatedResourceList,
} as const;

const DELEGATION_INDEX = {
  services: CONFIRMED,
  body: 'form',
  request: BytesMessage,
  query: { value: 'address' },
  readPost: readAddressValue,
  response: DelegatedResourceAccountIndex,
} as const;

export const resourceEndpoints: readonly HttpEndpoint<WalletContext>[] = [
  queryEndpoint({ ...DELEGATION, name: 'getdelegatedresource', operation: getDelegatedResource }),
  queryEndpoint({ ...DELEGATION, name: 'getdelegatedresourcev2', operation: getDelegatedResourceV2 }),
  queryEndpoint({
    ...DELEGATION_INDEX,
    name: 'getdelegatedresourceaccountindex',
    operation: getDelegatedResourceAccountIndex,
  }),
  queryEndpoint({
    ...DELEGATION_INDEX,
    name: 'getdelegatedresourceaccountindexv2',
    operation: getDelegatedResourceAccountIndexV2,
  }),
  queryEndpoint({
    name: 'getcandelegatedmaxsize',
    services: CONFIRMED,
    body: 'form',
    request: CanDelegatedMaxSizeRequestMessage,
    query: { owner_address: 'address', type: 'i32?' },
    operation: getCanDelegatedMaxSize,
    response: CanDelegatedMaxSizeResponseMessage,
  }),
  queryEndpoint({
    name: 'getavailableunfreezecount',
    services: CONFIRMED,
    body: 'form',
    request: GetAvailableUnfreezeCountRequestMessage,
    parameters: ['owner_address'],
    readGet: (request) => {
      // Only this endpoint accepts the parameter's camel-case name, too, which wins.
      const visible = request.visibleParameter;
      const camelCase = request.parameter('ownerAddress');
      return camelCase === undefined
        ? readQuery(GetAvailableUnfreezeCountRequestMessage, { owner_address: 'address' }, request)
        : { message: { owner_address: visible ? addressOrEmpty(camelCase) : readHex(camelCase) }, visible };
    },
    operation: getAvailableUnfreezeCount,
    response: GetAvailableUnfreezeCountResponseMessage,
  }),
  queryEndpoint({
    name: 'getcanwithdrawunfreezeamount',
    services: CONFIRMED,
    body: 'form',
    request: CanWithdrawUnfreezeAmountRequestMessage,
    query: { owner_address: 'address', timestamp: 'i64?' },
    operation: getCanWithdrawUnfreezeAmount,
    response: CanWithdrawUnfreezeAmountResponseMessage,
  }),
];
