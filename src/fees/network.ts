/** The network's part of every fee: prices, limits and rules, read from a node's answers. */

import type { ParameterKey, ParameterProperty } from '../parameters/definitions.js';
import type { WholeNumber } from '../primitives/whole-number.js';
import { energyPriceSun } from '../resources/energy-price.js';
import { type ResourceRules, type ResourceTotals, resourceRules } from '../resources/rules.js';
import { amount, whole } from './amounts.js';
import { daySlots, SLOT_MS, type Slots } from './slots.js';

/** Answer of `/wallet/getchainparameters`; a value of 0 may be missing, as in java-tron's JSON. */
export type ChainParametersAnswer =
  | { readonly chainParameter: readonly ChainParameterAnswer[] }
  /** As TronWeb's `trx.getChainParameters()` gives it. */
  | readonly ChainParameterAnswer[];

export interface ChainParameterAnswer {
  readonly key: string;
  readonly value?: WholeNumber | undefined;
}

/** Network values in `getaccountresource` of any account. */
export interface NetworkTotalsAnswer {
  /** Bytes a day. */
  readonly TotalNetLimit?: WholeNumber | undefined;
  /** TRX staked for bandwidth. */
  readonly TotalNetWeight?: WholeNumber | undefined;
  /** Energy a day. */
  readonly TotalEnergyLimit?: WholeNumber | undefined;
  /** TRX staked for Energy. */
  readonly TotalEnergyWeight?: WholeNumber | undefined;
}

/** Amounts in sun, bytes or Energy, as the names say. */
export interface FeeNetwork {
  /** `getEnergyFee`: sun per Energy; a value of 0 means 100. */
  readonly energyPriceSun: bigint;
  /** `getTransactionFee`: sun per byte. */
  readonly bytePriceSun: bigint;
  /** `getFreeNetLimit`: bytes of an account per day. */
  readonly freeBandwidth: bigint;
  /**
   * Remaining bytes of the network's pool of free bandwidth (14,400,000,000 bytes a day for all accounts). No answer
   * of a node has it; set it if you know it. Absent: enough.
   */
  readonly publicFreeBandwidth?: bigint | undefined;
  /** `getCreateAccountFee`: replaces the bandwidth fee if a transaction creates an account. */
  readonly accountCreationFeeSun: bigint;
  /** `getCreateNewAccountBandwidthRate`: factor on its bytes if stake pays. */
  readonly accountCreationRate: bigint;
  /** `getCreateNewAccountFeeInSystemContract`: charged in addition to bandwidth. */
  readonly activationFeeSun: bigint;
  readonly memoFeeSun: bigint;
  readonly multiSignFeeSun: bigint;
  readonly maxFeeLimitSun: bigint;
  /** Undefined: switched off. Factors in 1/10,000. */
  readonly dynamicEnergy:
    | { readonly threshold: bigint; readonly increaseFactor: bigint; readonly maxFactor: bigint }
    | undefined;
  /** Daily total to share, and the TRX staked for it. */
  readonly totals: ResourceTotals;
  readonly rules: ResourceRules;
}

/** The parameters that fees depend on. The type checks the keys against the parameter table. */
const KEYS = {
  ENERGY_FEE: 'getEnergyFee',
  TRANSACTION_FEE: 'getTransactionFee',
  FREE_NET_LIMIT: 'getFreeNetLimit',
  CREATE_ACCOUNT_FEE: 'getCreateAccountFee',
  CREATE_NEW_ACCOUNT_BANDWIDTH_RATE: 'getCreateNewAccountBandwidthRate',
  CREATE_NEW_ACCOUNT_FEE_IN_SYSTEM_CONTRACT: 'getCreateNewAccountFeeInSystemContract',
  MEMO_FEE: 'getMemoFee',
  MULTI_SIGN_FEE: 'getMultiSignFee',
  MAX_FEE_LIMIT: 'getMaxFeeLimit',
  ALLOW_DYNAMIC_ENERGY: 'getAllowDynamicEnergy',
  DYNAMIC_ENERGY_THRESHOLD: 'getDynamicEnergyThreshold',
  DYNAMIC_ENERGY_INCREASE_FACTOR: 'getDynamicEnergyIncreaseFactor',
  DYNAMIC_ENERGY_MAX_FACTOR: 'getDynamicEnergyMaxFactor',
  UNFREEZE_DELAY_DAYS: 'getUnfreezeDelayDays',
  ALLOW_CANCEL_ALL_UNFREEZE_V2: 'getAllowCancelAllUnfreezeV2',
  ALLOW_NEW_REWARD: 'getAllowNewReward',
  ALLOW_NEW_RESOURCE_MODEL: 'getAllowNewResourceModel',
  ALLOW_TVM_FREEZE: 'getAllowTvmFreeze',
  ALLOW_ADAPTIVE_ENERGY: 'getAllowAdaptiveEnergy',
  ALLOW_HARDEN_RESOURCE_CALCULATION: 'getAllowHardenResourceCalculation',
} as const satisfies { readonly [P in ParameterProperty]?: ParameterKey<P> };

/** Untrusted JSON from a node or a proxy. */
function parametersIn(answer: ChainParametersAnswer | null | undefined): readonly ChainParameterAnswer[] {
  const list: unknown = answer && 'chainParameter' in answer ? answer.chainParameter : answer;
  if (!Array.isArray(list)) throw new TypeError('not an answer of getchainparameters: chainParameter is missing');
  return list;
}

/**
 * Reads the network's values from two answers of a node.
 *
 * @param chainParameters of `/wallet/getchainparameters`
 * @param totals of `/wallet/getaccountresource` of any account; without it, no account has a stake
 * @param slots `slotMs` of a network whose slots are not 3,000 ms, which no answer contains
 * @throws TypeError for another kind of answer
 * @example networkFrom(await tronWeb.trx.getChainParameters(), await tronWeb.trx.getAccountResources(address))
 */
export function networkFrom(
  chainParameters: ChainParametersAnswer,
  totals: NetworkTotalsAnswer = {},
  { slotMs = SLOT_MS }: Pick<Slots, 'slotMs'> = {},
): FeeNetwork {
  const list = parametersIn(chainParameters);
  const values = new Map(list.map(({ key, value }) => [key, value]));
  const read = (property: keyof typeof KEYS): bigint => whole(values.get(KEYS[property]), KEYS[property]);
  return {
    energyPriceSun: energyPriceSun(read('ENERGY_FEE')),
    bytePriceSun: read('TRANSACTION_FEE'),
    freeBandwidth: read('FREE_NET_LIMIT'),
    accountCreationFeeSun: read('CREATE_ACCOUNT_FEE'),
    accountCreationRate: read('CREATE_NEW_ACCOUNT_BANDWIDTH_RATE'),
    activationFeeSun: read('CREATE_NEW_ACCOUNT_FEE_IN_SYSTEM_CONTRACT'),
    memoFeeSun: read('MEMO_FEE'),
    multiSignFeeSun: read('MULTI_SIGN_FEE'),
    maxFeeLimitSun: read('MAX_FEE_LIMIT'),
    dynamicEnergy:
      read('ALLOW_DYNAMIC_ENERGY') === 1n
        ? {
            threshold: read('DYNAMIC_ENERGY_THRESHOLD'),
            increaseFactor: read('DYNAMIC_ENERGY_INCREASE_FACTOR'),
            maxFactor: read('DYNAMIC_ENERGY_MAX_FACTOR'),
          }
        : undefined,
    totals: {
      netLimit: amount(totals.TotalNetLimit, 'TotalNetLimit'),
      netWeight: amount(totals.TotalNetWeight, 'TotalNetWeight'),
      energyLimit: amount(totals.TotalEnergyLimit, 'TotalEnergyLimit'),
      energyWeight: amount(totals.TotalEnergyWeight, 'TotalEnergyWeight'),
    },
    rules: resourceRules(read, BigInt(daySlots(slotMs))),
  };
}
