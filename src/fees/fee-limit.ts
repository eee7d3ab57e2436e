/** Which `fee_limit` a call should have: enough for a price that rises until it is in a block, and no more. */

import { callerNeed } from '../resources/budget.js';
import type { FeeAccount } from './account.js';
import { amount, counted, type Whole } from './amounts.js';
import { type FeeContract, factorAfter, penalised } from './contract.js';
import { type CallTerms, energyTerms, transactionCost } from './cost.js';
import type { FeeNetwork } from './network.js';

/** What a node said of the call: an answer of `triggerconstantcontract` or of `estimateenergy`. */
export interface EnergyAnswer {
  readonly energy_used?: Whole | undefined;
  /** What of it is the penalty; of `triggerconstantcontract`. */
  readonly energy_penalty?: Whole | undefined;
  /** Of `estimateenergy`: up to a TRX's worth above the need. */
  readonly energy_required?: Whole | undefined;
}

export interface FeeLimitTerms extends Omit<CallTerms, 'feeLimitSun' | 'contract'> {
  /** The contract that is called; if it calls others with a higher factor, with the highest of their factors. */
  readonly contract?: FeeContract | undefined;
  /**
   * In how many epochs the factor may still rise until the call is in a block. 0: it is sent and confirmed in this epoch;
   * 1 is safe for a call that is sent at once. Default 1.
   */
  readonly epochs?: number | undefined;
}

export interface FeeLimitAdvice {
  /** For `fee_limit`; `Number(feeLimitSun)` for TronWeb. Never above the network's highest. */
  readonly feeLimitSun: bigint;
  /** Energy that is reckoned with, penalty included. */
  readonly energy: number;
  /** What of it the caller must be able to pay for. */
  readonly callerEnergy: number;
  /** The factor that is reckoned with, 1/10,000. */
  readonly energyFactor: number;
  /** Sun that the caller's balance lacks for this much Energy and the fees around it, 0 if nothing. */
  readonly missingSun: bigint;
  /** More is needed than the network allows: no fee limit is enough. */
  readonly beyondMaximum: boolean;
}

/**
 * The smallest fee limit with which a call does not run out of Energy, if it does what the node tried, even when the
 * contract's factor rises in each of the epochs until then.
 *
 * The figure of `estimateenergy` holds for the factor of now and is taken as the base price where the factor may rise, so
 * that `triggerconstantcontract`, which tells the penalty apart, gives the narrower advice. Some calls need more on the
 * way than they have used in the end (contracts that send TRX get 2,300 Energy back for each transfer): hand in both
 * answers for those, `{ ...constant, ...estimate }`.
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
  if (used === 0 && required === 0) throw new TypeError('neither energy_used nor energy_required');
  if (factorThen <= factorNow) return Math.max(used, required);
  const base = penalty === undefined ? 0 : used - counted(amount(penalty, 'energy_penalty'));
  if (used > 0 && penalty !== undefined) {
    // What it needs on the way above what it uses is raised like the rest.
    const onTheWay = Math.max(0, required - used);
    return penalised(base + onTheWay, factorThen);
  }
  return penalised(Math.max(used, required), factorThen);
}
