/**
 * Answers of the precompiles 0x100000b–0x1000015 about stakes and their use (protocol/precompiles.md#table,
 * #address-0x100000b). Mirrors java-tron's FreezeV2Util and RepositoryImpl.getAccount…UsageBalanceAndRestoreSeconds.
 * Reads only. Usage is expressed in sun of the stake that covers it, by the totals that the running code left.
 */

import type { Address, Sun } from '../../primitives/ids.js';
import { longFromDouble, maxLong } from '../../primitives/java-math.js';
import type { Account } from '../../protocol/generated/tron.js';
import { stakeOf, stakeV1Of, stakeV2Of } from '../../resources/limits.js';
import { BANDWIDTH, type MeteredResource, usageWindow } from '../../resources/metered-account.js';
import { recoveredInOwnWindow, windowSlots } from '../../resources/recovery.js';
import { dueUnfreezes, MAX_PENDING_UNFREEZES } from '../../resources/staking.js';
import type { ResourceCode, ResourceUsage } from '../../tvm/host.js';
import type { Ledger } from '../ledger.js';
import { delegatedAmount, delegationKey, recordAt } from '../stake/delegation-records.js';
import { acquiredV1, acquiredV2, delegatedV1, delegatedV2, isDelegable } from '../stake/stakes.js';
import { rulesOf } from '../stake/staking.js';

const PARAMETERS = {
  1: 'TOTAL_NET_LIMIT',
  2: 'TOTAL_NET_WEIGHT',
  3: 'TOTAL_ENERGY_CURRENT_LIMIT',
  4: 'TOTAL_ENERGY_WEIGHT',
  5: 'UNFREEZE_DELAY_DAYS',
} as const;

const NOT_USED: ResourceUsage = { usedSun: 0n, restoreSeconds: 0n };

function accountOf(ledger: Ledger, address: Address): Account | undefined {
  return ledger.state.tables.accounts.get(address);
}

export function chainParameter(ledger: Ledger, code: bigint): bigint {
  const name = PARAMETERS[Number(code) as keyof typeof PARAMETERS];
  return name === undefined ? 0n : ledger.long(name);
}

/** How many more unstakings the account can start. */
export function availableUnfreezes(ledger: Ledger, address: Address): bigint {
  const account = accountOf(ledger, address);
  if (account === undefined) return 0n;
  const waiting = dueUnfreezes(account.unfrozenV2, ledger.headTimeMs).waiting.length;
  return BigInt(Math.max(0, MAX_PENDING_UNFREEZES - waiting));
}

export function frozenBalanceV2(ledger: Ledger, address: Address, resource: ResourceCode): Sun {
  const account = accountOf(ledger, address);
  return account === undefined ? 0n : stakeV2Of(account, resource);
}

export function expiringUnfreezes(ledger: Ledger, address: Address, timeMs: bigint): Sun {
  return dueUnfreezes(accountOf(ledger, address)?.unfrozenV2 ?? [], timeMs).dueSun;
}

/** Locked and unlocked together. */
export function delegatedBalance(ledger: Ledger, from: Address, to: Address, resource: ResourceCode): Sun {
  if (!isDelegable(resource)) return 0n;
  const keys = [delegationKey.unlocked(from, to), delegationKey.locked(from, to)];
  return keys.reduce((sum, key) => sum + delegatedAmount(recordAt(ledger, key), resource), 0n);
}

export function totalResource(ledger: Ledger, address: Address, resource: ResourceCode): Sun {
  const account = accountOf(ledger, address);
  return account === undefined || !isDelegable(resource) ? 0n : stakeOf(account, resource);
}

export function totalDelegated(ledger: Ledger, address: Address, resource: ResourceCode): Sun {
  const account = accountOf(ledger, address);
  if (account === undefined || !isDelegable(resource)) return 0n;
  return delegatedV1(account, resource) + delegatedV2(account, resource);
}

export function totalAcquired(ledger: Ledger, address: Address, resource: ResourceCode): Sun {
  const account = accountOf(ledger, address);
  if (account === undefined || !isDelegable(resource)) return 0n;
  return acquiredV1(account, resource) + acquiredV2(account, resource);
}

export function resourceUsage(ledger: Ledger, address: Address, resource: ResourceCode): ResourceUsage {
  const account = accountOf(ledger, address);
  return account === undefined || !isDelegable(resource) ? NOT_USED : usageOf(ledger, account, resource);
}

function usageOf(ledger: Ledger, account: Account, resource: MeteredResource): ResourceUsage {
  const window = usageWindow(account, resource);
  const rules = rulesOf(ledger);
  const restoreSlots = window.lastSlot + windowSlots(window, rules) - ledger.headSlot;
  if (restoreSlots <= 0n) return NOT_USED;
  const usage = recoveredInOwnWindow(window, ledger.headSlot, rules);
  const limit = ledger.long(resource === BANDWIDTH ? 'TOTAL_NET_LIMIT' : 'TOTAL_ENERGY_CURRENT_LIMIT');
  const weight = ledger.long(resource === BANDWIDTH ? 'TOTAL_NET_WEIGHT' : 'TOTAL_ENERGY_WEIGHT');
  return {
    usedSun: longFromDouble(((Number(usage) * Number(weight)) / Number(limit)) * 1e6),
    restoreSeconds: (restoreSlots * ledger.config.slotMs) / 1000n,
  };
}

/**
 * Usage counts first against Stake 1.0 and acquired stake, then against own Stake 2.0
 * (protocol/staking.md#stake-available-for-delegation); never negative.
 */
export function delegatableBalance(ledger: Ledger, address: Address, resource: ResourceCode): Sun {
  const account = accountOf(ledger, address);
  if (account === undefined || !isDelegable(resource)) return 0n;
  const { usedSun } = usageOf(ledger, account, resource);
  const elsewhere = stakeV1Of(account, resource) + acquiredV1(account, resource) + acquiredV2(account, resource);
  const stake = stakeV2Of(account, resource);
  return maxLong(0n, stake - maxLong(0n, usedSun - elsewhere));
}
