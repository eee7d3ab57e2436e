/** A `fee_limit` for a call: enough if the price rises until a block contains it, and no more. */

import type { WholeNumber } from '../primitives/whole-number.js';
import { callerNeed } from '../resources/budget.js';
import type { FeeAccount } from './account.js';
import { amount, counted } from './amounts.js';
import { type FeeContract, factorAfter, penalised } from './contract.js';
import { type CallTerms, energyTerms, transactionCost } from './cost.js';
import type { FeeNetwork } from './network.js';

/** A node's result for the call: an answer of `triggerconstantcontract` or of `estimateenergy`. */
export interface EnergyAnswer {
  readonly energy_used?: WholeNumber | undefined;
  /** The penalty part; from `triggerconstantcontract`. */
  readonly energy_penalty?: WholeNumber | undefined;
  /** From `estimateenergy`: above the need by up to the Energy of one TRX. */
  readonly energy_required?: WholeNumber | undefined;
}

export interface FeeLimitTerms extends Omit<CallTerms, 'feeLimitSun' | 'contract'> {
  /** The called contract; if it calls others with a higher factor, use the highest of their factors. */
  readonly contract?: FeeContract | undefined;
  /**
   * Number of epochs in which the factor can still rise before a block contains the call. 0: confirmed in this epoch;
   * 1 is safe for a call that is sent immediately. Default 1.
   */
  readonly epochs?: number | undefined;
}

export interface FeeLimitAdvice {
  /** For `fee_limit`; `Number(feeLimitSun)` for TronWeb. At most the network's maximum. */
  readonly feeLimitSun: bigint;
  /** The assumed Energy, penalty included. */
  readonly energy: number;
  /** The part that the caller must be able to pay. */
  readonly callerEnergy: number;
  /** The assumed factor, in 1/10,000. */
  readonly energyFactor: number;
  /** Sun missing in the caller's balance for this Energy and the other fees, or 0. */
  readonly missingSun: bigint;
  /** The need is above the network's maximum: no fee limit suffices. */
  readonly beyondMaximum: boolean;
}

/**
 * The smallest fee limit with which a call does not run out of Energy, if it does what the node executed, even if the
 * contract's factor rises in each of the epochs. The figure of `estimateenergy` includes the present factor and is
 * treated as the base price if the factor may rise. So `triggerconstantcontract`, which reports the penalty
 * separately, gives a lower limit. Some calls temporarily need more than they use in total (contracts that send TRX
 * get 2,300 Energy back for each transfer): pass both answers for these, `{ ...constant, ...estimate }`.
 *
 * @param answer of the node
 * @param account the caller's
 * @example adviseFeeLimit(await constantCall, { bytes: 345, contract, epochs: 2 }, account, network).feeLimitSun
 */
export function adviseFeeLimit(
  answer: EnergyAnswer,
  terms: FeeLimitTerms,
  account: FeeAccount,
  network: FeeNetwork,
): FeeLimitAdvice {
  const { contract, epochs = 1 } = terms;
  const factorNow = contract?.energyFactor ?? 0;
  const energyFactor = factorAfter(factorNow, epochs, true, network);
  const energy = amount(energyNeeded(answer, factorNow, energyFactor), 'energy');
  const around = transactionCost(terms, account, network);
  const { caller, origin } = energyTerms({ ...terms, feeLimitSun: 0n }, account, around, network);
  const need = callerNeed(energy, caller, origin);
  const beyondMaximum = need.feeLimitSun > network.maxFeeLimitSun;
  return {
    feeLimitSun: beyondMaximum ? network.maxFeeLimitSun : need.feeLimitSun,
    energy: counted(energy),
    callerEnergy: counted(need.callerEnergy),
    energyFactor,
    missingSun: need.missingBalanceSun + around.missingSun,
    beyondMaximum,
  };
}

function energyNeeded(answer: EnergyAnswer, factorNow: number, factorThen: number): number {
  const used = counted(amount(answer.energy_used, 'energy_used'));
  const penalty = answer.energy_penalty;
  const required = counted(amount(answer.energy_required, 'energy_required'));
  if (used === 0 && required === 0) throw new TypeError('the answer has neither energy_used nor energy_required');
  if (factorThen <= factorNow) return Math.max(used, required);
  const base = penalty === undefined ? 0 : used - counted(amount(penalty, 'energy_penalty'));
  if (used > 0 && penalty !== undefined) {
    // The temporary need above the total use rises with the factor, too.
    const onTheWay = Math.max(0, required - used);
    return penalised(base + onTheWay, factorThen);
  }
  return penalised(Math.max(used, required), factorThen);
}
