/** A TRC-10 token (protocol/v1.md#asset-trc10-endpoints): names are text, not hex. */

import { hexToUtf8 } from '../../primitives/hex.js';
import type { AssetIssueContract } from '../../protocol/generated/asset-issue-contract.js';
import type { Json } from '../json.js';

export function assetRecord(asset: AssetIssueContract): Json {
  return {
    id: asset.id,
    abbr: hexToUtf8(asset.abbr),
    name: hexToUtf8(asset.name),
    description: hexToUtf8(asset.description),
    url: hexToUtf8(asset.url),
    owner_address: asset.owner_address,
    num: asset.num,
    trx_num: asset.trx_num,
    precision: asset.precision,
    total_supply: String(asset.total_supply),
    start_time: asset.start_time,
    end_time: asset.end_time,
    vote_score: asset.vote_score,
    frozen_supply: asset.frozen_supply.map(({ frozen_amount, frozen_days }) => ({ frozen_days, frozen_amount })),
  };
}
