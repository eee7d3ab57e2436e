/**
 * Bytes as lowercase hex without a prefix: the form in which Sunup holds every protobuf `bytes` field, address and id.
 *
 * A string is immutable, compares with `===` and keys a Map, which bytes do not; the conversion is one native call of
 * Buffer. Bytes stay bytes only where they are worked on: hashing, signing, the virtual machine's memory and code.
 */

/** Lowercase hex without `0x`; two characters a byte. */
export type Hex = string;

export const EMPTY: Hex = '';

export function bytesToHex(bytes: Uint8Array): Hex {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}

/** The bytes of `hex`. The caller has made sure that it is hex: Buffer stops silently at the first other character. */
export function hexToBytes(hex: Hex): Uint8Array {
  return Buffer.from(hex, 'hex');
}

export function utf8ToHex(text: string): Hex {
  return Buffer.from(text, 'utf8').toString('hex');
}

export function hexToUtf8(hex: Hex): string {
  return Buffer.from(hex, 'hex').toString('utf8');
}

export function byteLength(hex: Hex): number {
  return hex.length >> 1;
}

/**
 * One character class, as below: a group that repeats exceeds V8's stack with a few million digits, in a process that has
 * compiled 16 MB of expressions and from then on compiles them without optimisation.
 */
const HEX = /^[0-9a-f]*$/;

const PREFIXED_HEX = /^0x[0-9a-f]*$/i;

/** Whether `text` is whole bytes after `0x`, in any case. */
export function isPrefixedHex(text: string): boolean {
  return text.length % 2 === 0 && PREFIXED_HEX.test(text);
}

/** Whether `text` is canonical: lowercase, whole bytes, no prefix. */
export function isHex(text: string): text is Hex {
  return text.length % 2 === 0 && HEX.test(text);
}
