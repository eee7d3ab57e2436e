/**
 * Voting power of an account (protocol/limits.md#tron-power). Mirrors AccountCapsule.getTronPower and getAllTronPower.
 */

import { stakeV1Of, stakeV2Of } from './limits.js';
import { BANDWIDTH, ENERGY, energyRecord, type MeteredAccount, TRON_POWER } from './metered-account.js';
import type { ResourceRules } from './rules.js';

/** `old_tron_power` of an account whose power comes only from TRON_POWER stakes. */
export const OLD_TRON_POWER_SPENT = -1n;

/** Own stake for bandwidth and Energy, including delegated stake; sun. Acquired stake gives no votes. */
export function tronPower(account: MeteredAccount): bigint {
  const record = energyRecord(account);
  return (
    stakeV1Of(account, BANDWIDTH) +
    stakeV1Of(account, ENERGY) +
    account.delegated_frozen_balance_for_bandwidth +
    record.delegated_frozen_balance_for_energy +
    stakeV2Of(account, BANDWIDTH) +
    stakeV2Of(account, ENERGY) +
    account.delegated_frozenV2_balance_for_bandwidth +
    record.delegated_frozenV2_balance_for_energy
  );
}

/** Including TRON_POWER stakes; the first one replaces the power of other stakes; sun. */
export function allTronPower(account: MeteredAccount): bigint {
  const staked = (account.tron_power?.frozen_balance ?? 0n) + stakeV2Of(account, TRON_POWER);
  if (account.old_tron_power === OLD_TRON_POWER_SPENT) return staked;
  return staked + (account.old_tron_power === 0n ? tronPower(account) : account.old_tron_power);
}

/** The limit of an account's votes; sun. */
export function votingPower(account: MeteredAccount, rules: Pick<ResourceRules, 'newResourceModel'>): bigint {
  return rules.newResourceModel ? allTronPower(account) : tronPower(account);
}

/**
 * `old_tron_power` after the first stake, unstake or vote under the new resource model: the power of the account's
 * stakes before that operation, or -1 if there was none.
 */
export function settledOldTronPower(account: MeteredAccount): bigint {
  return account.old_tron_power === 0n ? tronPower(account) || OLD_TRON_POWER_SPENT : account.old_tron_power;
}
