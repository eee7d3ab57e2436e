/**
 * By which ABI and name a contract is shown: the chain's own, or else those of the artifact that has the same code. The
 * one place that log, traces, explanations and `/v1` ask. Nothing that runs does: names change no receipt.
 */

import type { ContractAbi } from '../../abi/items.js';
import type { KnownContract } from '../../artifacts/known-contracts.js';
import type { Address } from '../../primitives/ids.js';
import type { SmartContract_ABI } from '../../protocol/generated/smart-contract.js';
import type { Ledger } from '../ledger.js';

/** Undefined where neither has one. */
export function abiAt(ledger: Ledger, address: Address): ContractAbi | undefined {
  const abi = ledger.state.tables.abis.get(address);
  return abi === undefined || lacksNames(abi) ? (knownAt(ledger, address)?.abi ?? abi) : abi;
}

/** The chain keeps no components of tuples, so what takes one cannot be told by its selector. */
function lacksNames({ entrys }: SmartContract_ABI): boolean {
  const isTuple = ({ type }: { readonly type: string }) => type.startsWith('tuple');
  return entrys.length === 0 || entrys.some(({ inputs, outputs }) => inputs.some(isTuple) || outputs.some(isTuple));
}

/** Empty for what is no contract, and for a contract that nobody named. */
export function nameAt(ledger: Ledger, address: Address): string {
  const name = ledger.state.tables.contracts.get(address)?.name ?? '';
  return name === '' ? (knownAt(ledger, address)?.name ?? '') : name;
}

function knownAt({ config, state }: Ledger, address: Address): KnownContract | undefined {
  if (config.knownContracts === undefined) return undefined;
  const code = state.tables.codes.get(address);
  return code === undefined || code.length === 0 ? undefined : config.knownContracts.byCode(code);
}
