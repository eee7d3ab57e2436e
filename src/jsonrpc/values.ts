/**
 * Reads and prints values (protocol/json-rpc.md#value-formats): quantities, bytes, addresses without their prefix,
 * hashes.
 */

import { JavaException, nullPointerException } from '../errors/java-exception.js';
import type { Hex } from '../primitives/hex.js';
import type { Address } from '../primitives/ids.js';
import { MAX_LONG } from '../primitives/java-math.js';
import { readHex } from '../protocol/json/hex-text.js';
import { parseJavaLong, parseJavaLowLong } from '../protocol/json/java-numbers.js';
import { invalidParams } from './errors.js';
import type { Forms } from './release-forms.js';

export const ZERO_HASH = `0x${'0'.repeat(64)}`;

/** Minimal hex; negative numbers as 64-bit two's complement. */
export function quantity(value: bigint | number): string {
  return `0x${(value < 0 ? BigInt.asUintN(64, BigInt(value)) : value).toString(16)}`;
}

/** Twenty bytes; `null` if there is no address. */
export function shownAddress(address: Hex | undefined): string | null {
  if (address === undefined || address === '') return null;
  return `0x${address.length === 42 && address.startsWith('41') ? address.slice(2) : address}`;
}

/** Values with other errors in later releases; absent: errors of the first. */
type Strictness = Pick<Forms, 'strictValues'>;

/** Hex with java-tron's tolerance. Errors are about a parameter. */
function hexParameter(text: string): Hex {
  try {
    return readHex(text);
  } catch (error) {
    if (error instanceof JavaException) throw invalidParams(error.javaMessage);
    throw error;
  }
}

/** `0x` and 21 bytes. */
const MAX_ADDRESS_LENGTH = 44;
const TWENTY_BYTES = /^0x[0-9a-f]{40}$/;

/** 20 bytes, or 21 with the prefix. @throws JsonRpcError */
export function readAddress(text: string | null, forms?: Strictness): Address {
  if (text !== null && TWENTY_BYTES.test(text)) return `41${text.slice(2)}` as Address;
  if (forms?.strictValues && (text === null || text.length > MAX_ADDRESS_LENGTH))
    throw invalidParams('invalid address');
  const hex = hexParameter(text ?? '');
  if (hex.length === 40) return `41${hex}` as Address;
  if (hex.length === 42 && hex.startsWith('41')) return hex as Address;
  throw invalidParams('invalid address hash value');
}

const STRICT_HASH = /^(?:0x)?[a-fA-F0-9]{64}$/;
const HASH = /^(?:0x)?[a-zA-Z0-9]{64}$/;

/**
 * 32 bytes. Non-hex letters pass java-tron's first check and fail in its decoder.
 *
 * @throws JsonRpcError
 */
export function readHash(text: string | null, forms?: Strictness): Hex {
  if (text === null) throw nullPointerException();
  if (!(forms?.strictValues ? STRICT_HASH : HASH).test(text)) throw invalidParams('invalid hash value');
  return hexParameter(text);
}

/** Numbers of megabytes would take seconds. */
const MAX_DIGITS = 1_000;

/** A block number: hex after `0x`, otherwise decimal; the low 64 bits. Undefined if it is not a number. */
export function readBlockNumber(text: string | null, forms?: Strictness): bigint | undefined {
  if (forms?.strictValues) return readStrictBlockNumber(text);
  if (text === null || text.length > MAX_DIGITS) return undefined;
  try {
    return text.startsWith('0x') ? parseJavaLowLong(text.slice(2), 16) : parseJavaLowLong(text);
  } catch (error) {
    if (error instanceof JavaException) return undefined;
    throw error;
  }
}

/** At most 20 characters, not negative, and at most a long. */
function readStrictBlockNumber(text: string | null): bigint | undefined {
  if (text === null || text.length > 20 || !/^(0x[\da-f]+|\d+)$/i.test(text)) return undefined;
  const number = BigInt(text);
  return number > MAX_LONG ? undefined : number;
}

/** @throws JavaException NumberFormatException for invalid digits after `0x`; undefined without `0x` */
export function readHexLong(text: string): bigint | undefined {
  return text.startsWith('0x') ? parseJavaLong(text.slice(2), 64, 16) : undefined;
}

/**
 * `value` and `gas` of call objects; a missing one is zero.
 *
 * @throws JsonRpcError
 */
export function readAmount(text: string | null, forms?: Strictness): bigint {
  if (text === null || text === '') return 0n;
  try {
    const amount = readHexLong(text);
    if (forms?.strictValues && amount !== undefined && amount < 0n)
      throw invalidParams('invalid param value: negative');
    if (amount !== undefined) return amount;
  } catch (error) {
    if (!(error instanceof JavaException)) throw error;
  }
  throw invalidParams('invalid param value: invalid hex number');
}

const QUANTITY = /^0x[\da-f]{1,64}$/i;

/** A number of Ethereum, of up to 256 bits, which may be more than there is of anything; nothing is zero. @throws JsonRpcError */
export function readQuantity(text: string | null): bigint {
  if (text === null || text === '') return 0n;
  if (!QUANTITY.test(text)) throw invalidParams(`expected a number of up to 256 bits in hex (0x…), got "${text}"`);
  return BigInt(text);
}

/** @throws JsonRpcError */
export function readIndex(text: string | null, forms?: Strictness): number {
  // More than eight digits do not fit into an int.
  const tooLong = forms?.strictValues && (text?.length ?? 0) > 10;
  if (text?.startsWith('0x') && !tooLong) {
    try {
      return Number(parseJavaLong(text.slice(2), 32, 16));
    } catch (error) {
      if (!(error instanceof JavaException)) throw error;
    }
  }
  throw invalidParams('invalid index value');
}
