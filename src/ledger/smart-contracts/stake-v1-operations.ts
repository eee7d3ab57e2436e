/**
 * Stake 1.0 by opcodes 0xd5–0xd7, with ALLOW_TVM_FREEZE (protocol/opcodes.md#tron-opcodes,
 * protocol/staking.md#weights). The effects differ from the transactions' (`stake-v1.ts`) in weights, index and votes.
 * Mirrors the FreezeBalance and UnfreezeBalance processors of java-tron's `vm/nativecontract` and
 * Program.freezeExpireTime.
 */

import type { Address, Sun } from '../../primitives/ids.js';
import { addExact } from '../../primitives/java-math.js';
import { type Account, type Account_Frozen, AccountType } from '../../protocol/generated/tron.js';
import { SUN_PER_TRX } from '../../resources/limits.js';
import type { MeteredResource } from '../../resources/metered-account.js';
import { tronPower } from '../../resources/tron-power.js';
import type { ResourceCode } from '../../tvm/host.js';
import { newAccount } from '../accounts/accounts.js';
import { existingAccount, putAccount } from '../accounts/coin.js';
import type { Ledger } from '../ledger.js';
import { addToRecord, delegatedAmount, delegationKey, lockExpiryMs, recordAt } from '../stake/delegation-records.js';
import { acquiredV1, addDelegatedV1, isDelegable, stakesV1, withAcquiredV1, withStakesV1 } from '../stake/stakes.js';
import { addWeight } from '../stake/staking.js';
import { settleReward } from '../voting/voter-rewards.js';
import { changeVotes } from '../voting/votes.js';

const MS_PER_DAY = 86_400_000n;

function sumOf(stakes: readonly Account_Frozen[]): Sun {
  return stakes.reduce((sum, { frozen_balance }) => sum + frozen_balance, 0n);
}

/** Each operation counts its own whole TRX, whatever the reward rules (protocol/staking.md#weights). */
function addCoinsOfOperation(ledger: Ledger, resource: ResourceCode, amountSun: Sun): void {
  addWeight(ledger, resource, amountSun / SUN_PER_TRX, { inContract: true });
}

/** Locks TRX of the contract, for itself or for `receiver`, which is created if missing. */
export function freezeBalance(
  ledger: Ledger,
  owner: Address,
  receiver: Address,
  amountSun: Sun,
  resource: ResourceCode,
): boolean {
  const { accounts } = ledger.state.tables;
  const account = accounts.get(owner);
  if (account === undefined || amountSun < SUN_PER_TRX || amountSun > account.balance) return false;
  if (account.frozen.length > 1 || !isDelegable(resource)) return false;
  const days = ledger.config.checkFrozenTime ? ledger.long('MIN_FROZEN_TIME') : 0n;
  const expiryMs = ledger.headTimeMs + days * MS_PER_DAY;
  let changed: Account = { ...account, balance: account.balance - amountSun };
  if (receiver === owner) {
    const stake = { frozen_balance: addExact(sumOf(stakesV1(account, resource)), amountSun), expire_time: expiryMs };
    changed = withStakesV1(changed, resource, [stake]);
  } else {
    const borrower = accounts.get(receiver) ?? newAccount(ledger, receiver);
    if (borrower.type === AccountType.Contract) return false;
    addToRecord(
      ledger,
      delegationKey.v1(owner, receiver),
      { from: owner, to: receiver },
      resource,
      amountSun,
      expiryMs,
    );
    putAccount(ledger, withAcquiredV1(borrower, resource, addExact(acquiredV1(borrower, resource), amountSun)));
    changed = addDelegatedV1(changed, resource, amountSun);
  }
  putAccount(ledger, changed);
  addCoinsOfOperation(ledger, resource, amountSun);
  return true;
}

/** Withdraws expired stake. @returns the amount in sun; undefined: refused */
export function unfreezeBalance(
  ledger: Ledger,
  owner: Address,
  receiver: Address,
  resource: ResourceCode,
): Sun | undefined {
  const account = ledger.state.tables.accounts.get(owner);
  if (account === undefined || !isDelegable(resource)) return undefined;
  const amountSun =
    receiver === owner ? servedSun(ledger, account, resource) : lentServedSun(ledger, owner, receiver, resource);
  if (amountSun <= 0n) return undefined;
  let changed = account;
  if (receiver === owner) {
    const kept = stakesV1(changed, resource).filter(({ expire_time }) => expire_time > ledger.headTimeMs);
    changed = withStakesV1(changed, resource, kept);
  } else {
    undelegateV1(ledger, receiver, resource, amountSun);
    // The record stays, even if it is empty.
    addToRecord(ledger, delegationKey.v1(owner, receiver), { from: owner, to: receiver }, resource, -amountSun, 0n);
    changed = addDelegatedV1(changed, resource, -amountSun);
  }
  addCoinsOfOperation(ledger, resource, -amountSun);
  putAccount(ledger, { ...changed, balance: addExact(changed.balance, amountSun) });
  dropUncoveredVotes(ledger, owner);
  return amountSun;
}

function servedSun(ledger: Ledger, account: Account, resource: MeteredResource): Sun {
  return sumOf(stakesV1(account, resource).filter(({ expire_time }) => expire_time <= ledger.headTimeMs));
}

function lentServedSun(ledger: Ledger, owner: Address, receiver: Address, resource: MeteredResource): Sun {
  const record = recordAt(ledger, delegationKey.v1(owner, receiver));
  if (record === undefined || lockExpiryMs(record, resource) > ledger.headTimeMs) return 0n;
  return delegatedAmount(record, resource);
}

/** A receiver that was destroyed or became a contract may have less: the amount becomes 0. */
function undelegateV1(ledger: Ledger, to: Address, resource: MeteredResource, amountSun: Sun): void {
  const receiver = ledger.state.tables.accounts.get(to);
  if (receiver === undefined) return;
  const left = acquiredV1(receiver, resource) - amountSun;
  putAccount(ledger, withAcquiredV1(receiver, resource, left < 0n ? 0n : left));
}

/** All votes are cleared if the remaining stake does not cover them; they are never scaled. */
function dropUncoveredVotes(ledger: Ledger, owner: Address): void {
  const account = existingAccount(ledger, owner);
  if (!ledger.on('ALLOW_TVM_VOTE') || account.votes.length === 0) return;
  const cast = account.votes.reduce((sum, { vote_count }) => sum + vote_count, 0n);
  if (tronPower(account) >= cast * SUN_PER_TRX) return;
  settleReward(ledger, owner, { inContract: true });
  putAccount(ledger, changeVotes(ledger, existingAccount(ledger, owner), []));
}

/** End of the lock of own stake, or of the delegation to `target`; 0 if there is none. */
export function freezeExpireTimeMs(ledger: Ledger, owner: Address, target: Address, resource: ResourceCode): bigint {
  if (!isDelegable(resource)) return 0n;
  if (target !== owner) {
    const record = recordAt(ledger, delegationKey.v1(owner, target));
    if (record === undefined || delegatedAmount(record, resource) === 0n) return 0n;
    return lockExpiryMs(record, resource);
  }
  const account = ledger.state.tables.accounts.get(owner);
  const stake = account && stakesV1(account, resource)[0];
  return stake === undefined || stake.frozen_balance === 0n ? 0n : stake.expire_time;
}
