/** Call data of a method, from its name or signature and its arguments. */

import type { encodeValues } from '../abi/encode-values.js';
import type { Hex } from '../primitives/hex.js';
import type { Address } from '../primitives/ids.js';
import type { Abi, AbiEntry } from './abi.js';
import { functionFor, functionsOf, nearestName, selectorOf, signatureOf } from './fragments.js';

/** The encoder; the caller loads it before there is anything to encode. */
export interface Encoding {
  readonly encodeValues: typeof encodeValues;
  /** Converts a value to an address. */
  readonly addressOf: (text: string) => Address | undefined;
}

/**
 * @param abi undefined: unknown
 * @param method `transfer`, or `transfer(address,uint256)` if the ABI is unknown or has overloads
 * @throws TypeError with the expected arguments
 * @example callData(abi, 'transfer', [holder, '5_000_000'], { encodeValues, addressOf: fromBase58 }).data
 */
export function callData(
  abi: Abi | undefined,
  method: string,
  args: readonly unknown[],
  encoding: Encoding,
): { readonly method: string; readonly data: Hex } {
  const entry = methodOf(abi === undefined ? [] : functionsOf(abi), method, args);
  const signature = signatureOf(entry);
  return {
    method: signature,
    data: selectorOf(entry) + encodedArguments(signature, entry.inputs ?? [], args, encoding),
  };
}

/**
 * @param of the function or constructor
 * @throws TypeError
 */
export function encodedArguments(
  of: string,
  inputs: NonNullable<AbiEntry['inputs']>,
  args: readonly unknown[],
  { encodeValues, addressOf }: Encoding,
): Hex {
  if (args.length !== inputs.length) throw new TypeError(`${of} takes ${inputs.length} arguments, got ${args.length}`);
  try {
    return encodeValues(inputs, args, addressOf);
  } catch (error) {
    if (error instanceof TypeError) throw new TypeError(`${of}: ${error.message}`, { cause: error });
    throw error;
  }
}

function methodOf(known: readonly AbiEntry[], method: string, args: readonly unknown[]): AbiEntry {
  const plain = method.includes('(') ? method.slice(0, method.indexOf('(')) : method;
  if (known.some(({ name }) => name === plain)) return functionFor(known, method, args);
  if (method.includes('(')) return bySignature(method);
  const close = nearestName(method, known);
  const hint =
    known.length === 0 ? 'write its full signature, f(address,uint256)' : `did you mean ${close ?? known[0]?.name}?`;
  throw new TypeError(`the ABI of the contract has no method ${method}; ${hint}`);
}

function bySignature(signature: string): AbiEntry {
  const match = /^(\w+)\(([\w,[\]]*)\)$/.exec(signature.replaceAll(' ', ''));
  if (match === null) throw new TypeError(`${signature}: expected a signature with types only, f(address,uint256)`);
  const [, name = '', list = ''] = match;
  return { type: 'function', name, inputs: list === '' ? [] : list.split(',').map((type) => ({ type })) };
}
