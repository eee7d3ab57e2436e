/** Console output of a contract: its calls to the address of `console.log`. */

import { bytesToHex, type Hex } from '../../primitives/hex.js';
import type { ExecutionResult } from '../../tvm/run.js';

/** Hardhat's console address with the network's prefix (protocol/devnet-methods.md#consolelog). */
export const CONSOLE_ADDRESS = '41000000000000000000636f6e736f6c652e6c6f67';

export function consoleCallsOf(result: ExecutionResult): readonly Hex[] {
  return [...result.internalTransactions, ...result.lostInternalTransactions]
    .filter(({ transferToAddress }) => transferToAddress === CONSOLE_ADDRESS)
    .map(({ data }) => bytesToHex(data));
}
