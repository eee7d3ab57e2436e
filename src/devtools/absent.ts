/** Methods of Ethereum's devnets that have nothing to act on here: refused with what there is instead. */

import { OperationError } from '../errors/operation-error.js';

/** As an unknown method is refused, so that libraries take it for one. */
class AbsentError extends OperationError {
  override readonly name = 'AbsentError';
  override readonly code = -32_601;
}

const INSTEAD =
  'there is no block gas limit, base fee, gas price or randomness to set: prices and limits are chain parameters (tron_setChainParameters)';

const ABSENT: ReadonlySet<string> = new Set([
  'evm_setBlockGasLimit',
  'miner_setGasPrice',
  'hardhat_setPrevRandao',
  ...['anvil', 'hardhat'].flatMap((tool) => [
    `${tool}_setBlockGasLimit`,
    `${tool}_setMinGasPrice`,
    `${tool}_setNextBlockBaseFeePerGas`,
    `${tool}_setNextBlockPrevRandao`,
  ]),
]);

/** Undefined: the name is just unknown. */
export function absence(name: string): OperationError | undefined {
  return ABSENT.has(name)
    ? new AbsentError(`the method ${name} does not exist/is not available: ${INSTEAD}`)
    : undefined;
}
