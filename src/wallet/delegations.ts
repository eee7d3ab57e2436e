/**
 * Delegated and acquired stake, delegatable stake, and unstakings: the queries of staking
 * (protocol/http-endpoints.md#stake-20-queries-and-builders, protocol/staking.md#queries). Mirrors the delegation and
 * unfreeze queries of java-tron's Wallet.
 */

import { accountAt } from '../ledger/accounts/accounts.js';
import type { Ledger } from '../ledger/ledger.js';
import { delegatableSun } from '../ledger/stake/delegation.js';
import { type PartnerSide, partnersKey, partnersOf, type StakeVersion } from '../ledger/stake/delegation-index.js';
import { delegationKey, isSettled, recordAt } from '../ledger/stake/delegation-records.js';
import { isDelegable } from '../ledger/stake/stakes.js';
import { byteLength, type Hex } from '../primitives/hex.js';
import type { Address } from '../primitives/ids.js';
import type {
  BytesMessage,
  CanDelegatedMaxSizeRequestMessage,
  CanDelegatedMaxSizeResponseMessage,
  CanWithdrawUnfreezeAmountRequestMessage,
  CanWithdrawUnfreezeAmountResponseMessage,
  DelegatedResourceList,
  DelegatedResourceMessage,
  GetAvailableUnfreezeCountRequestMessage,
  GetAvailableUnfreezeCountResponseMessage,
} from '../protocol/generated/api.js';
import { DelegatedResourceAccountIndex } from '../protocol/generated/tron.js';
import { javaMapOrderOfHashes } from '../protocol/json/java-map-order.js';
import type { Sent } from '../protocol/message-type.js';
import { SUN_PER_TRX } from '../resources/limits.js';
import { dueUnfreezes, MAX_PENDING_UNFREEZES } from '../resources/staking.js';
import type { WalletContext } from './context.js';
import { inScanOrder, pairKeyHash } from './delegation-scan.js';

const ADDRESS_BYTES = 21;

function delegationsAt(ledger: Ledger, keys: readonly string[]): DelegatedResourceList {
  const records = keys.map((key) => recordAt(ledger, key));
  return { delegatedResource: records.filter((record) => record !== undefined) };
}

/** `/wallet/getdelegatedresource`: the delegation of one account to another under Stake 1.0. */
export function getDelegatedResource(
  { ledger }: WalletContext,
  request: DelegatedResourceMessage,
): DelegatedResourceList {
  return delegationsAt(ledger, [delegationKey.v1(request.fromAddress, request.toAddress)]);
}

/**
 * `/wallet/getdelegatedresourcev2`: the unlocked record, then the locked one, unless empty. An expired lock is shown
 * as locked until the pair's next delegation or undelegation.
 */
export function getDelegatedResourceV2(
  { ledger }: WalletContext,
  request: DelegatedResourceMessage,
): DelegatedResourceList {
  const from = request.fromAddress;
  const to = request.toAddress;
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
 * Partners by the time of the last delegation; those of one block in the order of a Java HashMap over java-tron's
 * keys, within buckets in scan order (protocol/storage-forms.md#stores).
 */
function orderedPartners(
  context: WalletContext,
  version: StakeVersion,
  side: PartnerSide,
  address: Hex,
): readonly Address[] {
  const row = partnersKey(version, side, address);
  const pairs = partnersOf(context.ledger, version, side, address).map((partner) => ({
    ...partner,
    key: row + partner.address,
  }));
  const found = inScanOrder(context, pairs);
  return javaMapOrderOfHashes(found.map(({ key }) => pairKeyHash(key)))
    .map((at) => found[at] as (typeof found)[number])
    .sort((a, b) => Number(a.timestampMs - b.timestampMs))
    .map((pair) => pair.address);
}

function delegationIndex(
  context: WalletContext,
  version: StakeVersion,
  account: Hex,
): Sent<DelegatedResourceAccountIndex> | undefined {
  if (byteLength(account) !== ADDRESS_BYTES) return undefined;
  return DelegatedResourceAccountIndex.create({
    account,
    fromAccounts: orderedPartners(context, version, 'from', account),
    toAccounts: orderedPartners(context, version, 'to', account),
  });
}

/** `/wallet/getdelegatedresourceaccountindex`, of Stake 1.0. @returns undefined if the value is not 21 bytes */
export function getDelegatedResourceAccountIndex(
  context: WalletContext,
  { value }: BytesMessage,
): Sent<DelegatedResourceAccountIndex> | undefined {
  return context.ledger.state.tables.delegationLists.get(value) ?? delegationIndex(context, 1, value);
}

/** `/wallet/getdelegatedresourceaccountindexv2`. @returns undefined if the value is not 21 bytes */
export function getDelegatedResourceAccountIndexV2(
  context: WalletContext,
  { value }: BytesMessage,
): Sent<DelegatedResourceAccountIndex> | undefined {
  return delegationIndex(context, 2, value);
}

/** `/wallet/getcandelegatedmaxsize`: delegatable stake minus the bandwidth of the delegation; 0 if less than 1 TRX. */
export function getCanDelegatedMaxSize(
  { ledger }: WalletContext,
  { type, owner_address }: CanDelegatedMaxSizeRequestMessage,
): CanDelegatedMaxSizeResponseMessage {
  const account = accountAt(ledger, owner_address);
  if (account === undefined || !isDelegable(type)) return { max_size: 0n };
  const max_size = delegatableSun(ledger, account, type, true);
  return { max_size: max_size < SUN_PER_TRX ? 0n : max_size };
}

/** `/wallet/getavailableunfreezecount`: number of further unstakings. 0 for an unknown account. */
export function getAvailableUnfreezeCount(
  { ledger }: WalletContext,
  { owner_address }: GetAvailableUnfreezeCountRequestMessage,
): GetAvailableUnfreezeCountResponseMessage {
  const account = accountAt(ledger, owner_address);
  if (account === undefined) return { count: 0n };
  return { count: BigInt(MAX_PENDING_UNFREEZES - dueUnfreezes(account.unfrozenV2, ledger.headTimeMs).waiting.length) };
}

/**
 * `/wallet/getcanwithdrawunfreezeamount`: the amount that can be withdrawn at `timestamp` ms; 0 means the head's time.
 */
export function getCanWithdrawUnfreezeAmount(
  { ledger }: WalletContext,
  { owner_address, timestamp }: CanWithdrawUnfreezeAmountRequestMessage,
): CanWithdrawUnfreezeAmountResponseMessage {
  const account = accountAt(ledger, owner_address);
  if (account === undefined || timestamp < 0n) return { amount: 0n };
  return { amount: dueUnfreezes(account.unfrozenV2, timestamp === 0n ? ledger.headTimeMs : timestamp).dueSun };
}
