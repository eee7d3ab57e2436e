/**
 * Values of one 32-byte word, the majority: addresses, numbers, booleans, short bytes. Simple cases are coded here;
 * everything else, and every error, goes to the coder (`codec.ts`), which has the same results. Measured over 200
 * tests: the coder creates type objects for each call and hashes each address twice for its checksum case, in
 * JavaScript; together a fifth of the processor time.
 */

import { type Hex, isHex } from '../primitives/hex.js';
import { toBase58 } from '../protocol/address.js';
import type { AbiParameter } from './abi.js';

const DIGITS = 64;
const TWO_256 = 1n << 256n;

/** How values of a type are coded in a word. */
export interface WordType {
  /** Undefined: not a simple value of the type. */
  write(value: unknown): Hex | undefined;
  /** Undefined: not a valid word of the type. */
  read(word: Hex): unknown;
}

/** Undefined: some value needs more than one word. */
export function wordTypesOf(
  parameters: readonly AbiParameter[],
  addressOf: (value: unknown) => Hex | undefined,
): readonly WordType[] | undefined {
  const types = parameters.map(({ type }) => wordTypeOf(type, addressOf));
  return types.every((type) => type !== undefined) ? types : undefined;
}

export function writeWords(types: readonly WordType[], values: readonly unknown[]): Hex | undefined {
  let data: Hex = '';
  for (let i = 0; i < types.length; i++) {
    const word = types[i]?.write(values[i]);
    if (word === undefined) return undefined;
    data += word;
  }
  return data;
}

export function readWords(types: readonly WordType[], data: Hex): readonly unknown[] | undefined {
  if (data.length < types.length * DIGITS) return undefined;
  const values: unknown[] = [];
  for (const type of types) {
    const at = values.length * DIGITS;
    const value = type.read(data.slice(at, at + DIGITS));
    if (value === undefined) return undefined;
    values.push(value);
  }
  return values;
}

function wordTypeOf(type: string, addressOf: (value: unknown) => Hex | undefined): WordType | undefined {
  if (type === 'address') return addressWords(addressOf);
  if (type === 'bool') return BOOLEANS;
  if (type === 'trcToken') return numberWords(256, false);
  const [, name, digits = ''] = /^(u?int|bytes)([1-9]\d*)?$/.exec(type) ?? [];
  if (name === 'bytes') return digits !== '' && Number(digits) <= 32 ? byteWords(Number(digits)) : undefined;
  const bits = digits === '' ? 256 : Number(digits);
  if (name === undefined || bits === 0 || bits > 256 || bits % 8 !== 0) return undefined;
  return numberWords(bits, name === 'int');
}

function addressWords(addressOf: (value: unknown) => Hex | undefined): WordType {
  return {
    write: (value) => addressOf(value)?.slice(2).padStart(DIGITS, '0'),
    read: (word) => (word.startsWith(NO_PREFIX) ? toBase58(`41${word.slice(NO_PREFIX.length)}`) : undefined),
  };
}

/** The 12 bytes before the 20 bytes of an address. */
const NO_PREFIX = '0'.repeat(24);

const BOOLEANS: WordType = {
  write: (value) => (typeof value === 'boolean' ? (value ? '1' : '0').padStart(DIGITS, '0') : undefined),
  read: (word) => BigInt(`0x${word}`) !== 0n,
};

function numberWords(bits: number, signed: boolean): WordType {
  const least = signed ? -(1n << BigInt(bits - 1)) : 0n;
  const limit = 1n << BigInt(signed ? bits - 1 : bits);
  return {
    write: (value) => {
      const number = typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value;
      if (typeof number !== 'bigint' || number < least || number >= limit) return undefined;
      return (number < 0n ? number + TWO_256 : number).toString(16).padStart(DIGITS, '0');
    },
    read: (word) => (signed ? BigInt.asIntN : BigInt.asUintN)(bits, BigInt(`0x${word}`)),
  };
}

function byteWords(count: number): WordType {
  return {
    write: (value) => {
      if (typeof value !== 'string') return undefined;
      const hex = value.startsWith('0x') ? value.slice(2) : value;
      return hex.length === 2 * count && isHex(hex) ? hex.toLowerCase().padEnd(DIGITS, '0') : undefined;
    },
    read: (word) => `0x${word.slice(0, 2 * count)}`,
  };
}
