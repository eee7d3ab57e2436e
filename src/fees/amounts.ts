/** Amounts in answers, and in results of these functions. */

import type { WholeNumber } from '../primitives/whole-number.js';

/**
 * An amount from the caller.
 *
 * @param name of the field, for the error
 * @throws TypeError unless it is an exactly known whole number
 */
export function whole(value: WholeNumber | undefined, name: string): bigint {
  if (value === undefined) return 0n;
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  if (typeof value === 'string' && /^-?\d{1,30}$/.test(value)) return BigInt(value);
  const hint = typeof value === 'number' && Number.isInteger(value) ? ' (beyond 2^53: pass a bigint or a string)' : '';
  throw new TypeError(`${name} is not a whole number: ${String(value)}${hint}`);
}

/** The same for amounts of at least 0. @throws TypeError */
export function amount(value: WholeNumber | undefined, name: string): bigint {
  const read = whole(value, name);
  if (read < 0n) throw new TypeError(`${name} is negative: ${read}`);
  return read;
}

/** Energy, bytes or milliseconds as a number, capped at the largest exact integer. */
export function counted(value: bigint): number {
  return value > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(value);
}
