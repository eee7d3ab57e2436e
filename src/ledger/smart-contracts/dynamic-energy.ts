/**
 * The present dynamic-energy record of a contract (protocol/energy-factor.md#catching-up-with-missed-cycles). The
 * model is in `resources/dynamic-energy.ts`; the penalty on an opcode's price is the machine's (`tvm/energy-cost.ts`).
 */

import type { Address } from '../../primitives/ids.js';
import { type ContractEnergyState, caughtUp, type DynamicEnergyTerms } from '../../resources/dynamic-energy.js';
import type { Ledger } from '../ledger.js';

/** The record brought to the current cycle, not stored; the stored one if it is of this cycle. */
export function contractEnergyState(ledger: Ledger, contract: Address): ContractEnergyState {
  const state = ledger.state.tables.contractStates.get(contract);
  // Almost every frame: nothing to catch up with, so the terms need not be read.
  if (state !== undefined && state.update_cycle === ledger.long('CURRENT_CYCLE_NUMBER')) return state;
  return caughtUp(state, dynamicEnergyTerms(ledger));
}

export function dynamicEnergyTerms(ledger: Ledger): DynamicEnergyTerms {
  return {
    cycle: ledger.long('CURRENT_CYCLE_NUMBER'),
    threshold: ledger.long('DYNAMIC_ENERGY_THRESHOLD'),
    increaseFactor: ledger.long('DYNAMIC_ENERGY_INCREASE_FACTOR'),
    maxFactor: ledger.long('DYNAMIC_ENERGY_MAX_FACTOR'),
  };
}
