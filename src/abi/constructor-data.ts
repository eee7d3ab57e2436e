/**
 * Finds the constructor's arguments in creation code: they follow the code, whose end is not marked. Solidity ends the
 * code with metadata of known forms and lengths.
 */

import { bytesToHex, type Hex } from '../primitives/hex.js';
import type { AbiParameter } from './items.js';

/** `…solc`, three bytes of release, two of length; compilers before 0.5.9 write a Swarm hash and its length. */
const METADATA = [/64736f6c6343[\da-f]{6}00[\da-f]{2}/g, /a165627a7a72305820[\da-f]{64}0029/g] as const;

/** Static types of one word. */
const WORD = /^(u?int\d*|address|bool|bytes\d+|trcToken)$/;
const WORD_DIGITS = 64;

/** @returns undefined if unknown; the data may still not be decodable */
export function constructorData(initCode: Uint8Array, parameters: readonly AbiParameter[]): Hex | undefined {
  if (parameters.every(({ type }) => WORD.test(type))) {
    const start = initCode.length - (parameters.length * WORD_DIGITS) / 2;
    return start < 0 ? undefined : bytesToHex(initCode.subarray(start));
  }
  const hex = bytesToHex(initCode);
  const ends = METADATA.flatMap((pattern) => [...hex.matchAll(pattern)])
    .map(({ 0: found, index }) => index + found.length)
    .filter((end) => end % 2 === 0);
  return ends.length === 0 ? undefined : hex.slice(Math.max(...ends));
}
