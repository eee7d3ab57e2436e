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
import { addToRecord, delegationKey, lentAmount, recordAt, settleRecord } from '../stake/delegation-records.js';
import { borrowedV2 } from '../stake/stakes.js';

/** What one account has lent another, in sun. */
export interface Lent {
  readonly bandwidth: Sun;
  readonly energy: Sun;
}

const RESOURCES: readonly (readonly [keyof Lent, MeteredResource])[] = [
  ['bandwidth', BANDWIDTH],
  ['energy', ENERGY],
];

/**
 * Makes one account lend another so much of its stake 2.0, no more and no less. What comes back brings the part of the
 * usage that belongs to it, as when it is taken back by a transaction.
 *
 * @param lockUntilMs until when the named amounts cannot be taken back; undefined: they can, also if they were locked
 * @returns what is lent then
 * @throws OperationError for more than is staked and not lent to others, and for what nobody may lend
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
    readonly lent: Partial<Lent>;
    readonly lockUntilMs?: bigint | undefined;
  },
): Lent {
  checkParties(ledger, from, to);
  if (lockUntilMs !== undefined && (lockUntilMs <= ledger.headTimeMs || lockUntilMs > MAX_LONG)) {
    throw new OperationError(`lockUntil has to lie after the head's time ${ledger.headTimeMs}, and is ${lockUntilMs}`);
  }
  for (const [name, resource] of RESOURCES) {
    const amountSun = lent[name];
    if (amountSun === undefined) continue;
    if (amountSun < 0n) throw new OperationError(`${name} must be 0 sun or more, got ${amountSun}`);
    unlock(ledger, from, to, resource);
    const delta = amountSun - lentBetween(ledger, from, to, resource);
    const delegation = { from, to, resource, amountSun: delta };
    if (delta > 0n) lend(ledger, name, delegation);
    else if (delta < 0n) undelegate(ledger, { ...delegation, amountSun: -delta });
    if (lockUntilMs !== undefined && amountSun > 0n) lock(ledger, { ...delegation, amountSun }, lockUntilMs);
  }
  const [bandwidth, energy] = RESOURCES.map(([, resource]) => lentBetween(ledger, from, to, resource));
  return { bandwidth, energy } as Lent;
}

function checkParties(ledger: Ledger, from: Address, to: Address): void {
  if (!ledger.stakeV2On || !ledger.on('ALLOW_DELEGATE_RESOURCE')) {
    throw new OperationError(
      'nothing can be lent on this chain (getUnfreezeDelayDays is 0 or getAllowDelegateResource is off)',
    );
  }
  if (from === to) throw new OperationError('an account cannot lend to itself: the two addresses have to differ');
  if (ledger.state.tables.accounts.get(to)?.type === AccountType.Contract) {
    throw new OperationError(`${toBase58(to)} is a contract, to which nobody can lend`);
  }
}

function lentBetween(ledger: Ledger, from: Address, to: Address, resource: MeteredResource): Sun {
  const keys = [delegationKey.unlocked(from, to), delegationKey.locked(from, to)];
  return keys.reduce((sum, key) => sum + lentAmount(recordAt(ledger, key), resource), 0n);
}

function lend(ledger: Ledger, name: keyof Lent, delegation: Delegation): void {
  const { from, to, resource, amountSun } = delegation;
  const { accounts } = ledger.state.tables;
  const lender = accounts.get(from);
  const freeSun = lender === undefined ? 0n : stakeV2Of(lender, resource);
  if (amountSun > freeSun) {
    throw new OperationError(
      `${name} must be at most what is staked: ${toBase58(from)} has ${freeSun} sun of it that are not lent, and would need ${amountSun}`,
    );
  }
  const receiver = accounts.get(to) ?? newAccount(ledger, to);
  if (borrowedV2(receiver, resource) + amountSun > MAX_LONG) {
    throw new OperationError(`${toBase58(to)} would be lent more than ${MAX_LONG} sun`);
  }
  putAccount(ledger, receiver);
  delegate(ledger, delegation, undefined);
}

/** Makes what is locked part of what can be taken back. */
function unlock(ledger: Ledger, from: Address, to: Address, resource: MeteredResource): void {
  const key = delegationKey.locked(from, to);
  const lockedSun = lentAmount(recordAt(ledger, key), resource);
  if (lockedSun === 0n) return;
  settleRecord(ledger, key, resource);
  addToRecord(ledger, delegationKey.unlocked(from, to), { from, to }, resource, lockedSun, 0n);
}

function lock(ledger: Ledger, { from, to, resource, amountSun }: Delegation, untilMs: bigint): void {
  settleRecord(ledger, delegationKey.unlocked(from, to), resource);
  addToRecord(ledger, delegationKey.locked(from, to), { from, to }, resource, amountSun, untilMs);
}
