/**
 * Arithmetic of delegation: how much of a stake can be delegated, and how much of the receiver's usage returns with the
 * stake (protocol/staking.md#stake-available-for-delegation, #undelegate). Mirrors (Un)DelegateResourceActuator and
 * -Processor.
 */

import { longFromDouble, longValueExact, maxLong, minLong, wrapLong } from '../primitives/java-math.js';
import { stakeV1Of, stakeV2Of } from './limits.js';
import { BANDWIDTH, energyRecord, type MeteredAccount, type MeteredResource } from './metered-account.js';
import type { ResourceRules, ResourceTotals } from './rules.js';

/** Default lock period; before MAX_DELEGATE_LOCK_PERIOD the only one. */
export const DEFAULT_LOCK_MS = 259_200_000n;

/** Minimum size of a delegation's transaction, for the estimate of its own bandwidth. */
const DELEGATE_COST_BASE_SIZE = 275;

function totalsOf(resource: MeteredResource, totals: ResourceTotals): readonly [limit: bigint, weight: bigint] {
  return resource === BANDWIDTH ? [totals.netLimit, totals.netWeight] : [totals.energyLimit, totals.energyWeight];
}

/** The stake in sun that a usage corresponds to. */
export function usageInSun(
  usage: bigint,
  resource: MeteredResource,
  totals: ResourceTotals,
  { hardened }: Pick<ResourceRules, 'hardened'>,
): bigint {
  const [limit, weight] = totalsOf(resource, totals);
  if (hardened) return longValueExact((usage * 1_000_000n * weight) / limit);
  return longFromDouble(Number(wrapLong(usage * 1_000_000n)) * (Number(weight) / Number(limit)));
}

/**
 * Own Stake 2.0 in sun that can be delegated. Stake in use cannot. Usage counts against old and received stake first,
 * and against own Stake 2.0 last (protocol/staking.md#stake-available-for-delegation). Can be negative after an unstake
 * with usage left.
 *
 * @param usage of the resource, recovered to now
 */
export function availableToDelegate(
  account: MeteredAccount,
  resource: MeteredResource,
  usage: bigint,
  totals: ResourceTotals,
  rules: Pick<ResourceRules, 'hardened'>,
): bigint {
  const record = energyRecord(account);
  const received =
    resource === BANDWIDTH
      ? account.acquired_delegated_frozen_balance_for_bandwidth +
        account.acquired_delegated_frozenV2_balance_for_bandwidth
      : record.acquired_delegated_frozen_balance_for_energy + record.acquired_delegated_frozenV2_balance_for_energy;
  const elsewhere = stakeV1Of(account, resource) + received;
  const inUse = maxLong(0n, usageInSun(usage, resource, totals, rules) - elsewhere);
  return stakeV2Of(account, resource) - inUse;
}

/**
 * Estimated bytes of a delegation of bandwidth, for requests before the transaction is signed
 * (`/wallet/delegateresource`, `/wallet/getcandelegatedmaxsize`).
 *
 * @param stakeSun own Stake 2.0 for bandwidth
 * @param maxLockPeriodSlots MAX_DELEGATE_LOCK_PERIOD, or undefined if lock periods cannot be chosen
 */
export function delegationBytesEstimate(stakeSun: bigint, maxLockPeriodSlots: bigint | undefined): bigint {
  const lock = 2 + (maxLockPeriodSlots === undefined ? 0 : longFieldSize(maxLockPeriodSlots));
  const grown = lock + longFieldSize(stakeSun) - longFieldSize(1_000_000n);
  return BigInt(DELEGATE_COST_BASE_SIZE + Math.max(0, grown));
}

/** Size of a protobuf int64 field with a one-byte tag; 0 is not written. */
function longFieldSize(value: bigint): number {
  if (value === 0n) return 0;
  let size = 2;
  for (let rest = BigInt.asUintN(64, value) >> 7n; rest > 0n; rest >>= 7n) size++;
  return size;
}

export interface Undelegation {
  readonly resource: MeteredResource;
  readonly amountSun: bigint;
  /** The receiver's usage, recovered to now. */
  readonly receiverUsage: bigint;
  /** The receiver's whole stake for the resource before the undelegation ({@link import('./limits.js').stakeOf}). */
  readonly receiverStakeSun: bigint;
  /** Acquired Stake 2.0 of the resource in the receiver's account. */
  readonly receiverAcquiredSun: bigint;
  /** The opcode multiplies before it divides by the weight, the transaction afterwards. */
  readonly inContract?: boolean;
}

/**
 * The part of the receiver's usage that returns to the owner: in proportion to the stake, limited by the usage that the
 * undelegated stake allows (protocol/staking.md#undelegate). 0 if the receiver's account has less acquired stake than
 * the undelegated one: the account was destroyed and created again.
 */
export function usageToReturn(
  { resource, amountSun, receiverUsage, receiverStakeSun, receiverAcquiredSun, inContract = false }: Undelegation,
  totals: ResourceTotals,
  { hardened }: Pick<ResourceRules, 'hardened'>,
): bigint {
  if (receiverAcquiredSun < amountSun) return 0n;
  const [limit, weight] = totalsOf(resource, totals);
  if (hardened) {
    const max = longValueExact((amountSun * limit) / (1_000_000n * weight));
    return minLong(max, longValueExact((receiverUsage * amountSun) / receiverStakeSun));
  }
  const trx = Number(amountSun) / 1e6;
  const max = inContract
    ? longFromDouble((trx * Number(limit)) / Number(weight))
    : longFromDouble(trx * (Number(limit) / Number(weight)));
  const share = longFromDouble(Number(receiverUsage) * (Number(amountSun) / Number(receiverStakeSun)));
  return minLong(max, share);
}
