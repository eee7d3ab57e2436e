/** Constants of the curve secp256k1: order and field; conversions between numbers and 32 bytes. */

export const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
export const FIELD_PRIME = 0xfffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2fn;

/** `base` to the power of `exponent`. Not for private keys: its time depends on its arguments. */
export function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n;
  let square = base % modulus;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
}

export function numberOf(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')}`);
}

/** 32 bytes, after the byte `first` if given. */
export function wordOf(value: bigint, first?: number): Uint8Array {
  const hex = value.toString(16).padStart(64, '0');
  return Buffer.from(first === undefined ? hex : first.toString(16).padStart(2, '0') + hex, 'hex');
}
