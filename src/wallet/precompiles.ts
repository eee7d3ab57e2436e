/** Calls of precompiled contracts from outside. TRON runs them for contracts only; on `/eth` they answer a call, too. */

import { tvmFlags } from '../ledger/smart-contracts/flags.js';
import { hexToBytes } from '../primitives/hex.js';
import type { Address } from '../primitives/ids.js';
import { precompileAt } from '../tvm/precompiles/table.js';
import type { StateOverrides } from './calls.js';
import type { WalletContext } from './context.js';

export function isPrecompile({ ledger }: WalletContext, address: Address): boolean {
  return precompileAt(BigInt(`0x${address.slice(2)}`), tvmFlags(ledger)) !== undefined;
}

/**
 * Lets one call reach a precompiled contract: code at its address that hands over the data, and returns the result. A call
 * from code is what the machine runs precompiled contracts for.
 */
export function forwardingTo(address: Address): StateOverrides {
  // CALLDATACOPY, STATICCALL, RETURNDATACOPY, then RETURN, or REVERT after a failure.
  const code = `36600060003760006000366000${`73${address.slice(2)}`}5afa3d600060003e60325760006000fd5b3d6000f3`;
  return new Map([[address, { code: hexToBytes(code) }]]);
}
