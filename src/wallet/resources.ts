/**
 * Available resources of accounts: answers about Bandwidth, Energy and TRON Power
 * (protocol/http-endpoints.md#getaccountresource, #getaccountnet). Mirrors Wallet.getAccountNet and
 * Wallet.getAccountResource. Delegations and unstakings are in `delegations.ts`.
 */

import { accountAt } from '../ledger/accounts/accounts.js';
import { assetOf } from '../ledger/accounts/assets.js';
import type { Ledger } from '../ledger/ledger.js';
import { rulesOf } from '../ledger/stake/staking.js';
import { utf8ToHex } from '../primitives/hex.js';
import { type AccountNetMessage, AccountResourceMessage } from '../protocol/generated/api.js';
import type { Account } from '../protocol/generated/tron.js';
import { javaMapOrder } from '../protocol/json/java-map-order.js';
import type { Sent } from '../protocol/message-type.js';
import { bandwidthLimit, energyLimit, SUN_PER_TRX } from '../resources/limits.js';
import { energyRecord } from '../resources/metered-account.js';
import { resourceTotals } from '../resources/rules.js';
import { allTronPower } from '../resources/tron-power.js';
import { recoveredAccount } from './accounts.js';
import { asStored } from './asset-store.js';
import type { WalletContext } from './context.js';

/** Daily bandwidth of each token's issuer for its holders, in the order of a Java map. */
function tokenBandwidthLimits(ledger: Ledger, tokens: readonly string[]): ReadonlyMap<string, bigint> {
  const limits = new Map<string, bigint>();
  for (const at of javaMapOrder(tokens)) {
    const token = tokens[at] as string;
    limits.set(token, assetOf(ledger, utf8ToHex(token))?.free_asset_net_limit ?? 0n);
  }
  return limits;
}

/** The part that `getaccountnet` and `getaccountresource` share. */
function bandwidthOf(ledger: Ledger, account: Account): AccountNetMessage {
  const totals = resourceTotals((name) => ledger.long(name));
  const assetNetUsed = ledger.on('ALLOW_SAME_TOKEN_NAME')
    ? account.free_asset_net_usageV2
    : account.free_asset_net_usage;
  return {
    freeNetUsed: account.free_net_usage,
    freeNetLimit: ledger.long('FREE_NET_LIMIT'),
    NetUsed: account.net_usage,
    NetLimit: bandwidthLimit(account, totals, rulesOf(ledger)),
    assetNetUsed,
    assetNetLimit: tokenBandwidthLimits(ledger, [...assetNetUsed.keys()]),
    TotalNetLimit: totals.netLimit,
    TotalNetWeight: totals.netWeight,
  };
}

function foundAccount(context: WalletContext, address: string): Account | undefined {
  const account = accountAt(context.ledger, address);
  return account && recoveredAccount(context.ledger, asStored(context, account));
}

/** `/wallet/getaccountnet`. @returns undefined for an unknown address */
export function getAccountNet(context: WalletContext, { address }: Sent<Account>): AccountNetMessage | undefined {
  const account = foundAccount(context, address);
  return account && bandwidthOf(context.ledger, account);
}

/** `/wallet/getaccountresource`. @returns undefined for an unknown address */
export function getAccountResource(
  context: WalletContext,
  { address }: Sent<Account>,
): AccountResourceMessage | undefined {
  const { ledger } = context;
  const account = foundAccount(context, address);
  if (account === undefined) return undefined;
  const totals = resourceTotals((name) => ledger.long(name));
  return {
    ...AccountResourceMessage.empty,
    ...bandwidthOf(ledger, account),
    TotalTronPowerWeight: ledger.long('TOTAL_TRON_POWER_WEIGHT'),
    tronPowerUsed: account.votes.reduce((sum, { vote_count }) => sum + vote_count, 0n),
    tronPowerLimit: allTronPower(account) / SUN_PER_TRX,
    EnergyUsed: energyRecord(account).energy_usage,
    EnergyLimit: energyLimit(account, totals, rulesOf(ledger)),
    TotalEnergyLimit: totals.energyLimit,
    TotalEnergyWeight: totals.energyWeight,
  };
}
