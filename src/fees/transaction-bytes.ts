/** The bandwidth of a transaction before it is signed. */

import { RESULT_ALLOWANCE_BYTES, signedSize } from '../resources/transaction-size.js';

/**
 * Bytes charged for a transaction: itself, its signatures, and room for its result.
 *
 * @param rawDataHex `raw_data_hex` of a built transaction (only its length counts), or its number of bytes
 * @param signatures their number
 * @throws TypeError if it is not hex
 * @example transactionBytes(built.raw_data_hex) // 267 for a transfer of 1 TRX
 */
export function transactionBytes(rawDataHex: string | number, signatures = 1): number {
  const rawBytes = typeof rawDataHex === 'number' ? rawDataHex : bytesOf(rawDataHex);
  if (!Number.isSafeInteger(rawBytes) || rawBytes < 0)
    throw new TypeError(`expected a number of bytes, got ${rawBytes}`);
  if (!Number.isSafeInteger(signatures) || signatures < 0)
    throw new TypeError(`expected a number of signatures, got ${signatures}`);
  return signedSize(rawBytes, signatures) + RESULT_ALLOWANCE_BYTES;
}

function bytesOf(hex: string): number {
  const digits = hex.startsWith('0x') ? hex.slice(2) : hex;
  if (digits.length % 2 !== 0 || !/^[\da-f]*$/i.test(digits)) throw new TypeError('raw_data_hex is not hex');
  return digits.length / 2;
}
