/**
 * Queries about exchanges (protocol/http-endpoints.md#proposals-and-exchanges). Mirrors the exchange queries of
 * java-tron's Wallet.
 */

import { tokensHaveIds } from '../ledger/accounts/assets.js';
import { exchangeOf } from '../ledger/trade/exchange.js';
import type { BytesMessage, EmptyMessage, ExchangeList, PaginatedMessage } from '../protocol/generated/api.js';
import type { Exchange } from '../protocol/generated/tron.js';
import type { WalletContext } from './context.js';
import { newestFirst, pageOfNumbered, rowOfNumberBytes } from './numbered-rows.js';
import { inScanOrder, javaNumberKey } from './store-order.js';

/** All exchanges, newest first; those of the same time in scan order. */
export function listExchanges(context: WalletContext, _request: EmptyMessage): ExchangeList {
  const table = tokensHaveIds(context.ledger) ? 'exchanges' : 'exchangesByName';
  return { exchanges: newestFirst(inScanOrder(context, table, javaNumberKey).map(([, exchange]) => exchange)) };
}

/** Exchanges `offset` + 1 to `offset` + `limit` by id. @returns undefined for an invalid page */
export function getPaginatedExchangeList({ ledger }: WalletContext, page: PaginatedMessage): ExchangeList | undefined {
  const exchanges = pageOfNumbered(page, ledger.long('LATEST_EXCHANGE_NUM'), (id) => exchangeOf(ledger, id));
  return exchanges && { exchanges };
}

/** By the eight bytes of an id, most significant first. @returns undefined if there is none */
export function getExchangeById({ ledger }: WalletContext, { value }: BytesMessage): Exchange | undefined {
  return rowOfNumberBytes(value, (id) => exchangeOf(ledger, id));
}
