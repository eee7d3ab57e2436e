/** TRC-10 tokens (protocol/grpc.md#trc-10). */

import type { Wallet_service } from '../../protocol/generated/services.js';
import {
  getAssetIssueByAccount,
  getAssetIssueById,
  getAssetIssueByName,
  getAssetIssueList,
  getAssetIssueListByName,
  getPaginatedAssetIssueList,
} from '../../wallet/assets.js';
import { empty, type MethodsOf, query } from '../table.js';

export const assetMethods = {
  GetAssetIssueByAccount: query(getAssetIssueByAccount),
  GetAssetIssueById: query(getAssetIssueById),
  // Several tokens have the name: HTTP returns an error, gRPC an empty message.
  GetAssetIssueByName: query(getAssetIssueByName, empty),
  GetAssetIssueListByName: query(getAssetIssueListByName),
  GetAssetIssueList: query(getAssetIssueList),
  GetPaginatedAssetIssueList: query(getPaginatedAssetIssueList),
} satisfies MethodsOf<typeof Wallet_service>;
