/** Protobuf's varint: seven bits per byte, least significant first; the top bit means that more bytes follow. */

/** @param value whole, 0 to 2^53 - 1 */
export function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80);
  bytes.push(rest);
  return bytes;
}
