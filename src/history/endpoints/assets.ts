/** `/v1/assets`: TRC-10 tokens (protocol/v1.md#asset-trc10-endpoints). */

import { isHex, utf8ToHex } from '../../primitives/hex.js';
import type { AssetIssueContract } from '../../protocol/generated/asset-issue-contract.js';
import { Account } from '../../protocol/generated/tron.js';
import { getAssetIssueByAccount, getAssetIssueById, getAssetIssueList } from '../../wallet/assets.js';
import type { WalletContext } from '../../wallet/context.js';
import { readAddress } from '../query.js';
import { assetRecord } from '../records/asset.js';
import {
  cursorOf,
  fingerprintOf,
  type HistoryEndpoint,
  type HistoryRequest,
  pageAnswer,
  viewOf,
  wholeAnswer,
} from '../table.js';

const SORTED_BY = {
  id: ({ id }: AssetIssueContract) => BigInt(id === '' ? 0 : id),
  total_supply: ({ total_supply }: AssetIssueContract) => total_supply,
  start_time: ({ start_time }: AssetIssueContract) => start_time,
  end_time: ({ end_time }: AssetIssueContract) => end_time,
};

/**
 * Sorts all tokens, and continues after the last page. Few chains have more tokens than fit into memory several times.
 */
function pageOf(context: WalletContext, request: HistoryRequest, assets: readonly AssetIssueContract[]): string {
  const { query } = request;
  const { by, descending } = query.order(['id', 'total_supply', 'start_time', 'end_time'], 'desc');
  const sign = descending ? -1 : 1;
  const compare = (a: bigint, b: bigint) => (a < b ? -sign : a > b ? sign : 0);
  const key = SORTED_BY[by];
  const sorted = [...assets].sort((a, b) => compare(key(a), key(b)) || compare(SORTED_BY.id(a), SORTED_BY.id(b)));
  const from = cursorOf(request)?.after.block ?? 0;
  const to = from + query.limit;
  const after = { block: to, transaction: 0, entry: 0 };
  const next = to < sorted.length ? fingerprintOf(request, { upTo: context.ledger.headNumber, after }) : undefined;
  return pageAnswer(context, request, sorted.slice(from, to).map(assetRecord), next);
}

export const assetEndpoints: readonly HistoryEndpoint[] = [
  {
    path: '/v1/assets',
    about: 'all TRC-10 tokens; `order_by`: id, total_supply, start_time or end_time',
    answer: (context, request) => {
      const view = viewOf(context, request.query);
      return pageOf(context, request, getAssetIssueList(view, {}).assetIssue);
    },
  },
  {
    path: '/v1/assets/:identifier',
    about: 'a TRC-10 token by its id or by the address of its issuer',
    answer: (context, { params, query }) => {
      const view = viewOf(context, query);
      const { identifier = '' } = params;
      if (/^\d+$/.test(identifier)) {
        const asset = getAssetIssueById(view, { value: utf8ToHex(identifier) });
        return wholeAnswer(context, asset === undefined ? [] : [assetRecord(asset)]);
      }
      const issuer = Account.create({ address: readAddress(identifier, 'identifier') });
      return wholeAnswer(context, getAssetIssueByAccount(view, issuer).assetIssue.map(assetRecord));
    },
  },
  {
    path: '/v1/assets/:name/list',
    about: 'TRC-10 tokens by their name, as text or hex',
    answer: (context, request) => {
      const { name = '' } = request.params;
      const all = getAssetIssueList(viewOf(context, request.query), {}).assetIssue;
      const named = (hex: string) => all.filter((asset) => asset.name === hex);
      const byText = named(utf8ToHex(name));
      const lower = name.toLowerCase();
      return pageOf(context, request, byText.length === 0 && isHex(lower) ? named(lower) : byText);
    },
  },
];
