/**
 * The variant of the resource formulas that a chain uses, and the network's figures for them, as plain values
 * (protocol/proposals.md#which-flags-change-the-formulas). The comments name the chain parameters.
 */

export interface ResourceRules {
  /** Slots in a day: 28,800 for slots of 3 s. */
  readonly daySlots: bigint;
  /** Stake 2.0: UNFREEZE_DELAY_DAYS > 0. Accounts have their own recovery windows, and fractions of a TRX count. */
  readonly unfreezeDelay: boolean;
  /** ALLOW_CANCEL_ALL_UNFREEZE_V2 under Stake 2.0: windows are stored in thousandths of a slot. */
  readonly cancelAllUnfreezeV2: boolean;
  /** ALLOW_NEW_REWARD: totals of stake count whole TRX of each account and are never negative. */
  readonly newReward: boolean;
  /** ALLOW_NEW_RESOURCE_MODEL: voting power needs a stake of its own. */
  readonly newResourceModel: boolean;
  /** ALLOW_TVM_FREEZE: contracts can stake with Stake 1.0; the bill uses the Energy left before the call. */
  readonly tvmFreeze: boolean;
  /** ALLOW_ADAPTIVE_ENERGY. */
  readonly adaptiveEnergy: boolean;
  /** ALLOW_HARDEN_RESOURCE_CALCULATION (4.8.2): exact integers instead of doubles and silent overflow. */
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

/** The current rules, from the dynamic properties. */
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

/** Resources that the network distributes per day, and the stake for them. */
export interface ResourceTotals {
  /** TOTAL_NET_LIMIT, bytes. */
  readonly netLimit: bigint;
  /** TOTAL_NET_WEIGHT, whole TRX. */
  readonly netWeight: bigint;
  /** TOTAL_ENERGY_CURRENT_LIMIT, Energy. */
  readonly energyLimit: bigint;
  /** TOTAL_ENERGY_WEIGHT, whole TRX. */
  readonly energyWeight: bigint;
}

type TotalProperty = 'TOTAL_NET_LIMIT' | 'TOTAL_NET_WEIGHT' | 'TOTAL_ENERGY_CURRENT_LIMIT' | 'TOTAL_ENERGY_WEIGHT';

/** The current totals, from the dynamic properties. */
export function resourceTotals(read: (property: TotalProperty) => bigint): ResourceTotals {
  return {
    netLimit: read('TOTAL_NET_LIMIT'),
    netWeight: read('TOTAL_NET_WEIGHT'),
    energyLimit: read('TOTAL_ENERGY_CURRENT_LIMIT'),
    energyWeight: read('TOTAL_ENERGY_WEIGHT'),
  };
}
