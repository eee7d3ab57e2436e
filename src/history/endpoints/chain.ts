/** `/v1/transactions`, `/v1/blocks` and `/v1/trc20` (protocol/v1.md#transaction-block-and-token-info-endpoints). */

import type { Address } from '../../primitives/ids.js';
import { toBase58 } from '../../protocol/address.js';
import type { WalletContext } from '../../wallet/context.js';
import { blockStats } from '../../wallet/history/block-stats.js';
import { blockEvents, transactionEvents } from '../../wallet/history/events.js';
import { isContract, standardOf, type TokenInfos, totalSupplyOf } from '../../wallet/history/token-calls.js';
import { historicTransaction } from '../../wallet/history/transactions.js';
import { latestConfirmed } from '../../wallet/history/window.js';
import { markOf } from '../../wallet/known-blocks.js';
import { invalid } from '../errors.js';
import type { Json } from '../json.js';
import { type Query, readAddress, readTxId, wholeNumber } from '../query.js';
import { eventRecord } from '../records/event.js';
import { internalRecord } from '../records/transaction.js';
import {
  cursorOf,
  fingerprintOf,
  type HistoryEndpoint,
  type HistoryRequest,
  pageAnswer,
  wholeAnswer,
} from '../table.js';

const MAX_TOKENS = 20;

function hasConfirmation(query: Query, confirmed: boolean): boolean {
  const { confirmation } = query;
  return confirmation === 'any' || (confirmation === 'confirmed') === confirmed;
}

/** A page of a block's events. A block is confirmed or unconfirmed as a whole. */
async function eventsOfBlock(context: WalletContext, request: HistoryRequest, number: number): Promise<string> {
  const { query } = request;
  const { limit } = query;
  const cursor = cursorOf(request);
  // `latest` may be another block at the next page: the cursor has the first page's block.
  const block = cursor?.after.block ?? number;
  const from = cursor?.after.entry ?? 0;
  const all = hasConfirmation(query, block <= latestConfirmed(context.node)) ? await blockEvents(context, block) : [];
  const after = { block, transaction: 0, entry: from + limit };
  const next = from + limit < all.length ? fingerprintOf(request, { upTo: block, after }) : undefined;
  return pageAnswer(context, request, all.slice(from, from + limit).map(eventRecord), next);
}

export function chainEndpoints(tokens: TokenInfos): readonly HistoryEndpoint[] {
  return [
    {
      path: '/v1/transactions/:txid/events',
      about: 'all events of a transaction',
      answer: async (context, { params, query }) => {
        const events = await transactionEvents(context, readTxId(params.txid ?? ''));
        return wholeAnswer(
          context,
          events.filter(({ transaction }) => hasConfirmation(query, transaction.confirmed)).map(eventRecord),
        );
      },
    },
    {
      path: '/v1/transactions/:txid/internal-transactions',
      about: 'all internal transactions of a transaction, also those without value',
      answer: (context, { params, query }) => {
        const found = historicTransaction(context, readTxId(params.txid ?? ''));
        if (found === undefined || !hasConfirmation(query, found.confirmed)) return wholeAnswer(context, []);
        return wholeAnswer(
          context,
          found.info.internal_transactions.map((internal) => internalRecord(found, internal)),
        );
      },
    },
    {
      path: '/v1/blocks/latest/events',
      about: 'events of the head block; with `only_confirmed`, of the highest confirmed block',
      answer: (context, request) => {
        const { node } = context;
        const confirmed = request.query.confirmation === 'confirmed';
        return eventsOfBlock(context, request, confirmed ? latestConfirmed(node) : node.chain.headNumber);
      },
    },
    {
      path: '/v1/blocks/:number/events',
      about: 'events of a block',
      answer: (context, request) =>
        eventsOfBlock(context, request, wholeNumber('block number', request.params.number ?? '')),
    },
    {
      path: '/v1/blocks/:number/stats',
      about: 'resource usage and fees of a block; `get_tx_detail` adds statistics of its transactions',
      answer: async (context, { params, query, markAnswer }) => {
        const number = wholeNumber('block number', params.number ?? '');
        const { networkBlocks } = context.node.chain;
        // Receipts of a fork's network do not contain the charged resources.
        if (networkBlocks?.has(number)) {
          const detail = query.flag('get_tx_detail') ? '?get_tx_detail=true' : '';
          const page = await networkBlocks.history(`/v1/blocks/${number}/stats${detail}`);
          if (page !== undefined) markAnswer(markOf(networkBlocks));
          return wholeAnswer(context, (page?.data ?? []) as readonly Json[]);
        }
        if (number > context.ledger.headNumber) return wholeAnswer(context, []);
        const { fees, transactions } = blockStats(context, number);
        return wholeAnswer(context, [
          {
            ...(query.flag('get_tx_detail') && { txStat: { ...transactions } }),
            feeStat: { ...fees },
          },
        ]);
      },
    },
    {
      path: '/v1/trc20/info',
      about:
        'name, symbol, decimals, standard and supply of tokens; `contract_list` has up to 20 addresses, comma-separated',
      answer: async (context, { query, turn }) => {
        const list = (query.text('contract_list') ?? '').split(',').filter((text) => text !== '');
        if (list.length === 0 || list.length > MAX_TOKENS)
          throw invalid(`contract_list has to have 1 to ${MAX_TOKENS} addresses`);
        const addresses = list.map((text): Address => readAddress(text, 'contract_list'));
        const data: Json[] = [];
        for (const token of addresses.filter((address) => isContract(context, address))) {
          const { name, symbol, decimals } = await tokens.of(context, token, turn);
          const type = await standardOf(context, token, turn);
          await turn();
          const supply = totalSupplyOf(context, token) ?? 0n;
          data.push({
            contract_address: toBase58(token),
            symbol,
            name,
            decimals: String(decimals),
            type,
            total_supply: String(supply),
          });
        }
        return wholeAnswer(context, data);
      },
    },
  ];
}
