/**
 * Delegation of Stake 2.0: the delegatable amount, delegation with or without a lock, undelegation with its part of
 * the usage (protocol/contract-types.md#staking-20 types 57 and 58, protocol/staking.md#delegate,
 * #staking-from-inside-a-contract). Mirrors the effects of DelegateResourceActuator and UnDelegateResourceActuator,
 * and with `inContract` those of the opcodes. Does not own validation, the records (`delegation-records.ts`) or the
 * index (`delegation-index.ts`).
 */

import type { Address, Sun } from '../../primitives/ids.js';
import { addExact } from '../../primitives/java-math.js';
import type { Account } from '../../protocol/generated/tron.js';
import {
  availableToDelegate,
  DEFAULT_LOCK_MS,
  delegationBytesEstimate,
  usageToReturn,
} from '../../resources/delegation.js';
import { stakeOf, stakeV2Of } from '../../resources/limits.js';
import { BANDWIDTH, type MeteredResource, usageWindow, withUsageWindow } from '../../resources/metered-account.js';
import { increase, mergeReturnedUsage } from '../../resources/recovery.js';
import { resourceTotals } from '../../resources/rules.js';
import { withStakeV2 } from '../../resources/staking.js';
import { existingAccount, putAccount } from '../accounts/coin.js';
import type { Ledger } from '../ledger.js';
import { indexDelegation, unindexDelegation } from './delegation-index.js';
import { addToRecord, delegationKey, isSettled, recordAt, unlockExpired } from './delegation-records.js';
import { acquiredV2, addDelegatedV2, withAcquiredV2 } from './stakes.js';
import { rulesOf } from './staking.js';

/** The longest possible lock, in slots; undefined while a lock always takes three days. */
export function maxLockPeriodSlots(ledger: Ledger): bigint | undefined {
  const max = ledger.long('MAX_DELEGATE_LOCK_PERIOD');
  return ledger.stakeV2On && max > ledger.slotsIn(DEFAULT_LOCK_MS) ? max : undefined;
}

/** The lock for a requested number of slots: 0 requests the default; before 4.7.2 the request is ignored. */
export function lockPeriodSlots(ledger: Ledger, requestedSlots: bigint): bigint {
  if (maxLockPeriodSlots(ledger) === undefined || requestedSlots === 0n) return ledger.slotsIn(DEFAULT_LOCK_MS);
  return requestedSlots;
}

/**
 * Own stake for `resource` that can be delegated, in sun; may be negative.
 *
 * @param beforeSigning for a node that builds the transaction: its own bytes are estimated. In a block they are
 * already in the usage.
 */
export function delegatableSun(
  ledger: Ledger,
  account: Account,
  resource: MeteredResource,
  beforeSigning: boolean,
): Sun {
  const rules = rulesOf(ledger);
  let { usage } = increase(usageWindow(account, resource), 0n, ledger.headSlot, rules);
  if (beforeSigning && resource === BANDWIDTH) {
    usage += delegationBytesEstimate(stakeV2Of(account, resource), maxLockPeriodSlots(ledger));
  }
  const totals = resourceTotals((name) => ledger.long(name));
  return availableToDelegate(account, resource, usage, totals, rules);
}

export interface Delegation {
  readonly from: Address;
  readonly to: Address;
  readonly resource: MeteredResource;
  readonly amountSun: Sun;
}

interface Origin {
  /**
   * By an opcode: locks are ignored, and one formula has another order of operations
   * (protocol/staking.md#staking-from-inside-a-contract).
   */
  readonly inContract?: boolean;
}

/**
 * Delegates. The end of the lock applies to everything that the pair has locked for the resource.
 *
 * @param lockSlots undefined: no lock
 */
export function delegate(
  ledger: Ledger,
  { from, to, resource, amountSun }: Delegation,
  lockSlots: bigint | undefined,
  { inContract = false }: Origin = {},
): void {
  if (!inContract) unlockExpired(ledger, from, to);
  const key = lockSlots === undefined ? delegationKey.unlocked(from, to) : delegationKey.locked(from, to);
  const expiryMs = lockSlots === undefined ? 0n : ledger.headTimeMs + lockSlots * ledger.config.slotMs;
  addToRecord(ledger, key, { from, to }, resource, amountSun, expiryMs);
  indexDelegation(ledger, 2, from, to);

  const receiver = existingAccount(ledger, to);
  putAccount(ledger, withAcquiredV2(receiver, resource, addExact(acquiredV2(receiver, resource), amountSun)));
  const owner = addDelegatedV2(existingAccount(ledger, from), resource, amountSun);
  putAccount(ledger, { ...owner, frozenV2: withStakeV2(owner.frozenV2, resource, -amountSun) });
}

/** Undelegates an unlocked amount, with its part of the receiver's usage. */
export function undelegate(ledger: Ledger, delegation: Delegation, { inContract = false }: Origin = {}): void {
  const { from, to, resource, amountSun } = delegation;
  const returned = takeFromReceiver(ledger, delegation, inContract);
  if (!inContract) unlockExpired(ledger, from, to);

  const unlockedKey = delegationKey.unlocked(from, to);
  const settled = isSettled(addToRecord(ledger, unlockedKey, { from, to }, resource, -amountSun, 0n));
  // The opcode leaves an empty record, and ignores a locked one when it removes the pair from the index.
  if (settled && !inContract) ledger.state.tables.delegations.delete(unlockedKey);
  if (settled && (inContract || recordAt(ledger, delegationKey.locked(from, to)) === undefined)) {
    unindexDelegation(ledger, 2, from, to);
  }

  let owner = addDelegatedV2(existingAccount(ledger, from), resource, -amountSun);
  owner = { ...owner, frozenV2: withStakeV2(owner.frozenV2, resource, amountSun) };
  putAccount(ledger, withReturnedUsage(ledger, owner, resource, returned));
}

interface ReturnedUsage {
  readonly usage: bigint;
  readonly receiver: Account;
}

/** Brings the receiver's usage to the present and removes stake and usage. The receiver may have been deleted. */
function takeFromReceiver(
  ledger: Ledger,
  { to, resource, amountSun }: Delegation,
  inContract: boolean,
): ReturnedUsage | undefined {
  const receiver = ledger.state.tables.accounts.get(to);
  if (receiver === undefined) return undefined;
  const slot = ledger.headSlot;
  const rules = rulesOf(ledger);
  const window = increase(usageWindow(receiver, resource), 0n, slot, rules);
  const receiverAcquiredSun = acquiredV2(receiver, resource);
  const usage = usageToReturn(
    {
      resource,
      amountSun,
      receiverUsage: window.usage,
      receiverStakeSun: stakeOf(receiver, resource),
      receiverAcquiredSun,
      inContract,
    },
    resourceTotals((name) => ledger.long(name)),
    rules,
  );
  const left = { ...window, usage: window.usage - usage, lastSlot: slot };
  const borrowedSun = receiverAcquiredSun < amountSun ? 0n : receiverAcquiredSun - amountSun;
  const changed = withAcquiredV2(withUsageWindow(receiver, resource, left), resource, borrowedSun);
  putAccount(ledger, changed);
  return { usage, receiver: changed };
}

function withReturnedUsage(
  ledger: Ledger,
  owner: Account,
  resource: MeteredResource,
  returned: ReturnedUsage | undefined,
): Account {
  if (returned === undefined || returned.usage <= 0n) return owner;
  const merged = mergeReturnedUsage(
    usageWindow(owner, resource),
    usageWindow(returned.receiver, resource),
    returned.usage,
    ledger.headSlot,
    rulesOf(ledger),
  );
  return withUsageWindow(owner, resource, merged);
}
