/** The size of a transaction, and the bytes that are charged (protocol/bandwidth.md#bytes-charged). */

/** Space for the result, charged for every transaction if contracts are enabled. */
export const RESULT_ALLOWANCE_BYTES = 64;

export const SIGNATURE_BYTES = 65;

/** Tag and length of a field that is shorter than 128 bytes. */
const SHORT_FIELD_BYTES = 2;

/**
 * Bytes of a transaction without `ret`: `raw_data` and signatures of 65 bytes, each as a field of the message.
 *
 * @param rawBytes of `raw_data` in the network's form
 * @example signedSize(133, 1) // 203: a transfer of 1 TRX
 */
export function signedSize(rawBytes: number, signatures: number): number {
  let frame = SHORT_FIELD_BYTES;
  for (let rest = rawBytes >> 7; rest > 0; rest >>= 7) frame++;
  return frame + rawBytes + signatures * (SHORT_FIELD_BYTES + SIGNATURE_BYTES);
}
