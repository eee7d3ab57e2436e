/** How large a transaction is, and how much of that is charged (protocol/bandwidth.md#bytes-charged). */

/** Room for the result, charged with every transaction while contracts are on. */
export const RESULT_ALLOWANCE_BYTES = 64;

export const SIGNATURE_BYTES = 65;

/** Tag and length of a field that is shorter than 128 bytes. */
const SHORT_FIELD_BYTES = 2;

/**
 * Bytes of a transaction without `ret` that carries so many signatures of 65 bytes: what `raw_data` and each signature
 * are as a field of the message.
 *
 * @param rawBytes of `raw_data` in the network's form
 * @example signedSize(133, 1) // 203: a transfer of 1 TRX
 */
export function signedSize(rawBytes: number, signatures: number): number {
  let frame = SHORT_FIELD_BYTES;
  for (let rest = rawBytes >> 7; rest > 0; rest >>= 7) frame++;
  return frame + rawBytes + signatures * (SHORT_FIELD_BYTES + SIGNATURE_BYTES);
}
