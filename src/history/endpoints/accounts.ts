/** `/v1/accounts` (protocol/v1.md#account-endpoints). */

import type { Address } from '../../primitives/ids.js';
import { toBase58 } from '../../protocol/address.js';
import { Account } from '../../protocol/generated/tron.js';
import { getAccount } from '../../wallet/accounts.js';
import type { WalletContext } from '../../wallet/context.js';
import {
  accountTransactions,
  internalTransactions,
  type Sides,
  tokensOf,
  tokenTransfers,
} from '../../wallet/history/account-history.js';
import type { TokenInfos } from '../../wallet/history/token-calls.js';
import { getAccountResource } from '../../wallet/resources.js';
import type { Json } from '../json.js';
import { balanceOnFork, balancesOnNetwork } from '../network-balances.js';
import { type Query, readAddress } from '../query.js';
import { accountRecord } from '../records/account.js';
import { tokenTransferRecord } from '../records/token-transfer.js';
import { entryRecord } from '../records/transaction.js';
import {
  cursorOf,
  fingerprintOf,
  type HistoryEndpoint,
  type HistoryRequest,
  listAnswer,
  pageAnswer,
  viewOf,
  wholeAnswer,
} from '../table.js';

function accountOf({ params }: HistoryRequest): Address {
  return readAddress(params.address ?? '');
}

function sidesOf(query: Query): Sides {
  return { from: query.flag('only_from'), to: query.flag('only_to') };
}

/** Tokens that an account holds or held, with their balances on a fork's network. */
type HeldTokens = readonly (readonly [token: Address, onNetwork: bigint | undefined])[];

async function heldTokensOf(context: WalletContext, account: Address): Promise<HeldTokens> {
  const [own, onNetwork] = await Promise.all([tokensOf(context, account), balancesOnNetwork(context, account)]);
  return [...new Set([...own, ...onNetwork.keys()])].sort().map((token) => [token, onNetwork.get(token)]);
}

export function accountEndpoints(tokens: TokenInfos): readonly HistoryEndpoint[] {
  /** Nonzero balances of an account, as `{"<token>":"<amount>"}`. */
  async function balances(context: WalletContext, request: HistoryRequest, held: HeldTokens): Promise<Json[]> {
    const data: Json[] = [];
    for (const [token, onNetwork] of held) {
      await request.turn();
      const balance = balanceOnFork(context, request, token, accountOf(request), onNetwork);
      if (balance !== undefined && balance > 0n) data.push({ [toBase58(token)]: String(balance) });
    }
    return data;
  }

  return [
    {
      path: '/v1/accounts/:address',
      about:
        'the account in the format of `getaccount`, with its TRC-20 balances; an empty list if it is not activated',
      answer: async (context, request) => {
        const address = accountOf(request);
        const view = viewOf(context, request.query);
        const account = getAccount(view, Account.create({ address }));
        if (account === undefined) return wholeAnswer(context, []);
        const held = await balances(view, request, await heldTokensOf(view, address));
        return wholeAnswer(context, [accountRecord(account, held)]);
      },
    },
    {
      path: '/v1/accounts/:address/transactions',
      about: 'transactions that the account signed or received; `search_internal` adds internal transactions',
      answer: (context, request) =>
        listAnswer(context, request, {
          read: (span) =>
            accountTransactions(
              context,
              accountOf(request),
              sidesOf(request.query),
              span,
              request.query.flag('search_internal'),
            ),
          print: entryRecord,
        }),
    },
    {
      path: '/v1/accounts/:address/transactions/trc20',
      about:
        'transfers and approvals of TRC-20 and TRC-721 tokens; `contract_address` selects one token; `get_detail` adds the transactions',
      answer: (context, request) => {
        const { query } = request;
        const token = query.address('contract_address');
        return listAnswer(context, request, {
          read: (span) => tokenTransfers(context, accountOf(request), token, sidesOf(query), span),
          print: async (transfer) =>
            tokenTransferRecord(
              transfer,
              await tokens.of(context, transfer.token, request.turn),
              query.flag('get_detail'),
            ),
        });
      },
    },
    {
      path: '/v1/accounts/:address/internal-transactions',
      about: 'internal transactions that transferred value from or to the account',
      answer: (context, request) =>
        listAnswer(context, request, {
          read: (span) => internalTransactions(context, accountOf(request), sidesOf(request.query), span),
          print: entryRecord,
        }),
    },
    {
      path: '/v1/accounts/:address/trc20/balance',
      about: 'TRC-20 balances, also of an account that is not activated; `contract_address` selects one token',
      answer: async (context, request) => {
        const { query } = request;
        const account = accountOf(request);
        const view = viewOf(context, query);
        const wanted = query.address('contract_address');
        const held: HeldTokens = wanted === undefined ? await heldTokensOf(view, account) : [[wanted, undefined]];
        let at = cursorOf(request)?.after.block ?? 0;
        const data: Json[] = [];
        for (; at < held.length && data.length < query.limit; at++)
          data.push(...(await balances(view, request, held.slice(at, at + 1))));
        const more = at < held.length;
        const after = { block: at, transaction: 0, entry: 0 };
        const next = more ? fingerprintOf(request, { upTo: context.ledger.headNumber, after }) : undefined;
        return pageAnswer(context, request, data, next);
      },
    },
    {
      path: '/v1/accounts/:address/resources',
      about: 'Bandwidth and Energy of the account',
      answer: (context, request) => {
        const message = getAccountResource(
          viewOf(context, request.query),
          Account.create({ address: accountOf(request) }),
        );
        if (message === undefined) return wholeAnswer(context, []);
        const sum = (usages: ReadonlyMap<string, bigint>) => [...usages.values()].reduce((a, b) => a + b, 0n);
        return wholeAnswer(context, [
          {
            free_net_used: message.freeNetUsed,
            free_net_limit: message.freeNetLimit,
            asset_net_used: sum(message.assetNetUsed),
            asset_net_limit: sum(message.assetNetLimit),
            total_net_limit: message.TotalNetLimit,
            total_net_weight: message.TotalNetWeight,
            energy_used: message.EnergyUsed,
            energy_limit: message.EnergyLimit,
            total_energy_limit: message.TotalEnergyLimit,
            total_energy_weight: message.TotalEnergyWeight,
          },
        ]);
      },
    },
  ];
}
