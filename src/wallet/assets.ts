/**
 * Queries about TRC-10 tokens (protocol/http-endpoints.md#trc-10-queries). Mirrors the asset queries of java-tron's
 * Wallet. The public usage of a token's free bandwidth is recovered to the head; its time stays as stored.
 */

import { JavaException } from '../errors/java-exception.js';
import { tokensHaveIds } from '../ledger/accounts/assets.js';
import { rulesOf } from '../ledger/stake/staking.js';
import { hexToUtf8 } from '../primitives/hex.js';
import type { AssetIssueList, BytesMessage, EmptyMessage, PaginatedMessage } from '../protocol/generated/api.js';
import type { AssetIssueContract } from '../protocol/generated/asset-issue-contract.js';
import type { Account } from '../protocol/generated/tron.js';
import type { Sent } from '../protocol/message-type.js';
import { dayUsage } from '../resources/recovery.js';
import type { WalletContext } from './context.js';
import { inScanOrder } from './store-order.js';

const MAX_ASSETS_PER_PAGE = 1000n;

function recovered({ ledger }: WalletContext, asset: AssetIssueContract): AssetIssueContract {
  const { public_free_asset_net_usage: usage, public_latest_free_net_time: lastSlot } = asset;
  return {
    ...asset,
    public_free_asset_net_usage: dayUsage(usage, 0n, lastSlot, ledger.headSlot, rulesOf(ledger)),
  };
}

/** All tokens as stored: by id, or by name while tokens are identified by name. */
function allAssets(context: WalletContext): readonly AssetIssueContract[] {
  const table = tokensHaveIds(context.ledger) ? 'assets' : 'assetsByName';
  return inScanOrder(context, table).map(([, asset]) => asset);
}

function listOf(context: WalletContext, assets: readonly AssetIssueContract[]): AssetIssueList {
  return { assetIssue: assets.map((asset) => recovered(context, asset)) };
}

function notUnique(): JavaException {
  return new JavaException(
    'org.tron.core.exception.NonUniqueObjectException',
    'To get more than one asset, please use getAssetIssueById syntax',
  );
}

/** Tokens that an account has issued: at most one. */
export function getAssetIssueByAccount(context: WalletContext, { address }: Sent<Account>): AssetIssueList {
  if (address === '') return { assetIssue: [] };
  return listOf(
    context,
    allAssets(context).filter(({ owner_address }) => owner_address === address),
  );
}

/** By the digits of its id. @returns undefined for an unknown id */
export function getAssetIssueById(context: WalletContext, { value }: BytesMessage): AssetIssueContract | undefined {
  const asset = context.ledger.state.tables.assets.get(value);
  return asset && recovered(context, asset);
}

/**
 * By name, or by id if no token has the name.
 *
 * @returns undefined if unknown
 * @throws JavaException NonUniqueObjectException if several tokens have the name
 */
export function getAssetIssueByName(context: WalletContext, { value }: BytesMessage): AssetIssueContract | undefined {
  const { assets, assetsByName } = context.ledger.state.tables;
  if (!tokensHaveIds(context.ledger)) {
    const asset = assetsByName.get(value);
    return asset && recovered(context, asset);
  }
  const named = allAssets(context).filter(({ name }) => value !== '' && name === value);
  if (named.length > 1) throw notUnique();
  const byId = assets.get(value);
  if (byId !== undefined && named.length === 1 && named[0]?.id !== byId.id) throw notUnique();
  const asset = byId ?? named[0];
  return asset && recovered(context, asset);
}

/** All tokens of a name. */
export function getAssetIssueListByName(context: WalletContext, { value }: BytesMessage): AssetIssueList {
  if (value === '') return { assetIssue: [] };
  return listOf(
    context,
    allAssets(context).filter(({ name }) => name === value),
  );
}

/** All tokens, in the order of a store scan. */
export function getAssetIssueList(context: WalletContext, _request: EmptyMessage): AssetIssueList {
  return listOf(context, allAssets(context));
}

/** A page of all tokens by name. @returns undefined for an invalid or empty page */
export function getPaginatedAssetIssueList(
  context: WalletContext,
  { offset, limit }: PaginatedMessage,
): AssetIssueList | undefined {
  const assets = allAssets(context);
  if (offset < 0n || limit < 0n || offset >= BigInt(assets.length)) return undefined;
  const count = limit < MAX_ASSETS_PER_PAGE ? limit : MAX_ASSETS_PER_PAGE;
  const byName = assets
    .map((asset) => ({ asset, name: hexToUtf8(asset.name) }))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  const page = byName.slice(Number(offset), Number(offset + count));
  return page.length === 0
    ? undefined
    : listOf(
        context,
        page.map(({ asset }) => asset),
      );
}
