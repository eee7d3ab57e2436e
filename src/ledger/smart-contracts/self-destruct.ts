/**
 * SELFDESTRUCT and votes and stakes (protocol/calls.md#selfdestruct, protocol/virtual-machine.md#later-releases;
 * protocol/staking.md#staking-from-inside-a-contract). Mirrors Program.canSuicide, withdrawRewardAndCancelVote,
 * transferDelegatedResourceToInheritor and transferFrozenV2BalanceToInheritor. TRX, tokens and the records of the
 * contract are handled by the machine.
 */

import type { Address, Sun } from '../../primitives/ids.js';
import { addExact } from '../../primitives/java-math.js';
import type { Account } from '../../protocol/generated/tron.js';
import { SUN_PER_TRX, stakeV1Of } from '../../resources/limits.js';
import {
  BANDWIDTH,
  ENERGY,
  type MeteredResource,
  type StakedResource,
  usageWindow,
  withUsageWindow,
} from '../../resources/metered-account.js';
import { increase, mergeReturnedUsage } from '../../resources/recovery.js';
import { dueUnfreezes, withStakeV2 } from '../../resources/staking.js';
import type { SidePayment } from '../../tvm/host.js';
import { existingAccount, putAccount } from '../accounts/coin.js';
import type { Ledger } from '../ledger.js';
import { delegatedV1, delegatedV2, stakesV1, withStakesV1 } from '../stake/stakes.js';
import { addWeight, rulesOf } from '../stake/staking.js';
import { settleReward } from '../voting/voter-rewards.js';
import { changeVotes } from '../voting/votes.js';

const RESOURCES: readonly MeteredResource[] = [BANDWIDTH, ENERGY];

/** No delegated stake and no pending unstaking; with TIP-6780 no Stake 1.0 lock either. */
export function mayDestroy(ledger: Ledger, address: Address): boolean {
  const account = existingAccount(ledger, address);
  if (ledger.on('ALLOW_TVM_FREEZE')) {
    if (RESOURCES.some((resource) => delegatedV1(account, resource) !== 0n)) return false;
    if (ledger.on('ALLOW_TVM_SELFDESTRUCT_RESTRICTION') && isLockedV1(ledger, account)) return false;
  }
  if (!ledger.stakeV2On) return true;
  if (RESOURCES.some((resource) => delegatedV2(account, resource) !== 0n)) return false;
  return dueUnfreezes(account.unfrozenV2, ledger.headTimeMs).waiting.length === 0;
}

function isLockedV1(ledger: Ledger, account: Account): boolean {
  return RESOURCES.some((resource) =>
    stakesV1(account, resource).some(
      ({ frozen_balance, expire_time }) => frozen_balance > 0n && expire_time > ledger.headTimeMs,
    ),
  );
}

/** Withdraws the votes' rewards to the balance and clears the votes. */
export function settleVotes(ledger: Ledger, address: Address, blockTimeMs: bigint): void {
  settleReward(ledger, address, { inContract: true });
  let account = existingAccount(ledger, address);
  if (account.votes.length > 0) account = { ...changeVotes(ledger, account, []), old_tron_power: 0n };
  putAccount(ledger, {
    ...account,
    balance: addExact(account.balance, account.allowance),
    allowance: 0n,
    latest_withdraw_time: blockTimeMs,
  });
}

/** Transfers stakes and usage. Delegations to the owner stay: the delegators can still undelegate. */
export function inheritStakes(ledger: Ledger, owner: Address, heir: Address): SidePayment {
  if (ledger.on('ALLOW_TVM_FREEZE')) payStakesV1(ledger, owner, heir);
  return { withdrawnSun: ledger.stakeV2On ? inheritStakesV2(ledger, owner, heir) : 0n };
}

const EMPTY_STAKE = { frozen_balance: 0n, expire_time: 0n };

/** Stake 1.0 becomes balance of the heir, locked or not. */
function payStakesV1(ledger: Ledger, owner: Address, heir: Address): void {
  let account = existingAccount(ledger, owner);
  let paidSun = 0n;
  for (const resource of RESOURCES) {
    const stakeSun = stakeV1Of(account, resource);
    paidSun += stakeSun;
    addWeight(ledger, resource, -(stakeSun / SUN_PER_TRX), { inContract: true });
    account = withStakesV1(account, resource, [EMPTY_STAKE]);
  }
  // With TIP-6780 the owner continues to exist. Before, its record is deleted with the transaction, so java-tron
  // leaves it unchanged.
  if (ledger.on('ALLOW_TVM_SELFDESTRUCT_RESTRICTION')) putAccount(ledger, account);
  const receiver = existingAccount(ledger, heir);
  putAccount(ledger, { ...receiver, balance: addExact(receiver.balance, paidSun) });
}

/** Stake 2.0 stays staked; the network's weights do not change. @returns expired unstakings paid to the heir, in sun */
function inheritStakesV2(ledger: Ledger, ownerAddress: Address, heirAddress: Address): Sun {
  let owner = existingAccount(ledger, ownerAddress);
  let heir = existingAccount(ledger, heirAddress);
  for (const { type, amount } of owner.frozenV2) {
    if (amount > 0n) heir = { ...heir, frozenV2: withStakeV2(heir.frozenV2, type as StakedResource, amount) };
  }
  const slot = ledger.headSlot;
  const rules = rulesOf(ledger);
  for (const resource of RESOURCES) {
    const used = increase(usageWindow(owner, resource), 0n, slot, rules);
    owner = withUsageWindow(owner, resource, { ...used, usage: 0n, lastSlot: slot, windowSize: 0n });
    if (used.usage <= 0n) continue;
    const merged = mergeReturnedUsage(usageWindow(heir, resource), used, used.usage, slot, rules);
    heir = withUsageWindow(heir, resource, merged);
  }
  const { dueSun } = dueUnfreezes(owner.unfrozenV2, ledger.headTimeMs);
  putAccount(ledger, { ...heir, balance: addExact(heir.balance, dueSun) });
  putAccount(ledger, { ...owner, frozenV2: [], unfrozenV2: [] });
  return dueSun;
}
