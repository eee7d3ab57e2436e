import { OperationError } from '../../errors/operation-error.js';
import type { Address, Sun } from '../../primitives/ids.js';
import { MAX_LONG } from '../../primitives/java-math.js';
import { toBase58 } from '../../protocol/address.js';
import { AccountType } from '../../protocol/generated/tron.js';
import { stakeV2Of } from '../../resources/limits.js';
import { BANDWIDTH, ENERGY, type MeteredResource } from '../../resources/metered-account.js';
import { newAccount } from '../accounts/accounts.js';
import { putAccount } from '../accounts/coin.js';
import type { Ledger } from '../ledger.js';
import { type Delegation, delegate, undelegate } from '../stake/delegation.js';
import { addToRecord, delegatedAmount, delegationKey, recordAt, settleRecord } from '../stake/delegation-records.js';
import { acquiredV2 } from '../stake/stakes.js';

/** Delegations from one account to another, in sun. */
export interface DelegatedAmounts {
  readonly bandwidth: Sun;
  readonly energy: Sun;
}

const RESOURCES: readonly (readonly [keyof DelegatedAmounts, MeteredResource])[] = [
  ['bandwidth', BANDWIDTH],
  ['energy', ENERGY],
];

/**
 * Sets the delegation of Stake 2.0 from one account to another to exactly these amounts. A reduction returns its part of
 * the usage, as an undelegation by a transaction does.
 *
 * @param lent the amounts; the name is part of stored operations
 * @param lockUntilMs end of the lock of these amounts; undefined: no lock, and existing locks end
 * @returns all delegated amounts
 * @throws OperationError for more than the undelegated stake, and for delegations that the protocol forbids
 * @example setDelegation(ledger, { from, to, lent: { energy: 5_000_000n } })
 */
export function setDelegation(
  ledger: Ledger,
  {
    from,
    to,
    lent,
    lockUntilMs,
  }: {
    readonly from: Address;
    readonly to: Address;
    readonly lent: Partial<DelegatedAmounts>;
    readonly lockUntilMs?: bigint | undefined;
  },
): DelegatedAmounts {
  checkParties(ledger, from, to);
  if (lockUntilMs !== undefined && (lockUntilMs <= ledger.headTimeMs || lockUntilMs > MAX_LONG)) {
    throw new OperationError(`lockUntil must be after the head's time ${ledger.headTimeMs}, got ${lockUntilMs}`);
  }
  for (const [name, resource] of RESOURCES) {
    const amountSun = lent[name];
    if (amountSun === undefined) continue;
    if (amountSun < 0n) throw new OperationError(`${name} must be 0 sun or more, got ${amountSun}`);
    unlock(ledger, from, to, resource);
    const delta = amountSun - delegatedBetween(ledger, from, to, resource);
    const delegation = { from, to, resource, amountSun: delta };
    if (delta > 0n) increase(ledger, name, delegation);
    else if (delta < 0n) undelegate(ledger, { ...delegation, amountSun: -delta });
    if (lockUntilMs !== undefined && amountSun > 0n) lock(ledger, { ...delegation, amountSun }, lockUntilMs);
  }
  const [bandwidth, energy] = RESOURCES.map(([, resource]) => delegatedBetween(ledger, from, to, resource));
  return { bandwidth, energy } as DelegatedAmounts;
}

function checkParties(ledger: Ledger, from: Address, to: Address): void {
  if (!ledger.stakeV2On || !ledger.on('ALLOW_DELEGATE_RESOURCE')) {
    throw new OperationError(
      'this chain does not allow delegations (getUnfreezeDelayDays is 0 or getAllowDelegateResource is off)',
    );
  }
  if (from === to) throw new OperationError('an account cannot delegate to itself: from and to must differ');
  if (ledger.state.tables.accounts.get(to)?.type === AccountType.Contract) {
    throw new OperationError(`${toBase58(to)} is a contract: contracts cannot receive delegations`);
  }
}

function delegatedBetween(ledger: Ledger, from: Address, to: Address, resource: MeteredResource): Sun {
  const keys = [delegationKey.unlocked(from, to), delegationKey.locked(from, to)];
  return keys.reduce((sum, key) => sum + delegatedAmount(recordAt(ledger, key), resource), 0n);
}

function increase(ledger: Ledger, name: keyof DelegatedAmounts, delegation: Delegation): void {
  const { from, to, resource, amountSun } = delegation;
  const { accounts } = ledger.state.tables;
  const delegator = accounts.get(from);
  const freeSun = delegator === undefined ? 0n : stakeV2Of(delegator, resource);
  if (amountSun > freeSun) {
    throw new OperationError(
      `${name} is more than the stake: ${toBase58(from)} has ${freeSun} sun that are not delegated, and needs ${amountSun}`,
    );
  }
  const receiver = accounts.get(to) ?? newAccount(ledger, to);
  if (acquiredV2(receiver, resource) + amountSun > MAX_LONG) {
    throw new OperationError(`${toBase58(to)} would have more than ${MAX_LONG} sun delegated to it`);
  }
  putAccount(ledger, receiver);
  delegate(ledger, delegation, undefined);
}

/** Moves locked delegations to unlocked ones. */
function unlock(ledger: Ledger, from: Address, to: Address, resource: MeteredResource): void {
  const key = delegationKey.locked(from, to);
  const lockedSun = delegatedAmount(recordAt(ledger, key), resource);
  if (lockedSun === 0n) return;
  settleRecord(ledger, key, resource);
  addToRecord(ledger, delegationKey.unlocked(from, to), { from, to }, resource, lockedSun, 0n);
}

function lock(ledger: Ledger, { from, to, resource, amountSun }: Delegation, untilMs: bigint): void {
  settleRecord(ledger, delegationKey.unlocked(from, to), resource);
  addToRecord(ledger, delegationKey.locked(from, to), { from, to }, resource, amountSun, untilMs);
}
