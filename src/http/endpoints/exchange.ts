/** Exchanges (protocol/http.md#chain-governance-node, protocol/http-endpoints.md#proposals-and-exchanges). */

import { nullPointerException } from '../../errors/java-exception.js';
import { BytesMessage, EmptyMessage, ExchangeList, PaginatedMessage } from '../../protocol/generated/api.js';
import { Exchange } from '../../protocol/generated/tron.js';
import type { WalletContext } from '../../wallet/context.js';
import { getExchangeById, getPaginatedExchangeList, listExchanges } from '../../wallet/exchange.js';
import { readIdBody, readIdQuery } from '../number-id.js';
import { CONFIRMED, type HttpEndpoint, queryEndpoint } from '../table.js';

export const exchangeEndpoints: readonly HttpEndpoint<WalletContext>[] = [
  queryEndpoint({
    name: 'listexchanges',
    services: CONFIRMED,
    body: 'ignored',
    request: EmptyMessage,
    query: {},
    operation: listExchanges,
    response: ExchangeList,
  }),
  queryEndpoint({
    name: 'getpaginatedexchangelist',
    body: 'form',
    request: PaginatedMessage,
    query: { offset: 'i64', limit: 'i64' },
    operation: getPaginatedExchangeList,
    response: ExchangeList,
  }),
  queryEndpoint({
    name: 'getexchangebyid',
    services: CONFIRMED,
    body: 'form',
    request: BytesMessage,
    parameters: ['id'],
    readGet: readIdQuery,
    readPost: readIdBody,
    operation: (view, request) => {
      const exchange = getExchangeById(view, request);
      if (exchange === undefined) {
        // The only query that does not answer `{}` for an unknown object.
        throw nullPointerException();
      }
      return exchange;
    },
    response: Exchange,
  }),
];
