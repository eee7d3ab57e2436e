/**
 * By which ABI and name a contract is shown: the chain's own, or else those of the artifact that has the same code. The
 * one place that log, traces, explanations and `/v1` ask. Nothing that runs does: names change no receipt.
 */

import type { ContractAbi } from '../../abi/items.js';
import type { KnownContract } from '../../abi/known-contracts.js';
import type { Address } from '../../primitives/ids.js';
import type { Ledger } from '../ledger.js';

/** Undefined where neither has one. */
export function abiAt(ledger: Ledger, address: Address): ContractAbi | undefined {
  const abi = ledger.state.tables.abis.get(address);
  return abi === undefined || abi.entrys.length === 0 ? (knownAt(ledger, address)?.abi ?? abi) : abi;
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
