/** Amounts as they come in answers and go out of these functions. */

/** A whole number as clients hold it: JSON's number, a bigint, or its digits. */
export type Whole = number | bigint | string;

/**
 * An amount that somebody handed in.
 *
 * @param name of the field, for the error
 * @throws TypeError for anything but a whole number that is known exactly
 */
export function whole(value: Whole | undefined, name: string): bigint {
  if (value === undefined) return 0n;
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  if (typeof value === 'string' && /^-?\d{1,30}$/.test(value)) return BigInt(value);
  const hint =
    typeof value === 'number' && Number.isInteger(value) ? ' (beyond 2^53: hand in a bigint or a string)' : '';
  throw new TypeError(`${name} is not a whole number: ${String(value)}${hint}`);
}

/** The same for what cannot be negative. @throws TypeError */
export function amount(value: Whole | undefined, name: string): bigint {
  const read = whole(value, name);
  if (read < 0n) throw new TypeError(`${name} is negative: ${read}`);
  return read;
}

/** Energy, bytes or milliseconds as a number; what JavaScript does not hold exactly is the largest that it does. */
export function counted(value: bigint): number {
  return value > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(value);
}
