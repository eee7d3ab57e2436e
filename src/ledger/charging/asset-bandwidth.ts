/**
 * Bandwidth that a token's issuer grants for transfers, and its charge
 * (protocol/bandwidth.md#trc-10-transfers-paid-by-the-issuer). Mirrors BandwidthProcessor.useAssetAccountNet; the
 * conditions are in `resources/bandwidth.ts`.
 */

import { contractValidateException } from '../../errors/refusals.js';
import { type Hex, hexToBytes, hexToUtf8 } from '../../primitives/hex.js';
import type { Address } from '../../primitives/ids.js';
import type { AssetIssueContract, TransferAssetContract } from '../../protocol/generated/asset-issue-contract.js';
import type { Account } from '../../protocol/generated/tron.js';
import type { DayUsage, IssuerGrant, IssuerPayment } from '../../resources/bandwidth.js';
import { BANDWIDTH, withUsageWindow } from '../../resources/metered-account.js';
import { assetOf, putAsset, type TokenKey, tokensHaveIds } from '../accounts/assets.js';
import { existingAccount, putAccount } from '../accounts/coin.js';
import type { Ledger } from '../ledger.js';

function existingAsset(ledger: Ledger, token: TokenKey): AssetIssueContract {
  const asset = assetOf(ledger, token);
  if (asset === undefined) throw contractValidateException(`asset [${byteStringText(token)}] does not exist`);
  return asset;
}

/**
 * The grant for a transfer to an existing account. An issuer that sends its own token is treated like any holder:
 * java-tron compares object identities, which never match.
 *
 * @throws ContractValidateException if there is no such token: the bandwidth step notices first
 */
export function issuerGrant(ledger: Ledger, { asset_name: token, owner_address }: TransferAssetContract): IssuerGrant {
  const asset = existingAsset(ledger, token);
  return {
    issuer: existingAccount(ledger, asset.owner_address),
    holderLimit: asset.free_asset_net_limit,
    holderUsage: holderUsage(ledger, existingAccount(ledger, owner_address), token, asset.id),
    publicLimit: asset.public_free_asset_net_limit,
    publicUsage: { usage: asset.public_free_asset_net_usage, lastSlot: asset.public_latest_free_net_time },
  };
}

/** Charges the issuer for a transfer. @returns the issuer */
export function useGrant(
  ledger: Ledger,
  { asset_name: token, owner_address }: TransferAssetContract,
  payment: IssuerPayment,
): Address {
  const asset = existingAsset(ledger, token);
  const issuer = existingAccount(ledger, asset.owner_address);
  const sender = existingAccount(ledger, owner_address);
  putAsset(ledger, {
    ...asset,
    public_free_asset_net_usage: payment.publicUsage.usage,
    public_latest_free_net_time: payment.publicUsage.lastSlot,
  });
  putAccount(ledger, {
    ...withHolderUsage(ledger, sender, token, asset.id, payment.holderUsage),
    latest_opration_time: ledger.headTimeMs,
  });
  // Written last, from values read before: if the issuer is the sender, this overwrites the write above.
  putAccount(ledger, withUsageWindow(issuer, BANDWIDTH, payment.issuerWindow));
  return issuer.address;
}

function holderUsage(ledger: Ledger, account: Account, token: Hex, id: string): DayUsage {
  if (tokensHaveIds(ledger)) {
    return {
      usage: account.free_asset_net_usageV2.get(id) ?? 0n,
      lastSlot: account.latest_asset_operation_timeV2.get(id) ?? 0n,
    };
  }
  const name = hexToUtf8(token);
  return {
    usage: account.free_asset_net_usage.get(name) ?? 0n,
    lastSlot: account.latest_asset_operation_time.get(name) ?? 0n,
  };
}

function withHolderUsage(
  ledger: Ledger,
  account: Account,
  token: Hex,
  id: string,
  { usage, lastSlot }: DayUsage,
): Account {
  const byId = {
    ...account,
    free_asset_net_usageV2: new Map(account.free_asset_net_usageV2).set(id, usage),
    latest_asset_operation_timeV2: new Map(account.latest_asset_operation_timeV2).set(id, lastSlot),
  };
  if (tokensHaveIds(ledger)) return byId;
  const name = hexToUtf8(token);
  return {
    ...byId,
    free_asset_net_usage: new Map(account.free_asset_net_usage).set(name, usage),
    latest_asset_operation_time: new Map(account.latest_asset_operation_time).set(name, lastSlot),
  };
}

const ESCAPES: Readonly<Record<number, string>> = {
  7: '\\a',
  8: '\\b',
  9: '\\t',
  10: '\\n',
  11: '\\v',
  12: '\\f',
  13: '\\r',
  34: '\\"',
  39: "\\'",
  92: '\\\\',
};

function escaped(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) {
    if (byte >= 0x20 && byte <= 0x7e) text += ESCAPES[byte] ?? String.fromCharCode(byte);
    else text += ESCAPES[byte] ?? `\\${byte.toString(8).padStart(3, '0')}`;
  }
  return text;
}

/** protobuf-java's ByteString.toString. `*` replaces the memory address that it prints, which differs in every run. */
function byteStringText(hex: Hex): string {
  const bytes = hexToBytes(hex);
  const contents = bytes.length <= 50 ? escaped(bytes) : `${escaped(bytes.subarray(0, 47))}...`;
  return `<ByteString@* size=${bytes.length} contents="${contents}">`;
}
