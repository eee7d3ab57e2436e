/**
 * Which variant of the resource formulas a chain is under, and the network-wide figures they need, as plain values
 * (protocol/proposals.md#which-flags-change-the-formulas). Names on the right are the chain parameters they come from.
 */

export interface ResourceRules {
  /** How many of the protocol's slots a day has: 28,800 where they are 3 s long. */
  readonly daySlots: bigint;
  /** Stake 2.0: UNFREEZE_DELAY_DAYS > 0. Accounts have recovery windows of their own, fractions of a coin count. */
  readonly unfreezeDelay: boolean;
  /** ALLOW_CANCEL_ALL_UNFREEZE_V2 under stake 2.0: windows are kept in thousandths of a slot. */
  readonly cancelAllUnfreezeV2: boolean;
  /** ALLOW_NEW_REWARD: totals of stake count whole coins per account and are never negative. */
  readonly newReward: boolean;
  /** ALLOW_NEW_RESOURCE_MODEL: voting power is staked for. */
  readonly newResourceModel: boolean;
  /** ALLOW_TVM_FREEZE: contracts stake the old way; the bill goes by what was left before the call. */
  readonly tvmFreeze: boolean;
  /** ALLOW_ADAPTIVE_ENERGY. */
  readonly adaptiveEnergy: boolean;
  /** ALLOW_HARDEN_RESOURCE_CALCULATION (4.8.2): exact integers in place of doubles and silent overflow. */
  readonly hardened: boolean;
}

type RuleProperty =
  | 'UNFREEZE_DELAY_DAYS'
  | 'ALLOW_CANCEL_ALL_UNFREEZE_V2'
  | 'ALLOW_NEW_REWARD'
  | 'ALLOW_NEW_RESOURCE_MODEL'
  | 'ALLOW_TVM_FREEZE'
  | 'ALLOW_ADAPTIVE_ENERGY'
  | 'ALLOW_HARDEN_RESOURCE_CALCULATION';

/** The rules in force, read from the dynamic properties. */
export function resourceRules(read: (property: RuleProperty) => bigint, daySlots: bigint): ResourceRules {
  const unfreezeDelay = read('UNFREEZE_DELAY_DAYS') > 0n;
  return {
    daySlots,
    unfreezeDelay,
    cancelAllUnfreezeV2: unfreezeDelay && read('ALLOW_CANCEL_ALL_UNFREEZE_V2') === 1n,
    newReward: read('ALLOW_NEW_REWARD') === 1n,
    newResourceModel: read('ALLOW_NEW_RESOURCE_MODEL') === 1n,
    tvmFreeze: read('ALLOW_TVM_FREEZE') === 1n,
    adaptiveEnergy: read('ALLOW_ADAPTIVE_ENERGY') === 1n,
    hardened: read('ALLOW_HARDEN_RESOURCE_CALCULATION') === 1n,
  };
}

/** What the network shares out per day, and the coins staked for it. */
export interface ResourceTotals {
  /** TOTAL_NET_LIMIT, bytes. */
  readonly netLimit: bigint;
  /** TOTAL_NET_WEIGHT, whole coins. */
  readonly netWeight: bigint;
  /** TOTAL_ENERGY_CURRENT_LIMIT, Energy. */
  readonly energyLimit: bigint;
  /** TOTAL_ENERGY_WEIGHT, whole coins. */
  readonly energyWeight: bigint;
}

type TotalProperty = 'TOTAL_NET_LIMIT' | 'TOTAL_NET_WEIGHT' | 'TOTAL_ENERGY_CURRENT_LIMIT' | 'TOTAL_ENERGY_WEIGHT';

/** The totals in force, read from the dynamic properties. */
export function resourceTotals(read: (property: TotalProperty) => bigint): ResourceTotals {
  return {
    netLimit: read('TOTAL_NET_LIMIT'),
    netWeight: read('TOTAL_NET_WEIGHT'),
    energyLimit: read('TOTAL_ENERGY_CURRENT_LIMIT'),
    energyWeight: read('TOTAL_ENERGY_WEIGHT'),
  };
}
