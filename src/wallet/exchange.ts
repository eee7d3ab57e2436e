/**
 * Queries about exchanges (protocol/http-endpoints.md#proposals-and-exchanges). Mirrors the exchange queries of
 * java-tron's Wallet.
 */

import { tokensHaveIds } from '../ledger/accounts/assets.js';
import { exchangeOf } from '../ledger/trade/exchange.js';
import { byteLength } from '../primitives/hex.js';
import type { BytesMessage, EmptyMessage, ExchangeList, PaginatedMessage } from '../protocol/generated/api.js';
import type { Exchange } from '../protocol/generated/tron.js';
import type { WalletContext } from './context.js';
import { inScanOrder, javaNumberKey } from './store-order.js';

const MAX_EXCHANGES_PER_PAGE = 1000n;

/** All exchanges, the newest first; those made at the same time in scan order. */
export function listExchanges(context: WalletContext, _request: EmptyMessage): ExchangeList {
  const table = tokensHaveIds(context.ledger) ? 'exchanges' : 'exchangesByName';
  const exchanges = inScanOrder(context, table, javaNumberKey).map(([, exchange]) => exchange);
  return { exchanges: exchanges.sort((a, b) => Number(b.create_time - a.create_time)) };
}

/** Exchanges `offset` + 1 to `offset` + `limit` by id. @returns undefined for a page that cannot be */
export function getPaginatedExchangeList(
  { ledger }: WalletContext,
  { offset, limit }: PaginatedMessage,
): ExchangeList | undefined {
  const latest = ledger.long('LATEST_EXCHANGE_NUM');
  if (offset < 0n || limit < 0n || offset >= latest) return undefined;
  const exchanges: Exchange[] = [];
  const count = limit < MAX_EXCHANGES_PER_PAGE ? limit : MAX_EXCHANGES_PER_PAGE;
  for (let id = offset + 1n; id <= offset + count && id <= latest; id++) {
    const exchange = exchangeOf(ledger, id);
    if (exchange !== undefined) exchanges.push(exchange);
  }
  return { exchanges };
}

/** By the eight bytes of an id, the highest first. @returns undefined when there is none */
export function getExchangeById({ ledger }: WalletContext, { value }: BytesMessage): Exchange | undefined {
  return byteLength(value) === 8 ? exchangeOf(ledger, BigInt.asIntN(64, BigInt(`0x${value}`))) : undefined;
}
