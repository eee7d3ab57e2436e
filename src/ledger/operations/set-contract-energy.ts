import { OperationError } from '../../errors/operation-error.js';
import type { Address } from '../../primitives/ids.js';
import { toBase58 } from '../../protocol/address.js';
import { ContractState } from '../../protocol/generated/smart-contract.js';
import type { Ledger } from '../ledger.js';
import { contractEnergyState } from '../smart-contracts/dynamic-energy.js';

/** The highest factor that a committee can allow. */
const MAX_FACTOR = 100_000n;
/** The highest threshold that a committee can set. */
const MAX_USAGE = 100_000_000_000_000_000n;

/** The dynamic-energy record of a contract. */
export interface ContractEnergy {
  /** Penalty in 1/10,000 of the base price: 0 means the base price, 34,000 means 4.4 times the base price. */
  readonly energyFactor: bigint;
  /** Energy at the base price used in the cycle. */
  readonly energyUsage: bigint;
  readonly updateCycle: bigint;
}

/**
 * Sets the dynamic-energy record of a contract; omitted values keep their state of the current cycle.
 *
 * @param state `updateCycle`: the cycle of the record, default the current one
 * @throws OperationError if there is no contract, and for values that no record can have
 * @example setContractEnergy(ledger, { address, state: { energyFactor: 12_000n } })
 */
export function setContractEnergy(
  ledger: Ledger,
  { address, state }: { readonly address: Address; readonly state: Partial<ContractEnergy> },
): ContractEnergy {
  const { contracts, contractStates } = ledger.state.tables;
  if (!contracts.has(address)) throw new OperationError(`no contract at ${toBase58(address)}`);
  const now = contractEnergyState(ledger, address);
  const cycle = ledger.long('CURRENT_CYCLE_NUMBER');
  const { energyFactor = now.energy_factor, energyUsage = now.energy_usage, updateCycle = cycle } = state;
  checkRange('energyFactor', energyFactor, MAX_FACTOR);
  checkRange('energyUsage', energyUsage, MAX_USAGE);
  checkRange('updateCycle', updateCycle, cycle);
  contractStates.set(
    address,
    ContractState.create({ energy_factor: energyFactor, energy_usage: energyUsage, update_cycle: updateCycle }),
  );
  return { energyFactor, energyUsage, updateCycle };
}

function checkRange(name: string, value: bigint, most: bigint): void {
  if (value < 0n || value > most) throw new OperationError(`${name} must be 0 to ${most}, got ${value}`);
}
