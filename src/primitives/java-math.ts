/**
 * Java's `long` and `double` arithmetic, bit for bit, as the network computes (protocol/conventions.md#arithmetic). A
 * `long` is a bigint that the caller keeps within 64 bits; Java's `+ - *` wrap silently (`wrapLong`), the `…Exact`
 * forms throw. Doubles are JavaScript numbers, the same IEEE-754 binary64; only the conversions and `Math.pow` differ
 * (`strictPow` in `strict-pow.ts`). `ledger/` and `resources/` use only this module; the range of received numbers is
 * checked where they are read.
 */

export const MAX_LONG = 0x7fff_ffff_ffff_ffffn;
export const MIN_LONG = -0x8000_0000_0000_0000n;

const TWO_TO_63 = 2 ** 63;

/**
 * Java's `ArithmeticException`. Its message is part of the protocol: a contract that overflows is refused with
 * `Contract validate error : long overflow`, so it counts as the user's mistake, not as a bug.
 */
export class ArithmeticOverflow extends Error {
  override readonly name = 'ArithmeticOverflow';
}

/** The value that a Java `long` holds after silent overflow. */
export function wrapLong(value: bigint): bigint {
  return BigInt.asIntN(64, value);
}

function exact(value: bigint): bigint {
  if (value > MAX_LONG || value < MIN_LONG) throw new ArithmeticOverflow('long overflow');
  return value;
}

/** `Math.addExact`. @throws {ArithmeticOverflow} `long overflow` */
export function addExact(a: bigint, b: bigint): bigint {
  return exact(a + b);
}

/** `Math.subtractExact`. @throws {ArithmeticOverflow} `long overflow` */
export function subtractExact(a: bigint, b: bigint): bigint {
  return exact(a - b);
}

/** `Math.multiplyExact`. @throws {ArithmeticOverflow} `long overflow` */
export function multiplyExact(a: bigint, b: bigint): bigint {
  return exact(a * b);
}

/** `BigInteger.longValueExact`. @throws {ArithmeticOverflow} `BigInteger out of long range` */
export function longValueExact(value: bigint): bigint {
  if (value > MAX_LONG || value < MIN_LONG) throw new ArithmeticOverflow('BigInteger out of long range');
  return value;
}

/** Guava's `LongMath.checkedAdd`. @throws {ArithmeticOverflow} `overflow: checkedAdd(a, b)` */
export function checkedAdd(a: bigint, b: bigint): bigint {
  return checked(a + b, 'checkedAdd', a, b);
}

/** Guava's `LongMath.checkedMultiply`. @throws {ArithmeticOverflow} `overflow: checkedMultiply(a, b)` */
export function checkedMultiply(a: bigint, b: bigint): bigint {
  return checked(a * b, 'checkedMultiply', a, b);
}

function checked(value: bigint, operation: string, a: bigint, b: bigint): bigint {
  if (value > MAX_LONG || value < MIN_LONG) throw new ArithmeticOverflow(`overflow: ${operation}(${a}, ${b})`);
  return value;
}

/** `a / b`, plus one if there is a positive remainder: java-tron's `divideCeil`, which truncates for a negative `a`. */
export function ceilDiv(a: bigint, b: bigint): bigint {
  return a % b > 0n ? a / b + 1n : a / b;
}

/** `Math.floorDiv`: rounds toward negative infinity, where `/` truncates. */
export function floorDiv(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
}

/** The cast `(long) x`: truncates toward zero, saturates at the ends of the range, NaN gives 0. */
export function longFromDouble(x: number): bigint {
  if (x >= TWO_TO_63) return MAX_LONG;
  if (x <= -TWO_TO_63) return MIN_LONG;
  return Number.isNaN(x) ? 0n : BigInt(Math.trunc(x));
}

/** `Math.round(double)`: floor(x + 1/2) computed exactly, saturating; NaN gives 0. */
export function roundHalfUp(x: number): bigint {
  return longFromDouble(Math.round(x));
}

/** The smaller of two longs. */
export function minLong(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

/** The larger of two longs. */
export function maxLong(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}
