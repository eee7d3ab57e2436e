/** The bandwidth of a transaction before it is signed. */

import { RESULT_ALLOWANCE_BYTES, signedSize } from '../resources/transaction-size.js';

/**
 * Bytes that a transaction will be charged for: itself with its signatures, and room for its result.
 *
 * @param rawDataHex `raw_data_hex` of a built transaction (its length is all that counts), or the number of its bytes
 * @param signatures how many it will carry
 * @throws TypeError if it is no hex
 * @example transactionBytes(built.raw_data_hex) // 267 for a transfer of 1 TRX
 */
export function transactionBytes(rawDataHex: string | number, signatures = 1): number {
  const rawBytes = typeof rawDataHex === 'number' ? rawDataHex : bytesOf(rawDataHex);
  if (!Number.isSafeInteger(rawBytes) || rawBytes < 0) throw new TypeError(`no number of bytes: ${rawBytes}`);
  if (!Number.isSafeInteger(signatures) || signatures < 0)
    throw new TypeError(`no number of signatures: ${signatures}`);
  return signedSize(rawBytes, signatures) + RESULT_ALLOWANCE_BYTES;
}

function bytesOf(hex: string): number {
  const digits = hex.startsWith('0x') ? hex.slice(2) : hex;
  if (digits.length % 2 !== 0 || !/^[\da-f]*$/i.test(digits)) throw new TypeError('raw_data_hex is not hex');
  return digits.length / 2;
}
