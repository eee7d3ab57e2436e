/** The resources of an account: staked and free resources, balance, and stakes, read from a node's answers. */

import type { WholeNumber } from '../primitives/whole-number.js';
import { bandwidthOfStake, callEnergyOfStake, leftBandwidth, leftEnergy, stakeOf } from '../resources/limits.js';
import {
  BANDWIDTH,
  ENERGY,
  type MeteredAccount,
  type MeteredResource,
  usageWindow,
} from '../resources/metered-account.js';
import { stakeWithDelegatedV2 } from '../resources/staking.js';
import { amount, counted, whole } from './amounts.js';
import type { FeeNetwork } from './network.js';

/** The used part of `/wallet/getaccountresource`; zeros may be missing. */
export interface AccountResourceAnswer {
  readonly freeNetUsed?: WholeNumber | undefined;
  readonly freeNetLimit?: WholeNumber | undefined;
  readonly NetUsed?: WholeNumber | undefined;
  readonly NetLimit?: WholeNumber | undefined;
  readonly EnergyUsed?: WholeNumber | undefined;
  readonly EnergyLimit?: WholeNumber | undefined;
}

interface FrozenAnswer {
  readonly frozen_balance?: WholeNumber | undefined;
}

/** The used part of `/wallet/getaccount`; zeros may be missing. */
export interface AccountAnswer {
  readonly balance?: WholeNumber | undefined;
  readonly frozen?: readonly FrozenAnswer[] | undefined;
  readonly frozenV2?:
    | readonly { readonly type?: string | number | undefined; readonly amount?: WholeNumber | undefined }[]
    | undefined;
  readonly net_usage?: WholeNumber | undefined;
  /** Milliseconds, here and in the other `latest_…`. */
  readonly latest_consume_time?: WholeNumber | undefined;
  readonly net_window_size?: WholeNumber | undefined;
  readonly net_window_optimized?: boolean | undefined;
  readonly free_net_usage?: WholeNumber | undefined;
  readonly latest_consume_free_time?: WholeNumber | undefined;
  readonly acquired_delegated_frozen_balance_for_bandwidth?: WholeNumber | undefined;
  readonly delegated_frozenV2_balance_for_bandwidth?: WholeNumber | undefined;
  readonly acquired_delegated_frozenV2_balance_for_bandwidth?: WholeNumber | undefined;
  readonly account_resource?:
    | {
        readonly energy_usage?: WholeNumber | undefined;
        readonly frozen_balance_for_energy?: FrozenAnswer | undefined;
        readonly latest_consume_time_for_energy?: WholeNumber | undefined;
        readonly acquired_delegated_frozen_balance_for_energy?: WholeNumber | undefined;
        readonly delegated_frozenV2_balance_for_energy?: WholeNumber | undefined;
        readonly acquired_delegated_frozenV2_balance_for_energy?: WholeNumber | undefined;
        readonly energy_window_size?: WholeNumber | undefined;
        readonly energy_window_optimized?: boolean | undefined;
      }
    | undefined;
}

/** A stake and its usage. */
export interface FeeStake {
  /** Stake that counts for the account: its own and delegations to it; sun. */
  readonly countedSun: bigint;
  /** Its own Stake 2.0, delegated or not. The network's total counts it in whole TRX; sun. */
  readonly weightedSun: bigint;
  /** Energy or bytes in use. */
  readonly used: number;
}

/** What an account can pay with at the time of the answers. It can also be written by hand. */
export interface FeeAccount {
  readonly balanceSun: bigint;
  /** Staked Energy that contract calls can use. */
  readonly energy: number;
  /** Staked bandwidth, bytes. */
  readonly bandwidth: number;
  /** Remaining free bandwidth of the day, bytes. */
  readonly freeBandwidth: number;
  /** Input of {@link import('./stake.js').stakeToPayNothing}; only present with an answer of `getaccount`. */
  readonly stakes?: { readonly energy: FeeStake; readonly bandwidth: FeeStake } | undefined;
}

/**
 * What an account can pay with now. With `account`, the values are those of the next call. Without it, the balance is
 * 0 and Energy comes from `EnergyLimit`, which counts fractions of a TRX. For calls only whole TRX count. The result
 * is then exact for stakes in whole TRX; otherwise it can be too high by the Energy of one TRX.
 *
 * @param answers `resource` of `/wallet/getaccountresource`, `account` of `/wallet/getaccount`
 * @throws TypeError for another kind of answer
 */
export function accountFrom(
  { resource, account }: { readonly resource?: AccountResourceAnswer; readonly account?: AccountAnswer },
  network: FeeNetwork,
): FeeAccount {
  if (account !== undefined) return accountFromRecord(account, network);
  if (resource === undefined) throw new TypeError('expected an answer of getaccount or getaccountresource');
  const energyUsed = amount(resource.EnergyUsed, 'EnergyUsed');
  const energyLimit = callEnergyOfLimit(amount(resource.EnergyLimit, 'EnergyLimit'), network);
  return {
    balanceSun: 0n,
    energy: left(energyLimit, energyUsed),
    bandwidth: left(amount(resource.NetLimit, 'NetLimit'), amount(resource.NetUsed, 'NetUsed')),
    freeBandwidth: left(network.freeBandwidth, amount(resource.freeNetUsed, 'freeNetUsed')),
  };
}

function left(limit: bigint, used: bigint): number {
  return limit > used ? counted(limit - used) : 0;
}

/** Energy for calls from an `EnergyLimit`: that of the largest whole number of TRX with no higher limit. */
function callEnergyOfLimit(energyLimit: bigint, { totals, rules }: FeeNetwork): bigint {
  if (energyLimit === 0n) return 0n;
  let low = 0n;
  let high = totals.energyWeight > 0n ? totals.energyWeight : 1n;
  const of = (coins: bigint) => callEnergyOfStake(coins * 1_000_000n, totals, rules);
  while (low < high) {
    const middle = (low + high + 1n) / 2n;
    if (of(middle) <= energyLimit) low = middle;
    else high = middle - 1n;
  }
  return of(low);
}

function accountFromRecord(answer: AccountAnswer, network: FeeNetwork): FeeAccount {
  const { totals, rules } = network;
  const record = meteredAccount(answer);
  const stake = (resource: MeteredResource): FeeStake => ({
    countedSun: stakeOf(record, resource),
    weightedSun: stakeWithDelegatedV2(record, resource),
    used: counted(usageWindow(record, resource).usage),
  });
  const bandwidth = leftBandwidth(record, totals, NOW, rules);
  return {
    balanceSun: record.balance,
    energy: counted(leftEnergy(record, totals, NOW, rules)),
    bandwidth: bandwidth > 0n ? counted(bandwidth) : 0,
    freeBandwidth: left(network.freeBandwidth, record.free_net_usage),
    stakes: { energy: stake(ENERGY), bandwidth: stake(BANDWIDTH) },
  };
}

/** Time of the answer; the node has recovered all usages to this time. */
const NOW = 0n;

function meteredAccount(answer: AccountAnswer): MeteredAccount {
  const energy = answer.account_resource ?? {};
  const frozen = ({ frozen_balance }: FrozenAnswer) => ({
    frozen_balance: amount(frozen_balance, 'frozen_balance'),
    expire_time: 0n,
  });
  return {
    balance: whole(answer.balance, 'balance'),
    frozen: (answer.frozen ?? []).map(frozen),
    frozenV2: (answer.frozenV2 ?? []).map(({ type, amount: staked }) => ({
      type: stakeType(type),
      amount: amount(staked, 'frozenV2'),
    })),
    net_usage: amount(answer.net_usage, 'net_usage'),
    latest_consume_time: NOW,
    net_window_size: amount(answer.net_window_size, 'net_window_size'),
    net_window_optimized: answer.net_window_optimized ?? false,
    free_net_usage: amount(answer.free_net_usage, 'free_net_usage'),
    latest_consume_free_time: NOW,
    delegated_frozen_balance_for_bandwidth: 0n,
    acquired_delegated_frozen_balance_for_bandwidth: amount(
      answer.acquired_delegated_frozen_balance_for_bandwidth,
      'acquired_delegated_frozen_balance_for_bandwidth',
    ),
    delegated_frozenV2_balance_for_bandwidth: amount(
      answer.delegated_frozenV2_balance_for_bandwidth,
      'delegated_frozenV2_balance_for_bandwidth',
    ),
    acquired_delegated_frozenV2_balance_for_bandwidth: amount(
      answer.acquired_delegated_frozenV2_balance_for_bandwidth,
      'acquired_delegated_frozenV2_balance_for_bandwidth',
    ),
    old_tron_power: 0n,
    tron_power: undefined,
    account_resource: {
      energy_usage: amount(energy.energy_usage, 'energy_usage'),
      frozen_balance_for_energy: energy.frozen_balance_for_energy && frozen(energy.frozen_balance_for_energy),
      latest_consume_time_for_energy: NOW,
      acquired_delegated_frozen_balance_for_energy: amount(
        energy.acquired_delegated_frozen_balance_for_energy,
        'acquired_delegated_frozen_balance_for_energy',
      ),
      delegated_frozen_balance_for_energy: 0n,
      storage_limit: 0n,
      storage_usage: 0n,
      latest_exchange_storage_time: 0n,
      energy_window_size: amount(energy.energy_window_size, 'energy_window_size'),
      delegated_frozenV2_balance_for_energy: amount(
        energy.delegated_frozenV2_balance_for_energy,
        'delegated_frozenV2_balance_for_energy',
      ),
      acquired_delegated_frozenV2_balance_for_energy: amount(
        energy.acquired_delegated_frozenV2_balance_for_energy,
        'acquired_delegated_frozenV2_balance_for_energy',
      ),
      energy_window_optimized: energy.energy_window_optimized ?? false,
    },
  };
}

const STAKE_TYPES = ['BANDWIDTH', 'ENERGY', 'TRON_POWER'];

/** Bandwidth is the first of the protocol's codes, so JSON omits its name. */
function stakeType(type: string | number | undefined): number {
  if (typeof type === 'number') return type;
  const code = STAKE_TYPES.indexOf(type ?? 'BANDWIDTH');
  if (code < 0) throw new TypeError(`the network has no stake for ${type}`);
  return code;
}

/**
 * Daily capacity of a stake. For Energy of calls, whole TRX count; `EnergyLimit` of `getaccountresource` counts fractions
 * too.
 *
 * @param stakeSun own stake and delegations, as part of `network.totals`
 * @example stakedPerDay('energy', 1_000_000_000n, network) // 1,000 TRX of 19 thousand million: 9,473
 */
export function stakedPerDay(resource: 'energy' | 'bandwidth', stakeSun: WholeNumber, network: FeeNetwork): number {
  const stake = amount(stakeSun, 'stakeSun');
  const give = resource === 'energy' ? callEnergyOfStake : bandwidthOfStake;
  return counted(give(stake, network.totals, network.rules));
}
