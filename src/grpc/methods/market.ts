/** The order market (protocol/grpc.md#exchange-bancor-and-market). */

import type { Wallet_service } from '../../protocol/generated/services.js';
import {
  getMarketOrderByAccount,
  getMarketOrderById,
  getMarketOrderListByPair,
  getMarketPairList,
  getMarketPriceByPair,
} from '../../wallet/market.js';
import { internal, type MethodsOf, query } from '../table.js';

export const marketMethods = {
  GetMarketOrderById: query(getMarketOrderById, internal),
  GetMarketOrderByAccount: query(getMarketOrderByAccount, internal),
  GetMarketPriceByPair: query(getMarketPriceByPair, internal),
  GetMarketOrderListByPair: query(getMarketOrderListByPair, internal),
  GetMarketPairList: query(getMarketPairList, internal),
} satisfies MethodsOf<typeof Wallet_service>;
