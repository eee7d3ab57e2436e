/** Exchanges (protocol/grpc.md#exchange-bancor-and-market). */

import type { Wallet_service } from '../../protocol/generated/services.js';
import { getExchangeById, getPaginatedExchangeList, listExchanges } from '../../wallet/exchange.js';
import { type MethodsOf, query } from '../table.js';

export const exchangeMethods = {
  ListExchanges: query(listExchanges),
  GetPaginatedExchangeList: query(getPaginatedExchangeList),
  GetExchangeById: query(getExchangeById),
} satisfies MethodsOf<typeof Wallet_service>;
