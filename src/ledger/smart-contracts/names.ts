/**
 * ABI and name of a contract for display: the chain's own, or those of the artifact with the same code. Log, traces,
 * explanations and `/v1` use it. Execution does not: names change no receipt.
 */

import type { ContractAbi } from '../../abi/items.js';
import type { KnownContract } from '../../artifacts/known-contracts.js';
import type { Address } from '../../primitives/ids.js';
import type { SmartContract_ABI } from '../../protocol/generated/smart-contract.js';
import type { Ledger } from '../ledger.js';

/** Names and ABIs of contracts for display: from a chain ({@link namesOn}), or from a network's answers. */
export interface ContractNames {
  /** Empty if there is no contract, or it has no name. */
  nameOf(address: Address): string;
  /** Undefined if it is unknown. */
  abiOf(address: Address): ContractAbi | undefined;
}

export const namesOn = (ledger: Ledger): ContractNames => ({
  nameOf: (address) => nameAt(ledger, address),
  abiOf: (address) => abiAt(ledger, address),
});

/** Undefined if neither has one. */
export function abiAt(ledger: Ledger, address: Address): ContractAbi | undefined {
  const abi = ledger.state.tables.abis.get(address);
  return abi === undefined || lacksNames(abi) ? (knownAt(ledger, address)?.abi ?? abi) : abi;
}

/** The chain stores no components of tuples, so selectors with tuples cannot be computed. */
function lacksNames({ entrys }: SmartContract_ABI): boolean {
  const isTuple = ({ type }: { readonly type: string }) => type.startsWith('tuple');
  return entrys.length === 0 || entrys.some(({ inputs, outputs }) => inputs.some(isTuple) || outputs.some(isTuple));
}

/** Empty if there is no contract, or it has no name. */
export function nameAt(ledger: Ledger, address: Address): string {
  const name = ledger.state.tables.contracts.get(address)?.name ?? '';
  return name === '' ? (knownAt(ledger, address)?.name ?? '') : name;
}

function knownAt({ config, state }: Ledger, address: Address): KnownContract | undefined {
  if (config.knownContracts === undefined) return undefined;
  const code = state.tables.codes.get(address);
  return code === undefined || code.length === 0 ? undefined : config.knownContracts.byCode(code);
}
