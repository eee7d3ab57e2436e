/** TRC-10 tokens (protocol/http.md#trc-10, protocol/http-endpoints.md#trc-10-queries). */

import { utf8ToHex } from '../../primitives/hex.js';
import { AssetIssueList, BytesMessage, EmptyMessage, PaginatedMessage } from '../../protocol/generated/api.js';
import { AssetIssueContract } from '../../protocol/generated/asset-issue-contract.js';
import { Account } from '../../protocol/generated/tron.js';
import { textMember } from '../../protocol/json/value.js';
import {
  getAssetIssueByAccount,
  getAssetIssueById,
  getAssetIssueByName,
  getAssetIssueList,
  getAssetIssueListByName,
  getPaginatedAssetIssueList,
} from '../../wallet/assets.js';
import type { WalletContext } from '../../wallet/context.js';
import { CONFIRMED, type HttpEndpoint, queryEndpoint, type ReadRequest, readName } from '../table.js';
import type { WireRequest } from '../wire-request.js';

/** A token id is plain text in all modes, or a JSON number. */
function readTokenId(request: WireRequest): ReadRequest<BytesMessage> {
  const { object, visible } = request.bodyOrForm;
  return { message: { value: utf8ToHex(textMember(object, 'value') ?? '') }, visible };
}

/** A token's name is text when visible, otherwise hex. */
function readTokenName(request: WireRequest): ReadRequest<BytesMessage> {
  const { object, visible } = request.bodyOrForm;
  return { message: { value: readName(textMember(object, 'value'), visible) }, visible };
}

export const assetEndpoints: readonly HttpEndpoint<WalletContext>[] = [
  queryEndpoint({
    name: 'getassetissuebyaccount',
    body: 'form',
    request: Account,
    query: { address: 'address' },
    operation: getAssetIssueByAccount,
    response: AssetIssueList,
  }),
  queryEndpoint({
    name: 'getassetissuebyid',
    services: CONFIRMED,
    body: 'form',
    request: BytesMessage,
    query: { value: 'textBytes' },
    readPost: readTokenId,
    operation: getAssetIssueById,
    response: AssetIssueContract,
  }),
  queryEndpoint({
    name: 'getassetissuebyname',
    services: CONFIRMED,
    body: 'form',
    request: BytesMessage,
    query: { value: 'name' },
    readPost: readTokenName,
    operation: getAssetIssueByName,
    response: AssetIssueContract,
  }),
  queryEndpoint({
    name: 'getassetissuelistbyname',
    services: CONFIRMED,
    body: 'form',
    request: BytesMessage,
    query: { value: 'name' },
    readPost: readTokenName,
    operation: getAssetIssueListByName,
    response: AssetIssueList,
  }),
  queryEndpoint({
    name: 'getassetissuelist',
    services: CONFIRMED,
    body: 'ignored',
    request: EmptyMessage,
    query: {},
    operation: getAssetIssueList,
    response: AssetIssueList,
  }),
  queryEndpoint({
    name: 'getpaginatedassetissuelist',
    services: CONFIRMED,
    body: 'form',
    request: PaginatedMessage,
    query: { offset: 'i64', limit: 'i64' },
    operation: getPaginatedAssetIssueList,
    response: AssetIssueList,
  }),
];
