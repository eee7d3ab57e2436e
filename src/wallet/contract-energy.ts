/**
 * Dynamic energy of a contract, and the Energy until its factor rises
 * (protocol/energy-factor.md#catching-up-with-missed-cycles).
 */

import { contractEnergyState } from '../ledger/smart-contracts/dynamic-energy.js';
import type { Address } from '../primitives/ids.js';
import type { ContractEnergyState } from '../resources/dynamic-energy.js';
import type { WalletContext } from './context.js';

export interface ContractEnergyReport {
  /** As last written; undefined: the contract was never called. */
  readonly stored: ContractEnergyState | undefined;
  /** Brought to the current cycle. */
  readonly current: ContractEnergyState;
  /** Whether the chain has the dynamic energy model. */
  readonly enabled: boolean;
  /** More Energy than this in one cycle raises the factor. */
  readonly threshold: bigint;
}

/** @returns undefined if there is no contract */
export function contractEnergyReport({ ledger }: WalletContext, address: Address): ContractEnergyReport | undefined {
  if (!ledger.state.tables.contracts.has(address)) return undefined;
  return {
    stored: ledger.state.tables.contractStates.get(address),
    current: contractEnergyState(ledger, address),
    enabled: ledger.on('ALLOW_DYNAMIC_ENERGY'),
    threshold: ledger.long('DYNAMIC_ENERGY_THRESHOLD'),
  };
}
