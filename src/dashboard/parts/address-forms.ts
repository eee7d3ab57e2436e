/** The forms of an address: base58check (`T…`), hex with the prefix 41, Ethereum's `0x` and 20 bytes. */

import { sha256 } from '@noble/hashes/sha2.js';
import { createBase58check, hex } from '@scure/base';

const base58check = createBase58check(sha256);
const PREFIX = 0x41;

/** @returns base58check; undefined if the text is no address @example toBase58(`0x${'00'.repeat(20)}`) // 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb' */
export function toBase58(text: string): string | undefined {
  const bytes = bytesOf(text.trim());
  return bytes && base58check.encode(bytes);
}

/** @returns `0x` and 20 bytes */
export function toEthereum(address: string): string {
  return `0x${hex.encode(base58check.decode(address).slice(1))}`;
}

/** @returns `41…` */
export const toHex = (address: string): string => `41${toEthereum(address).slice(2)}`;

function bytesOf(text: string): Uint8Array | undefined {
  const digits = text.replace(/^0x/i, '').toLowerCase();
  if (/^(41)?[0-9a-f]{40}$/.test(digits)) return hex.decode(digits.length === 42 ? digits : `41${digits}`);
  try {
    const bytes = base58check.decode(text);
    return bytes.length === 21 && bytes[0] === PREFIX ? bytes : undefined;
  } catch {
    return undefined;
  }
}
