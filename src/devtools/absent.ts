/** Methods of Ethereum's devnets that have nothing to act on here: refused with what there is instead. */

import { OperationError } from '../errors/operation-error.js';

/** As an unknown method is refused, so that libraries take it for one. */
class AbsentError extends OperationError {
  override readonly name = 'AbsentError';
  override readonly code = -32_601;
}

const PRICES =
  'there is no block gas limit, base fee, gas price or randomness to set: prices and limits are chain parameters (tron_setChainParameters)';
const NONCE = 'accounts have no nonce: a transaction names a recent block and a time until which it is valid';

const INSTEAD: ReadonlyMap<string, string> = new Map([
  ['evm_setBlockGasLimit', PRICES],
  ['miner_setGasPrice', PRICES],
  ['hardhat_setPrevRandao', PRICES],
  ['evm_setAccountNonce', NONCE],
  ...['anvil', 'hardhat'].flatMap((tool): (readonly [string, string])[] => [
    [`${tool}_setNonce`, NONCE],
    [`${tool}_setBlockGasLimit`, PRICES],
    [`${tool}_setMinGasPrice`, PRICES],
    [`${tool}_setNextBlockBaseFeePerGas`, PRICES],
    [`${tool}_setNextBlockPrevRandao`, PRICES],
  ]),
]);

/** Undefined: the name is just unknown. */
export function absence(name: string): OperationError | undefined {
  const instead = INSTEAD.get(name);
  return instead === undefined
    ? undefined
    : new AbsentError(`the method ${name} does not exist/is not available: ${instead}`);
}
