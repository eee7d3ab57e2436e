/** The order market (protocol/http.md#market-and-shielded). */

import { BytesMessage, EmptyMessage } from '../../protocol/generated/api.js';
import {
  MarketOrder,
  MarketOrderList,
  MarketOrderPair,
  MarketOrderPairList,
  MarketPriceList,
} from '../../protocol/generated/tron.js';
import { readHex } from '../../protocol/json/hex-text.js';
import { textMember } from '../../protocol/json/value.js';
import type { WalletContext } from '../../wallet/context.js';
import {
  getMarketOrderByAccount,
  getMarketOrderById,
  getMarketOrderListByPair,
  getMarketPairList,
  getMarketPriceByPair,
} from '../../wallet/market.js';
import { addressOrEmpty, CONFIRMED, type HttpEndpoint, queryEndpoint, type ReadRequest } from '../table.js';
import type { WireRequest } from '../wire-request.js';

function readAccount(request: WireRequest): ReadRequest<BytesMessage> {
  const { object, visible } = request.bodyOrForm;
  const text = textMember(object, 'value');
  return { message: { value: visible ? addressOrEmpty(text) : readHex(text ?? '') }, visible };
}

const PAIR = {
  services: CONFIRMED,
  body: 'form',
  request: MarketOrderPair,
  query: { sell_token_id: 'name', buy_token_id: 'name' },
} as const;

export const marketEndpoints: readonly HttpEndpoint<WalletContext>[] = [
  queryEndpoint({
    name: 'getmarketorderbyaccount',
    services: CONFIRMED,
    body: 'form',
    request: BytesMessage,
    query: { value: 'address' },
    readPost: readAccount,
    operation: getMarketOrderByAccount,
    response: MarketOrderList,
  }),
  queryEndpoint({
    name: 'getmarketorderbyid',
    services: CONFIRMED,
    body: 'form',
    request: BytesMessage,
    query: { value: 'hex' },
    operation: getMarketOrderById,
    response: MarketOrder,
  }),
  queryEndpoint({ ...PAIR, name: 'getmarketpricebypair', operation: getMarketPriceByPair, response: MarketPriceList }),
  queryEndpoint({
    ...PAIR,
    name: 'getmarketorderlistbypair',
    operation: getMarketOrderListByPair,
    response: MarketOrderList,
  }),
  queryEndpoint({
    name: 'getmarketpairlist',
    services: CONFIRMED,
    body: 'form',
    request: EmptyMessage,
    query: {},
    readPost: (request) => ({ message: EmptyMessage.empty, visible: request.bodyOrForm.visible }),
    operation: getMarketPairList,
    response: MarketOrderPairList,
  }),
];
