/**
 * Powers modulo an odd number, by Montgomery's multiplication: on numbers of 32-bit limbs, the lowest first.
 *
 * A number x stands for x * 2^(-32 * length). `length` is the number of limbs, `inverse` is -1 / modulus modulo 2^32.
 */

/** Where things are: `../modular-power.ts` has the same numbers. */
const TEMPORARY: usize = 0;
const MODULUS: usize = 256;
const RESULT: usize = 512;
const POWERS: usize = 1024;
const POWER_BYTES: usize = 128;
const EXPONENT: usize = 4096;

const LOW: u64 = 0xffffffff;

/** Fills the powers of the base from the second on. */
export function prepare(length: u32, inverse: u32): void {
  const base = POWERS + POWER_BYTES;
  for (let i: usize = 2; i < 16; i++) {
    multiply(POWERS + i * POWER_BYTES, POWERS + (i - 1) * POWER_BYTES, base, length, inverse);
  }
}

/** Goes on with further bytes of the exponent, four bits at a time. */
export function raise(bytes: u32, length: u32, inverse: u32): void {
  for (let i: usize = 0; i < bytes; i++) {
    const byte = <usize>load<u8>(EXPONENT + i);
    raiseByDigit(byte >> 4, length, inverse);
    raiseByDigit(byte & 15, length, inverse);
  }
}

function raiseByDigit(digit: usize, length: u32, inverse: u32): void {
  for (let i = 0; i < 4; i++) multiply(RESULT, RESULT, RESULT, length, inverse);
  if (digit !== 0) multiply(RESULT, RESULT, POWERS + digit * POWER_BYTES, length, inverse);
}

/** Brings the result back to an ordinary number. */
export function finish(length: u32, inverse: u32): void {
  memory.fill(POWERS, 0, POWER_BYTES);
  store<u32>(POWERS, 1);
  multiply(RESULT, RESULT, POWERS, length, inverse);
}

/** The operands are below the modulus, and so is the product; it may take the place of an operand. */
function multiply(to: usize, a: usize, b: usize, length: u32, inverse: u32): void {
  const bytes: usize = 4 * <usize>length;
  memory.fill(TEMPORARY, 0, bytes);
  let top: u64 = 0;
  const lowest = <u64>load<u32>(MODULUS);
  for (let i: usize = 0; i < bytes; i += 4) {
    // Adds a limb's multiple of b, and the multiple of the modulus that makes the lowest limb zero, and shifts by it.
    const factor = <u64>load<u32>(a + i);
    let sum = <u64>load<u32>(TEMPORARY) + factor * <u64>load<u32>(b);
    let carry = sum >> 32;
    const correction = <u64>(<u32>sum * inverse);
    let correctionCarry = ((sum & LOW) + correction * lowest) >> 32;
    for (let j: usize = 4; j < bytes; j += 4) {
      sum = <u64>load<u32>(TEMPORARY + j) + factor * <u64>load<u32>(b + j) + carry;
      carry = sum >> 32;
      sum = (sum & LOW) + correction * <u64>load<u32>(MODULUS + j) + correctionCarry;
      correctionCarry = sum >> 32;
      store<u32>(TEMPORARY + j - 4, <u32>sum);
    }
    sum = top + carry + correctionCarry;
    store<u32>(TEMPORARY + bytes - 4, <u32>sum);
    top = sum >> 32;
  }
  if (top === 0 && isBelowModulus(bytes)) memory.copy(to, TEMPORARY, bytes);
  else subtractModulus(to, bytes);
}

function isBelowModulus(bytes: usize): bool {
  for (let j = bytes; j > 0; ) {
    j -= 4;
    const limb = load<u32>(TEMPORARY + j);
    const other = load<u32>(MODULUS + j);
    if (limb !== other) return limb < other;
  }
  return false;
}

function subtractModulus(to: usize, bytes: usize): void {
  let difference: i64 = 0;
  for (let j: usize = 0; j < bytes; j += 4) {
    difference += <i64>load<u32>(TEMPORARY + j) - <i64>load<u32>(MODULUS + j);
    store<u32>(to + j, <u32>difference);
    difference >>= 32;
  }
}
