/** Exchanges (protocol/grpc.md#exchange-bancor-and-market). */

import type { Wallet_service } from '../../protocol/generated/services.js';
import { getExchangeById, getPaginatedExchangeList, listExchanges } from '../../wallet/exchange.js';
import { query, type RowsOf } from '../table.js';

export const exchangeRows = {
  ListExchanges: query(listExchanges),
  GetPaginatedExchangeList: query(getPaginatedExchangeList),
  GetExchangeById: query(getExchangeById),
} satisfies RowsOf<typeof Wallet_service>;
