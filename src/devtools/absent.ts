/** Methods of Ethereum devnets without a counterpart on TRON: refused, with the alternative. */

import { OperationError } from '../errors/operation-error.js';

/** The code of an unknown method, which libraries know. */
class AbsentError extends OperationError {
  override readonly name = 'AbsentError';
  override readonly code = -32_601;
}

const PRICES =
  'TRON has no block gas limit, base fee, gas price or randomness to set: prices and limits are chain parameters (tron_setChainParameters)';

const INSTEAD: ReadonlyMap<string, string> = new Map([
  ['evm_setBlockGasLimit', PRICES],
  ['miner_setGasPrice', PRICES],
  ['hardhat_setPrevRandao', PRICES],
  ...['anvil', 'hardhat'].flatMap((tool): (readonly [string, string])[] => [
    [`${tool}_setBlockGasLimit`, PRICES],
    [`${tool}_setMinGasPrice`, PRICES],
    [`${tool}_setNextBlockBaseFeePerGas`, PRICES],
    [`${tool}_setNextBlockPrevRandao`, PRICES],
  ]),
]);

/** Undefined: an unknown name. */
export function absence(name: string): OperationError | undefined {
  const instead = INSTEAD.get(name);
  return instead === undefined
    ? undefined
    : new AbsentError(`the method ${name} does not exist/is not available: ${instead}`);
}
