/** Fee settings of a contract: shares of caller and deployer, and the energy factor. */

import type { WholeNumber } from '../primitives/whole-number.js';
import { callerPercent, originEnergyLimit } from '../resources/budget.js';
import { caughtUp, factorAfterBusyCycles } from '../resources/dynamic-energy.js';
import { amount, counted, whole } from './amounts.js';
import type { FeeNetwork } from './network.js';

/** Answer of `/wallet/getcontractinfo`, or its `smart_contract` alone (TronWeb's `trx.getContract()`). */
export interface ContractInfoAnswer extends SmartContractAnswer {
  readonly smart_contract?: SmartContractAnswer | undefined;
  readonly contract_state?: { readonly energy_factor?: WholeNumber | undefined } | undefined;
}

export interface SmartContractAnswer {
  readonly origin_address?: string | undefined;
  readonly consume_user_resource_percent?: WholeNumber | undefined;
  readonly origin_energy_limit?: WholeNumber | undefined;
}

export interface FeeContract {
  /** `consume_user_resource_percent`: the caller's share of a call's Energy. */
  readonly callerPercent: number;
  /** `origin_energy_limit`: the most Energy that the deployer pays for one call. */
  readonly originEnergyLimit: number;
  /** `energy_factor` in 1/10,000: 0 means the base price, 34,000 means 4.4 times the base price. */
  readonly energyFactor: number;
  /** The deployer's address, whose resources `originEnergy` describes; in the form of the answer. */
  readonly deployer: string | undefined;
}

/**
 * Reads a contract from a node's answer.
 *
 * @throws TypeError for another kind of answer
 */
export function contractFrom(answer: ContractInfoAnswer): FeeContract {
  const contract = answer.smart_contract ?? answer;
  const limit = amount(contract.origin_energy_limit, 'origin_energy_limit');
  return {
    callerPercent: Number(
      callerPercent(whole(contract.consume_user_resource_percent, 'consume_user_resource_percent')),
    ),
    originEnergyLimit: counted(originEnergyLimit(limit)),
    energyFactor: counted(amount(answer.contract_state?.energy_factor, 'energy_factor')),
    deployer: contract.origin_address,
  };
}

/**
 * The energy factor of a contract after some epochs, in 1/10,000.
 *
 * @param epochs of 6 hours on the main network
 * @param busy whether the contract's base Energy is above the network's threshold in each epoch; otherwise nobody
 * calls it until then. A quiet contract that is called in every epoch falls slightly faster, because each call rounds
 * down.
 *
 * @example factorAfter(0, 2, true, network) // 4400
 * @example factorAfter(34_000, 4, false, network) // 25838
 */
export function factorAfter(energyFactor: number, epochs: number, busy: boolean, network: FeeNetwork): number {
  const { dynamicEnergy } = network;
  if (dynamicEnergy === undefined) return 0;
  const energy_factor = amount(energyFactor, 'energyFactor');
  const passed = amount(epochs, 'epochs');
  if (!busy) {
    const state = { energy_usage: 0n, energy_factor, update_cycle: 1n };
    return counted(caughtUp(state, { ...dynamicEnergy, cycle: 1n + passed }).energy_factor);
  }
  return counted(factorAfterBusyCycles(energy_factor, Number(passed), dynamicEnergy));
}

/**
 * The most Energy that a call uses at a factor, from its Energy at the base price. The real value can be a few units
 * lower: the network rounds each instruction down, and the factor does not apply to deployed code and precompiled
 * contracts.
 *
 * @param baseEnergy `energy_used - energy_penalty` of `triggerconstantcontract`
 * @example penalised(10_000, 34_000) // 44000
 */
export function penalised(baseEnergy: WholeNumber, energyFactor: number): number {
  const base = amount(baseEnergy, 'baseEnergy');
  return counted((base * (10_000n + amount(energyFactor, 'energyFactor'))) / 10_000n);
}
