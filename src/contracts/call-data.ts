/** What a call of a method sends, from its name or whole signature and arguments as people write them. */

import type { encodeValues } from '../abi/encode-values.js';
import type { Hex } from '../primitives/hex.js';
import type { Address } from '../primitives/ids.js';
import type { Abi, AbiEntry } from './abi.js';
import { functionFor, functionsOf, nearestName, selectorOf, signatureOf } from './fragments.js';

/** What encoding needs: loaded before by whoever has something to encode. */
export interface Encoding {
  readonly encodeValues: typeof encodeValues;
  /** What stands for an address. */
  readonly addressOf: (text: string) => Address | undefined;
}

/**
 * @param abi undefined: it is not known
 * @param method `transfer`, or `transfer(address,uint256)` where the ABI is not known or has several of the name
 * @throws TypeError that says what was expected
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
 * @param of whose arguments they are
 * @throws TypeError
 */
export function encodedArguments(
  of: string,
  inputs: NonNullable<AbiEntry['inputs']>,
  args: readonly unknown[],
  { encodeValues, addressOf }: Encoding,
): Hex {
  if (args.length !== inputs.length)
    throw new TypeError(`${of} takes ${inputs.length} arguments, and got ${args.length}`);
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
    known.length === 0 ? 'write its whole signature, f(address,uint256)' : `did you mean ${close ?? known[0]?.name}?`;
  throw new TypeError(`the contract has no method ${method} that is known here; ${hint}`);
}

function bySignature(signature: string): AbiEntry {
  const match = /^(\w+)\(([\w,[\]]*)\)$/.exec(signature.replaceAll(' ', ''));
  if (match === null) throw new TypeError(`${signature}: expected a signature of plain types, f(address,uint256)`);
  const [, name = '', list = ''] = match;
  return { type: 'function', name, inputs: list === '' ? [] : list.split(',').map((type) => ({ type })) };
}
