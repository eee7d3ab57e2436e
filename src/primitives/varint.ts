/** Protobuf's form of a number: seven bits a byte, the lowest first; the top bit says that more follow. */

/** @param value whole, 0 to 2^53 - 1 */
export function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7f; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80);
  bytes.push(rest);
  return bytes;
}
