/** `/v1/contracts` (protocol/v1.md#contract-endpoints). */

import type { Address } from '../../primitives/ids.js';
import { toBase58 } from '../../protocol/address.js';
import { contractTransactions, internalTransactions } from '../../wallet/history/account-history.js';
import { contractEvents } from '../../wallet/history/events.js';
import type { Holder, TokenHolders } from '../../wallet/history/token-holders.js';
import { mergedHolders } from '../network-holders.js';
import { readAddress } from '../query.js';
import { eventRecord } from '../records/event.js';
import { entryRecord } from '../records/transaction.js';
import {
  cursorOf,
  fingerprintOf,
  type HistoryEndpoint,
  type HistoryRequest,
  listAnswer,
  pageAnswer,
} from '../table.js';

function contractOf({ params }: HistoryRequest): Address {
  return readAddress(params.address ?? '', 'contract address');
}

const BOTH_SIDES = { from: false, to: false };

export function contractEndpoints(holders: TokenHolders): readonly HistoryEndpoint[] {
  return [
    {
      path: '/v1/contracts/:address/transactions',
      about: 'transactions that name the contract in their message, including its deployment',
      answer: (context, request) =>
        listAnswer(context, request, {
          read: (span) => contractTransactions(context, contractOf(request), span),
          print: entryRecord,
        }),
    },
    {
      path: '/v1/contracts/:address/internal-transactions',
      about: 'internal transactions that transferred value from or to the contract',
      answer: (context, request) =>
        listAnswer(context, request, {
          read: (span) => internalTransactions(context, contractOf(request), BOTH_SIDES, span),
          print: entryRecord,
        }),
    },
    {
      path: '/v1/contracts/:address/events',
      about: 'events of the contract, decoded with its ABI; `event_name` and `block_number` filter them',
      answer: (context, request) =>
        listAnswer(context, request, {
          block: request.query.number('block_number'),
          read: (span) => contractEvents(context, contractOf(request), request.query.text('event_name'), span),
          print: eventRecord,
        }),
    },
    {
      path: '/v1/contracts/:address/tokens',
      about:
        'holders of a TRC-20 token with their balances; the number of calls per request is limited, and `meta` has the block of the oldest balance and whether the list is complete',
      answer: async (context, request) => {
        const { query } = request;
        const token = contractOf(request);
        const { descending } = query.order(['balance'], 'desc');
        const fingerprint = query.text('fingerprint');
        const isJoined = fingerprint?.startsWith('~') === true;
        const from = isJoined ? 0 : (cursorOf(request)?.after.block ?? 0);
        const found = await holders.of(context, token, request.turn);
        const sign = descending ? -1 : 1;
        const sorted = [...found.holders].sort((a, b) =>
          a.balance === b.balance ? (a.address < b.address ? -1 : 1) : a.balance < b.balance ? -sign : sign,
        );
        const { balancesFromBlock, complete, named } = found;
        const print = ({ address, balance }: Holder) => ({ [toBase58(address)]: String(balance) });
        const meta = { balances_from_block: balancesFromBlock, complete };
        if (fingerprint === undefined || isJoined) {
          const list = { path: request.path, descending, limit: query.limit, fingerprint, own: sorted, named, print };
          const joined = await mergedHolders(context, request, list);
          if (joined !== undefined) return pageAnswer(context, request, joined.data, joined.next, meta);
        }
        const to = from + query.limit;
        const data = sorted.slice(from, to).map(print);
        const after = { block: to, transaction: 0, entry: 0 };
        const next =
          to < sorted.length ? fingerprintOf(request, { upTo: context.ledger.headNumber, after }) : undefined;
        return pageAnswer(context, request, data, next, meta);
      },
    },
  ];
}
