/**
 * The dynamic-energy record of a contract as it stands now (protocol/energy-factor.md#catching-up-with-missed-cycles).
 * The model itself is in `resources/dynamic-energy.ts`; the penalty that a factor adds to an opcode's price is the
 * machine's (`tvm/energy-cost.ts`).
 */

import type { Address } from '../../primitives/ids.js';
import { type ContractEnergyState, caughtUp, type DynamicEnergyTerms } from '../../resources/dynamic-energy.js';
import type { Ledger } from '../ledger.js';

/** The record brought to the running cycle, not stored; the stored one itself when it is of this cycle. */
export function contractEnergyState(ledger: Ledger, contract: Address): ContractEnergyState {
  return caughtUp(ledger.state.tables.contractStates.get(contract), dynamicEnergyTerms(ledger));
}

export function dynamicEnergyTerms(ledger: Ledger): DynamicEnergyTerms {
  return {
    cycle: ledger.long('CURRENT_CYCLE_NUMBER'),
    threshold: ledger.long('DYNAMIC_ENERGY_THRESHOLD'),
    increaseFactor: ledger.long('DYNAMIC_ENERGY_INCREASE_FACTOR'),
    maxFactor: ledger.long('DYNAMIC_ENERGY_MAX_FACTOR'),
  };
}
