/**
 * What accounts can use and have lent: answers about bandwidth, Energy, delegations and unfreezes (http-api.md 5.13 to
 * 5.15, fees-and-resources.md 9.12). Mirrors the resource queries of java-tron's Wallet.
 */

import { assetOf } from '../ledger/assets.js';
import { lendableSun } from '../ledger/delegation.js';
import { type PartnerSide, partnersKey, partnersOf, type StakeVersion } from '../ledger/delegation-index.js';
import { delegationKey, isSettled, recordAt } from '../ledger/delegation-records.js';
import type { Ledger } from '../ledger/ledger.js';
import { isDelegable } from '../ledger/stakes.js';
import { rulesOf } from '../ledger/staking.js';
import { byteLength, type Hex, hexToBytes, utf8ToHex } from '../primitives/hex.js';
import type { Address } from '../primitives/ids.js';
import { javaBytesHash, javaMapOrder, javaMapOrderOfHashes } from '../protocol/json/java-map-order.js';
import {
  type AccountNetMessage,
  AccountResourceMessage,
  type BytesMessage,
  type CanDelegatedMaxSizeRequestMessage,
  type CanDelegatedMaxSizeResponseMessage,
  type CanWithdrawUnfreezeAmountRequestMessage,
  type CanWithdrawUnfreezeAmountResponseMessage,
  type DelegatedResourceList,
  type DelegatedResourceMessage,
  type GetAvailableUnfreezeCountRequestMessage,
  type GetAvailableUnfreezeCountResponseMessage,
} from '../protocol/messages/api.js';
import { type Account, DelegatedResourceAccountIndex } from '../protocol/messages/tron.js';
import { bandwidthLimit, energyLimit, SUN_PER_COIN } from '../resources/limits.js';
import { energyRecord } from '../resources/metered-account.js';
import { resourceTotals } from '../resources/rules.js';
import { dueUnfreezes, MAX_PENDING_UNFREEZES } from '../resources/staking.js';
import { allTronPower } from '../resources/tron-power.js';
import type { DelegationPartner } from '../state/tables.js';
import { recoveredAccount } from './accounts.js';
import type { WalletContext } from './context.js';

const ADDRESS_BYTES = 21;

/** What the holder of each token may use per day of its issuer's bandwidth, in the order of a Java map. */
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

function foundAccount(ledger: Ledger, address: string): Account | undefined {
  const account = ledger.state.tables.accounts.get(address as Address);
  return account && recoveredAccount(ledger, account);
}

/** `/wallet/getaccountnet`. @returns undefined for an unknown address */
export function getAccountNet({ ledger }: WalletContext, { address }: Account): AccountNetMessage | undefined {
  const account = foundAccount(ledger, address);
  return account && bandwidthOf(ledger, account);
}

/** `/wallet/getaccountresource`. @returns undefined for an unknown address */
export function getAccountResource(
  { ledger }: WalletContext,
  { address }: Account,
): AccountResourceMessage | undefined {
  const account = foundAccount(ledger, address);
  if (account === undefined) return undefined;
  const totals = resourceTotals((name) => ledger.long(name));
  return {
    ...AccountResourceMessage.empty,
    ...bandwidthOf(ledger, account),
    TotalTronPowerWeight: ledger.long('TOTAL_TRON_POWER_WEIGHT'),
    tronPowerUsed: account.votes.reduce((sum, { vote_count }) => sum + vote_count, 0n),
    tronPowerLimit: allTronPower(account) / SUN_PER_COIN,
    EnergyUsed: energyRecord(account).energy_usage,
    EnergyLimit: energyLimit(account, totals, rulesOf(ledger)),
    TotalEnergyLimit: totals.energyLimit,
    TotalEnergyWeight: totals.energyWeight,
  };
}

function delegationsAt(ledger: Ledger, keys: readonly string[]): DelegatedResourceList {
  const records = keys.map((key) => recordAt(ledger, key));
  return { delegatedResource: records.filter((record) => record !== undefined) };
}

/** `/wallet/getdelegatedresource`: what one account has lent another under stake 1.0. */
export function getDelegatedResource(
  { ledger }: WalletContext,
  request: DelegatedResourceMessage,
): DelegatedResourceList {
  return delegationsAt(ledger, [delegationKey.v1(request.fromAddress as Address, request.toAddress as Address)]);
}

/**
 * `/wallet/getdelegatedresourcev2`: the unlocked record, then the locked one, where there is anything in them. A lock
 * that has ended shows as locked until the pair delegates or takes back again.
 */
export function getDelegatedResourceV2(
  { ledger }: WalletContext,
  request: DelegatedResourceMessage,
): DelegatedResourceList {
  const from = request.fromAddress as Address;
  const to = request.toAddress as Address;
  const { delegatedResource } = delegationsAt(ledger, [
    delegationKey.unlocked(from, to),
    delegationKey.locked(from, to),
  ]);
  return {
    delegatedResource: delegatedResource.filter(
      (record) => !isSettled(record) || record.expire_time_for_bandwidth !== 0n || record.expire_time_for_energy !== 0n,
    ),
  };
}

/**
 * Partners by the time of the last delegation; those of the same block come as a Java HashMap over java-tron's keys of
 * the pairs gives them (ledger.md 8.2).
 */
function orderedPartners(
  ledger: Ledger,
  version: StakeVersion,
  side: PartnerSide,
  address: Address,
): readonly Address[] {
  const key = partnersKey(version, side, address);
  const partners = [...partnersOf(ledger, version, side, address)].sort((a, b) => (a.address < b.address ? -1 : 1));
  const hashes = partners.map((partner) => javaBytesHash(hexToBytes(key + partner.address)));
  return javaMapOrderOfHashes(hashes)
    .map((at) => partners[at] as DelegationPartner)
    .sort((a, b) => Number(a.timestampMs - b.timestampMs))
    .map((partner) => partner.address);
}

function delegationIndex(
  ledger: Ledger,
  version: StakeVersion,
  account: Hex,
): DelegatedResourceAccountIndex | undefined {
  if (byteLength(account) !== ADDRESS_BYTES) return undefined;
  return DelegatedResourceAccountIndex.create({
    account,
    fromAccounts: orderedPartners(ledger, version, 'from', account as Address),
    toAccounts: orderedPartners(ledger, version, 'to', account as Address),
  });
}

/** `/wallet/getdelegatedresourceaccountindex`, of stake 1.0. @returns undefined when the value is not 21 bytes */
export function getDelegatedResourceAccountIndex(
  { ledger }: WalletContext,
  { value }: BytesMessage,
): DelegatedResourceAccountIndex | undefined {
  return ledger.state.tables.delegationLists.get(value) ?? delegationIndex(ledger, 1, value);
}

/** `/wallet/getdelegatedresourceaccountindexv2`. @returns undefined when the value is not 21 bytes */
export function getDelegatedResourceAccountIndexV2(
  { ledger }: WalletContext,
  { value }: BytesMessage,
): DelegatedResourceAccountIndex | undefined {
  return delegationIndex(ledger, 2, value);
}

/** `/wallet/getcandelegatedmaxsize`: stake that can be lent, less the bandwidth of doing so; less than a coin is 0. */
export function getCanDelegatedMaxSize(
  { ledger }: WalletContext,
  { type, owner_address }: CanDelegatedMaxSizeRequestMessage,
): CanDelegatedMaxSizeResponseMessage {
  const account = ledger.state.tables.accounts.get(owner_address as Address);
  if (account === undefined || !isDelegable(type)) return { max_size: 0n };
  const max_size = lendableSun(ledger, account, type, true);
  return { max_size: max_size < SUN_PER_COIN ? 0n : max_size };
}

/** `/wallet/getavailableunfreezecount`: how many more unfreezes can be on their way. 0 for an unknown account. */
export function getAvailableUnfreezeCount(
  { ledger }: WalletContext,
  { owner_address }: GetAvailableUnfreezeCountRequestMessage,
): GetAvailableUnfreezeCountResponseMessage {
  const account = ledger.state.tables.accounts.get(owner_address as Address);
  if (account === undefined) return { count: 0n };
  return { count: BigInt(MAX_PENDING_UNFREEZES - dueUnfreezes(account.unfrozenV2, ledger.headTimeMs).waiting.length) };
}

/** `/wallet/getcanwithdrawunfreezeamount`: what can be taken out at `timestamp` ms; 0 asks about the head's time. */
export function getCanWithdrawUnfreezeAmount(
  { ledger }: WalletContext,
  { owner_address, timestamp }: CanWithdrawUnfreezeAmountRequestMessage,
): CanWithdrawUnfreezeAmountResponseMessage {
  const account = ledger.state.tables.accounts.get(owner_address as Address);
  if (account === undefined || timestamp < 0n) return { amount: 0n };
  return { amount: dueUnfreezes(account.unfrozenV2, timestamp === 0n ? ledger.headTimeMs : timestamp).dueSun };
}
