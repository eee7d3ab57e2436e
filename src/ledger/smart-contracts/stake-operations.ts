/**
 * Stake 2.0 by opcodes 0xda–0xdf (protocol/opcodes.md#tron-opcodes,
 * protocol/staking.md#staking-from-inside-a-contract). Owns the refusals of each opcode; effects are those of the
 * transactions, in `staking.ts` and `delegation.ts`. Mirrors the FreezeBalanceV2, UnfreezeBalanceV2,
 * CancelAllUnfreezeV2, WithdrawExpireUnfreeze, DelegateResource and UnDelegateResource processors of java-tron's
 * `vm/nativecontract`.
 */

import type { Address, Sun } from '../../primitives/ids.js';
import { ResourceCode } from '../../protocol/generated/resource-code.js';
import { AccountType } from '../../protocol/generated/tron.js';
import { SUN_PER_TRX, stakeV2Of } from '../../resources/limits.js';
import { dueUnfreezes, MAX_PENDING_UNFREEZES } from '../../resources/staking.js';
import type { CancelledUnfreezes, SidePayment, ResourceCode as VmResourceCode } from '../../tvm/host.js';
import type { Ledger } from '../ledger.js';
import { delegatableSun, delegate, undelegate } from '../stake/delegation.js';
import { delegatedAmount, delegationKey, recordAt } from '../stake/delegation-records.js';
import { isDelegable } from '../stake/stakes.js';
import { cancelAllUnfreezes, freezeV2, unfreezeV2, withdrawExpired } from '../stake/staking.js';

const IN_CONTRACT = { inContract: true } as const;

/** Stake for TRON Power exists only in the new resource model. */
function isStakable(ledger: Ledger, resource: VmResourceCode): boolean {
  return resource !== ResourceCode.TRON_POWER || ledger.on('ALLOW_NEW_RESOURCE_MODEL');
}

export function freezeBalanceV2(ledger: Ledger, owner: Address, amountSun: Sun, resource: VmResourceCode): boolean {
  const account = ledger.state.tables.accounts.get(owner);
  if (account === undefined || amountSun < SUN_PER_TRX || amountSun > account.balance) return false;
  if (!isStakable(ledger, resource)) return false;
  freezeV2(ledger, owner, amountSun, resource, IN_CONTRACT);
  return true;
}

export function unfreezeBalanceV2(
  ledger: Ledger,
  owner: Address,
  amountSun: Sun,
  resource: VmResourceCode,
): SidePayment | undefined {
  const account = ledger.state.tables.accounts.get(owner);
  if (account === undefined) return undefined;
  if (dueUnfreezes(account.unfrozenV2, ledger.headTimeMs).waiting.length >= MAX_PENDING_UNFREEZES) return undefined;
  if (!isStakable(ledger, resource) || amountSun <= 0n || amountSun > stakeV2Of(account, resource)) return undefined;
  return { withdrawnSun: unfreezeV2(ledger, owner, amountSun, resource, IN_CONTRACT) };
}

/** Succeeds also if nothing can be cancelled. */
export function cancelAllUnfreezeV2(ledger: Ledger, owner: Address): CancelledUnfreezes | undefined {
  if (!ledger.state.tables.accounts.has(owner)) return undefined;
  const { paidSun, restakedSun } = cancelAllUnfreezes(ledger, owner, IN_CONTRACT);
  const [bandwidthSun, energySun, tronPowerSun] = restakedSun;
  return { withdrawnSun: paidSun, bandwidthSun, energySun, tronPowerSun };
}

/** Nothing to withdraw is a success. */
export function withdrawExpireUnfreeze(ledger: Ledger, owner: Address): Sun | undefined {
  const account = ledger.state.tables.accounts.get(owner);
  if (account === undefined) return undefined;
  const { dueSun } = dueUnfreezes(account.unfrozenV2, ledger.headTimeMs);
  return dueSun > 0n ? withdrawExpired(ledger, owner) : 0n;
}

export function delegateResource(
  ledger: Ledger,
  from: Address,
  to: Address,
  amountSun: Sun,
  resource: VmResourceCode,
): boolean {
  const owner = ledger.state.tables.accounts.get(from);
  if (!ledger.on('ALLOW_DELEGATE_RESOURCE') || owner === undefined || !isDelegable(resource)) return false;
  if (amountSun < SUN_PER_TRX || amountSun > delegatableSun(ledger, owner, resource, false)) return false;
  const receiver = ledger.state.tables.accounts.get(to);
  if (to === from || receiver === undefined || receiver.type === AccountType.Contract) return false;
  delegate(ledger, { from, to, resource, amountSun }, undefined, IN_CONTRACT);
  return true;
}

/** Only unlocked delegations end, not those with an expired lock. The receiver may have been deleted. */
export function undelegateResource(
  ledger: Ledger,
  from: Address,
  to: Address,
  amountSun: Sun,
  resource: VmResourceCode,
): boolean {
  if (!ledger.on('ALLOW_DELEGATE_RESOURCE') || !ledger.state.tables.accounts.has(from)) return false;
  if (to === from || !isDelegable(resource)) return false;
  const record = recordAt(ledger, delegationKey.unlocked(from, to));
  if (record === undefined || amountSun <= 0n || delegatedAmount(record, resource) < amountSun) return false;
  undelegate(ledger, { from, to, resource, amountSun }, IN_CONTRACT);
  return true;
}
