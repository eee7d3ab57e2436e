/**
 * Stake 1.0, before UNFREEZE_DELAY_DAYS: stake locked for three days, own or delegated
 * (protocol/contract-types.md#staking-10, protocol/staking.md#freeze-stake-10, #unfreeze-stake-10). Old stakes can
 * still be withdrawn after the switch. Mirrors the effects of FreezeBalanceActuator and UnfreezeBalanceActuator. Does
 * not own validation.
 */

import type { Address, Sun } from '../../primitives/ids.js';
import { addExact } from '../../primitives/java-math.js';
import type { ResourceCode } from '../../protocol/generated/resource-code.js';
import { type Account, type Account_Frozen, AccountType } from '../../protocol/generated/tron.js';
import { SUN_PER_TRX } from '../../resources/limits.js';
import type { MeteredResource } from '../../resources/metered-account.js';
import { weightDelta } from '../../resources/staking.js';
import { existingAccount, putAccount } from '../accounts/coin.js';
import type { Ledger } from '../ledger.js';
import { settleReward } from '../voting/voter-rewards.js';
import { changeVotes } from '../voting/votes.js';
import { indexDelegation, unindexDelegation } from './delegation-index.js';
import { addToRecord, delegatedAmount, delegationKey, recordAt, settleRecord } from './delegation-records.js';
import { acquiredV1, addDelegatedV1, stakesV1, withAcquiredV1, withStakesV1 } from './stakes.js';
import { addWeight, votesRestElsewhere, withOldTronPower, withoutOldTronPower } from './staking.js';

const MS_PER_DAY = 86_400_000n;

export interface FreezeV1 {
  readonly owner: Address;
  readonly amountSun: Sun;
  readonly durationDays: bigint;
  readonly resource: ResourceCode;
  /** The receiver of the resource; not for TRON_POWER. */
  readonly receiver: Address | undefined;
}

function sumOf(stakes: readonly Account_Frozen[]): Sun {
  return stakes.reduce((sum, { frozen_balance }) => sum + frozen_balance, 0n);
}

/** Without the new reward rules each operation counts its own whole TRX; with them the account's whole TRX count. */
function addWeightOfChange(ledger: Ledger, resource: ResourceCode, amountSun: Sun, coinsOfAccount: bigint): void {
  addWeight(ledger, resource, ledger.on('ALLOW_NEW_REWARD') ? coinsOfAccount : amountSun / SUN_PER_TRX);
}

/** Locks TRX; an earlier stake for the same resource is locked again with it. */
export function freezeV1(ledger: Ledger, { owner, amountSun, durationDays, resource, receiver }: FreezeV1): void {
  const expiryMs = ledger.headTimeMs + durationDays * MS_PER_DAY;
  let account = withOldTronPower(ledger, existingAccount(ledger, owner));
  account = { ...account, balance: account.balance - amountSun };
  let coins: bigint;
  if (receiver === undefined) {
    const before = sumOf(stakesV1(account, resource));
    const stake = { frozen_balance: addExact(before, amountSun), expire_time: expiryMs };
    account = withStakesV1(account, resource, [stake]);
    coins = weightDelta(before, before + amountSun);
  } else {
    const delegable = resource as MeteredResource;
    coins = delegateV1(ledger, owner, receiver, delegable, amountSun, expiryMs);
    account = addDelegatedV1(account, delegable, amountSun);
  }
  putAccount(ledger, account);
  addWeightOfChange(ledger, resource, amountSun, coins);
}

/** @returns the increase of the receiver's acquired stake, in whole TRX */
function delegateV1(
  ledger: Ledger,
  from: Address,
  to: Address,
  resource: MeteredResource,
  amountSun: Sun,
  expiryMs: bigint,
): bigint {
  addToRecord(ledger, delegationKey.v1(from, to), { from, to }, resource, amountSun, expiryMs);
  indexDelegation(ledger, 1, from, to);
  const receiver = existingAccount(ledger, to);
  const before = acquiredV1(receiver, resource);
  putAccount(ledger, withAcquiredV1(receiver, resource, before + amountSun));
  return weightDelta(before, before + amountSun);
}

/**
 * Withdraws Stake 1.0, own or with `receiver` delegated, and clears the account's votes.
 *
 * @returns the amount added to the balance, in sun
 */
export function unfreezeV1(ledger: Ledger, owner: Address, resource: ResourceCode, receiver: Address | undefined): Sun {
  settleReward(ledger, owner);
  let account = withOldTronPower(ledger, existingAccount(ledger, owner));
  let amountSun: Sun;
  let coins: bigint;
  if (receiver === undefined) {
    const stakes = stakesV1(account, resource);
    const kept = stakes.filter(({ expire_time }) => expire_time > ledger.headTimeMs);
    amountSun = sumOf(stakes) - sumOf(kept);
    account = withStakesV1(account, resource, kept);
    coins = weightDelta(sumOf(stakes), sumOf(kept));
  } else {
    const delegable = resource as MeteredResource;
    const key = delegationKey.v1(owner, receiver);
    amountSun = delegatedAmount(recordAt(ledger, key), delegable);
    coins = undelegateV1(ledger, receiver, delegable, amountSun);
    settleRecord(ledger, key, delegable);
    if (recordAt(ledger, key) === undefined) unindexDelegation(ledger, 1, owner, receiver);
    account = addDelegatedV1(account, delegable, -amountSun);
  }
  account = { ...account, balance: addExact(account.balance, amountSun) };
  addWeightOfChange(ledger, resource, -amountSun, coins);
  if (!votesRestElsewhere(ledger, account, resource)) account = changeVotes(ledger, account, []);
  putAccount(ledger, withoutOldTronPower(ledger, account));
  return amountSun;
}

/**
 * Removes acquired stake from the receiver; its usage stays. An account that was destroyed as a contract and created
 * again may have less than was delegated to it: it then becomes 0.
 *
 * @returns the (negative) change of the weight in whole TRX under the new reward rules
 */
function undelegateV1(ledger: Ledger, to: Address, resource: MeteredResource, amountSun: Sun): bigint {
  const receiver = ledger.state.tables.accounts.get(to);
  if (!keepsBorrowed(ledger, receiver)) return -amountSun / SUN_PER_TRX;
  const before = acquiredV1(receiver, resource);
  if (ledger.on('ALLOW_TVM_SOLIDITY_059') && before < amountSun) {
    putAccount(ledger, withAcquiredV1(receiver, resource, 0n));
    return -amountSun / SUN_PER_TRX;
  }
  putAccount(ledger, withAcquiredV1(receiver, resource, before - amountSun));
  return weightDelta(before, before - amountSun);
}

/** Since Constantinople a receiver may be a contract or missing; its record is then left unchanged. */
function keepsBorrowed(ledger: Ledger, receiver: Account | undefined): receiver is Account {
  if (receiver === undefined) return false;
  return !ledger.on('ALLOW_TVM_CONSTANTINOPLE') || receiver.type !== AccountType.Contract;
}
