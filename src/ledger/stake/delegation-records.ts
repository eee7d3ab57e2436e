/**
 * Delegations between two accounts: one record for Stake 1.0; for Stake 2.0 one unlocked and one locked
 * (protocol/storage-forms.md#stores, protocol/staking.md#expired-locks). Mirrors DelegatedResourceStore and its
 * capsule.
 */

import type { Hex } from '../../primitives/hex.js';
import type { Address, Sun } from '../../primitives/ids.js';
import { ResourceCode } from '../../protocol/generated/resource-code.js';
import { DelegatedResource } from '../../protocol/generated/tron.js';
import type { MeteredResource } from '../../resources/metered-account.js';
import type { Ledger } from '../ledger.js';

/** Keys of the `delegations` table: the two addresses, for stake 2.0 with java-tron's prefix for the kind of record. */
export const delegationKey = {
  v1: (from: Hex, to: Hex) => `${from}${to}`,
  unlocked: (from: Hex, to: Hex) => `01${from}${to}`,
  locked: (from: Hex, to: Hex) => `02${from}${to}`,
} as const;

export function recordAt(ledger: Ledger, key: string): DelegatedResource | undefined {
  return ledger.state.tables.delegations.get(key);
}

export function delegatedAmount(record: DelegatedResource | undefined, resource: MeteredResource): Sun {
  if (record === undefined) return 0n;
  return resource === ResourceCode.BANDWIDTH ? record.frozen_balance_for_bandwidth : record.frozen_balance_for_energy;
}

/** End of the lock of the amount, in ms; 0 if it was never locked. */
export function lockExpiryMs(record: DelegatedResource, resource: MeteredResource): bigint {
  return resource === ResourceCode.BANDWIDTH ? record.expire_time_for_bandwidth : record.expire_time_for_energy;
}

function withLent(
  record: DelegatedResource,
  resource: MeteredResource,
  amount: Sun,
  expiryMs: bigint,
): DelegatedResource {
  return resource === ResourceCode.BANDWIDTH
    ? { ...record, frozen_balance_for_bandwidth: amount, expire_time_for_bandwidth: expiryMs }
    : { ...record, frozen_balance_for_energy: amount, expire_time_for_energy: expiryMs };
}

export function isSettled(record: DelegatedResource): boolean {
  return record.frozen_balance_for_bandwidth === 0n && record.frozen_balance_for_energy === 0n;
}

/** Adds to the record at `key`, or creates it; `expiryMs` replaces the expiry of the whole amount. */
export function addToRecord(
  ledger: Ledger,
  key: string,
  { from, to }: { readonly from: Address; readonly to: Address },
  resource: MeteredResource,
  delta: Sun,
  expiryMs: bigint,
): DelegatedResource {
  const record = recordAt(ledger, key) ?? DelegatedResource.create({ from, to });
  const changed = withLent(record, resource, delegatedAmount(record, resource) + delta, expiryMs);
  ledger.state.tables.delegations.set(key, changed);
  return changed;
}

/** Clears a record's amount of `resource`; an empty record is deleted. */
export function settleRecord(ledger: Ledger, key: string, resource: MeteredResource): void {
  const record = recordAt(ledger, key);
  if (record === undefined) return;
  const settled = withLent(record, resource, 0n, 0n);
  if (isSettled(settled)) ledger.state.tables.delegations.delete(key);
  else ledger.state.tables.delegations.set(key, settled);
}

/**
 * Moves expired locks to the unlocked record. A resource that was never locked has expiry 0 and counts as expired: so
 * an unlocked record, perhaps an empty one, is created as soon as one of the two locks has expired
 * (protocol/staking.md#expired-locks).
 */
export function unlockExpired(ledger: Ledger, from: Address, to: Address): void {
  const lockedKey = delegationKey.locked(from, to);
  const locked = recordAt(ledger, lockedKey);
  if (locked === undefined) return;
  const now = ledger.headTimeMs;
  for (const resource of [ResourceCode.BANDWIDTH, ResourceCode.ENERGY]) {
    if (lockExpiryMs(locked, resource) >= now) continue;
    addToRecord(
      ledger,
      delegationKey.unlocked(from, to),
      { from, to },
      resource,
      delegatedAmount(locked, resource),
      0n,
    );
    settleRecord(ledger, lockedKey, resource);
  }
}
