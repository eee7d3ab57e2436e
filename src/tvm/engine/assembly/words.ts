/**
 * Arithmetic on words of 256 bits. A word is four limbs of 64 bits at an address, the lowest limb first.
 *
 * `a` is the operand on top of the stack and `b` the one below it, where the result goes.
 */

import { SCRATCH } from './layout';

const LOW: u64 = 0xffffffff;

/** Dividend and remainder: up to 17 limbs of 32 bits. */
const DIVIDEND: usize = SCRATCH;
const DIVISOR: usize = SCRATCH + 128;
const QUOTIENT: usize = SCRATCH + 192;
/** Operands of EXP, and of signed division. */
const FIRST: usize = SCRATCH + 320;
const SECOND: usize = SCRATCH + 352;

@inline
export function copy(to: usize, from: usize): void {
  const w0 = load<u64>(from);
  const w1 = load<u64>(from, 8);
  const w2 = load<u64>(from, 16);
  const w3 = load<u64>(from, 24);
  store<u64>(to, w0);
  store<u64>(to, w1, 8);
  store<u64>(to, w2, 16);
  store<u64>(to, w3, 24);
}

@inline
export function setSmall(to: usize, value: u64): void {
  store<u64>(to, value);
  store<u64>(to, 0, 8);
  store<u64>(to, 0, 16);
  store<u64>(to, 0, 24);
}

@inline
function upper(at: usize): u64 {
  return load<u64>(at, 8) | load<u64>(at, 16) | load<u64>(at, 24);
}

@inline
export function isSmall(at: usize): bool {
  return upper(at) === 0;
}

@inline
export function isZero(at: usize): bool {
  return (load<u64>(at) | upper(at)) === 0;
}

@inline
export function exchange(a: usize, b: usize): void {
  const w0 = load<u64>(a);
  const w1 = load<u64>(a, 8);
  const w2 = load<u64>(a, 16);
  const w3 = load<u64>(a, 24);
  copy(a, b);
  store<u64>(b, w0);
  store<u64>(b, w1, 8);
  store<u64>(b, w2, 16);
  store<u64>(b, w3, 24);
}

@inline
export function add(a: usize, b: usize): void {
  const x0 = load<u64>(a);
  const s0 = x0 + load<u64>(b);
  const x1 = load<u64>(a, 8);
  const p1 = x1 + load<u64>(b, 8);
  const s1 = p1 + u64(s0 < x0);
  const x2 = load<u64>(a, 16);
  const p2 = x2 + load<u64>(b, 16);
  const s2 = p2 + (u64(p1 < x1) | u64(s1 < p1));
  const s3 = load<u64>(a, 24) + load<u64>(b, 24) + (u64(p2 < x2) | u64(s2 < p2));
  store<u64>(b, s0);
  store<u64>(b, s1, 8);
  store<u64>(b, s2, 16);
  store<u64>(b, s3, 24);
}

@inline
export function subtract(a: usize, b: usize): void {
  const x0 = load<u64>(a);
  const y0 = load<u64>(b);
  const x1 = load<u64>(a, 8);
  const y1 = load<u64>(b, 8);
  const x2 = load<u64>(a, 16);
  const y2 = load<u64>(b, 16);
  const c0 = u64(x0 < y0);
  const p1 = x1 - y1;
  const c1 = u64(x1 < y1) | u64(p1 < c0);
  const p2 = x2 - y2;
  const c2 = u64(x2 < y2) | u64(p2 < c1);
  const r3 = load<u64>(a, 24) - load<u64>(b, 24) - c2;
  store<u64>(b, x0 - y0);
  store<u64>(b, p1 - c0, 8);
  store<u64>(b, p2 - c1, 16);
  store<u64>(b, r3, 24);
}

@inline
function highProduct(x: u64, y: u64): u64 {
  const x0 = x & LOW;
  const x1 = x >> 32;
  const y0 = y & LOW;
  const y1 = y >> 32;
  const low = x0 * y0;
  const middle = x1 * y0 + (low >> 32);
  const other = x0 * y1 + (middle & LOW);
  return x1 * y1 + (middle >> 32) + (other >> 32);
}

export function multiply(a: usize, b: usize): void {
  if ((upper(a) | upper(b)) === 0) {
    const x = load<u64>(a);
    const y = load<u64>(b);
    store<u64>(b, x * y);
    store<u64>(b, (x | y) >> 32 === 0 ? 0 : highProduct(x, y), 8);
    return;
  }
  const b0 = load<u64>(b);
  const b1 = load<u64>(b, 8);
  const b2 = load<u64>(b, 16);
  const b3 = load<u64>(b, 24);
  let r0: u64 = 0;
  let r1: u64 = 0;
  let r2: u64 = 0;
  let r3: u64 = 0;
  const a0 = load<u64>(a);
  if (a0 !== 0) {
    r0 = a0 * b0;
    const h0 = highProduct(a0, b0);
    const l1 = a0 * b1;
    const h1 = highProduct(a0, b1);
    const l2 = a0 * b2;
    const h2 = highProduct(a0, b2);
    r1 = l1 + h0;
    const carry = u64(r1 < h0);
    r2 = l2 + h1;
    let next = u64(r2 < h1);
    r2 += carry;
    next += u64(r2 < carry);
    r3 = a0 * b3 + h2 + next;
  }
  const a1 = load<u64>(a, 8);
  if (a1 !== 0) {
    const l0 = a1 * b0;
    const h0 = highProduct(a1, b0);
    const l1 = a1 * b1;
    const h1 = highProduct(a1, b1);
    r1 += l0;
    const carry = u64(r1 < l0);
    const sum = l1 + h0;
    let next = u64(sum < l1);
    const t = sum + carry;
    next += u64(t < sum);
    r2 += t;
    next += u64(r2 < t);
    r3 += a1 * b2 + h1 + next;
  }
  const a2 = load<u64>(a, 16);
  if (a2 !== 0) {
    const l0 = a2 * b0;
    r2 += l0;
    r3 += a2 * b1 + highProduct(a2, b0) + u64(r2 < l0);
  }
  r3 += load<u64>(a, 24) * b0;
  store<u64>(b, r0);
  store<u64>(b, r1, 8);
  store<u64>(b, r2, 16);
  store<u64>(b, r3, 24);
}

/** Limbs of 32 bits without leading zeros. */
function limbs32(at: usize, most: i32): i32 {
  let count = most;
  while (count > 0 && load<u32>(at + (<usize>(count - 1) << 2)) === 0) count--;
  return count;
}

/**
 * Divides the number at `DIVIDEND` of `count` limbs by the word at `DIVISOR`, which is not 0: the quotient's low limbs
 * go to `QUOTIENT`, the remainder stays at `DIVIDEND`. Knuth, volume 2, 4.3.1, algorithm D.
 */
function divide(count: i32): void {
  fillWord(QUOTIENT, 0);
  const m = limbs32(DIVIDEND, count);
  const n = limbs32(DIVISOR, 8);
  if (m < n) return;
  if (n === 1) {
    const divisor: u64 = load<u32>(DIVISOR);
    let rest: u64 = 0;
    for (let i = m - 1; i >= 0; i--) {
      const at = <usize>i << 2;
      const digit = (rest << 32) | <u64>load<u32>(DIVIDEND + at);
      const q = digit / divisor;
      store<u32>(QUOTIENT + at, <u32>q);
      rest = digit - q * divisor;
      store<u32>(DIVIDEND + at, 0);
    }
    store<u32>(DIVIDEND, <u32>rest);
    return;
  }
  const shift = <u32>clz<u32>(load<u32>(DIVISOR + (<usize>(n - 1) << 2)));
  shiftLeft32(DIVISOR, n, shift);
  store<u32>(DIVIDEND + (<usize>m << 2), 0);
  shiftLeft32(DIVIDEND, m + 1, shift);
  const first: u64 = load<u32>(DIVISOR + (<usize>(n - 1) << 2));
  const second: u64 = load<u32>(DIVISOR + (<usize>(n - 2) << 2));
  for (let j = m - n; j >= 0; j--) {
    const place = DIVIDEND + (<usize>j << 2);
    const head = place + (<usize>n << 2);
    const digits = ((<u64>load<u32>(head)) << 32) | <u64>load<u32>(head - 4);
    let q = digits / first;
    let rest = digits - q * first;
    while (q > LOW || q * second > ((rest << 32) | <u64>load<u32>(head - 8))) {
      q--;
      rest += first;
      if (rest > LOW) break;
    }
    let carry: u64 = 0;
    let borrow: u64 = 0;
    for (let i: usize = 0; i < <usize>n << 2; i += 4) {
      carry += q * <u64>load<u32>(DIVISOR + i);
      const digit = <u64>load<u32>(place + i) - (carry & LOW) - borrow;
      store<u32>(place + i, <u32>digit);
      borrow = (digit >> 32) & 1;
      carry >>= 32;
    }
    const top = <u64>load<u32>(head) - carry - borrow;
    store<u32>(head, <u32>top);
    if (top >> 63 !== 0) {
      q--;
      let back: u64 = 0;
      for (let i: usize = 0; i < <usize>n << 2; i += 4) {
        back += <u64>load<u32>(place + i) + <u64>load<u32>(DIVISOR + i);
        store<u32>(place + i, <u32>back);
        back >>= 32;
      }
      store<u32>(head, load<u32>(head) + <u32>back);
    }
    store<u32>(QUOTIENT + (<usize>j << 2), <u32>q);
  }
  shiftRight32(DIVIDEND, m + 1, shift);
}

function shiftLeft32(at: usize, count: i32, bits: u32): void {
  if (bits === 0) return;
  let carry: u32 = 0;
  for (let i: usize = 0; i < <usize>count << 2; i += 4) {
    const limb = load<u32>(at + i);
    store<u32>(at + i, (limb << bits) | carry);
    carry = limb >> (32 - bits);
  }
}

function shiftRight32(at: usize, count: i32, bits: u32): void {
  if (bits === 0) return;
  let carry: u32 = 0;
  for (let i = <isize>(count - 1) << 2; i >= 0; i -= 4) {
    const limb = load<u32>(at + i);
    store<u32>(at + i, (limb >> bits) | carry);
    carry = limb << (32 - bits);
  }
}

/** Prepares `divide` for two words. */
function prepare(a: usize, b: usize): void {
  copy(DIVIDEND, a);
  copy(DIVISOR, b);
}

export function quotient(a: usize, b: usize): void {
  if ((upper(a) | upper(b)) === 0) {
    const divisor = load<u64>(b);
    if (divisor !== 0) store<u64>(b, load<u64>(a) / divisor);
    return;
  }
  if (isZero(b)) return;
  prepare(a, b);
  divide(8);
  copy(b, QUOTIENT);
}

export function remainder(a: usize, b: usize): void {
  if ((upper(a) | upper(b)) === 0) {
    const divisor = load<u64>(b);
    if (divisor !== 0) store<u64>(b, load<u64>(a) % divisor);
    return;
  }
  if (isZero(b)) return;
  prepare(a, b);
  divide(8);
  copy(b, DIVIDEND);
}

@inline
function isNegative(at: usize): bool {
  return load<i64>(at, 24) < 0;
}

function negate(at: usize): void {
  let carry: u64 = 1;
  for (let i: usize = 0; i < 32; i += 8) {
    const limb = ~load<u64>(at + i) + carry;
    carry &= u64(limb === 0);
    store<u64>(at + i, limb);
  }
}

export function signedQuotient(a: usize, b: usize): void {
  copy(FIRST, a);
  const differs = isNegative(a) !== isNegative(b);
  if (isNegative(FIRST)) negate(FIRST);
  if (isNegative(b)) negate(b);
  quotient(FIRST, b);
  if (differs) negate(b);
}

export function signedRemainder(a: usize, b: usize): void {
  copy(FIRST, a);
  const negative = isNegative(a);
  if (negative) negate(FIRST);
  if (isNegative(b)) negate(b);
  remainder(FIRST, b);
  if (negative) negate(b);
}

/** (a + b) mod n, into `n`. */
export function addModulo(a: usize, b: usize, n: usize): void {
  if (isZero(n)) return;
  copy(DIVISOR, n);
  copy(DIVIDEND, b);
  add(a, DIVIDEND);
  // The sum has a carry if it is below one of its operands.
  store<u64>(DIVIDEND, u64(below(DIVIDEND, a)), 32);
  divide(10);
  copy(n, DIVIDEND);
}

/** (a × b) mod n, into `n`. */
export function multiplyModulo(a: usize, b: usize, n: usize): void {
  if (isZero(n)) return;
  copy(DIVISOR, n);
  for (let i: usize = 0; i < 64; i += 8) store<u64>(DIVIDEND + i, 0);
  for (let i: usize = 0; i < 32; i += 8) {
    const x = load<u64>(a + i);
    if (x === 0) continue;
    let carry: u64 = 0;
    for (let j: usize = 0; j < 32; j += 8) {
      const y = load<u64>(b + j);
      const low = x * y;
      let high = highProduct(x, y);
      const partial = low + carry;
      high += u64(partial < low);
      const place = DIVIDEND + i + j;
      const sum = partial + load<u64>(place);
      high += u64(sum < partial);
      store<u64>(place, sum);
      carry = high;
    }
    store<u64>(DIVIDEND + i + 32, carry);
  }
  divide(16);
  copy(n, DIVIDEND);
}

/** a to the power of b, into `b`. */
export function power(a: usize, b: usize): void {
  copy(FIRST, a);
  copy(SECOND, b);
  setSmall(b, 1);
  for (;;) {
    if (load<u64>(SECOND) & 1) multiply(FIRST, b);
    shiftRightBy(SECOND, 1);
    if (isZero(SECOND)) return;
    copy(DIVISOR, FIRST);
    multiply(DIVISOR, FIRST);
  }
}

/** Bytes without leading zeros. */
export function bytesOccupied(at: usize): i64 {
  for (let i = 3; i >= 0; i--) {
    const limb = load<u64>(at + (<usize>i << 3));
    if (limb !== 0) return (i << 3) + <i64>(71 - clz<u64>(limb)) / 8;
  }
  return 0;
}

export function leadingZeros(at: usize): u64 {
  for (let i = 3; i >= 0; i--) {
    const limb = load<u64>(at + (<usize>i << 3));
    if (limb !== 0) return <u64>((3 - i) << 6) + clz<u64>(limb);
  }
  return 256;
}

@inline
export function below(a: usize, b: usize): bool {
  let x = load<u64>(a, 24);
  let y = load<u64>(b, 24);
  if (x === y) {
    x = load<u64>(a, 16);
    y = load<u64>(b, 16);
    if (x === y) {
      x = load<u64>(a, 8);
      y = load<u64>(b, 8);
      if (x === y) {
        x = load<u64>(a);
        y = load<u64>(b);
      }
    }
  }
  return x < y;
}

@inline
export function signedBelow(a: usize, b: usize): bool {
  return isNegative(a) === isNegative(b) ? below(a, b) : isNegative(a);
}

@inline
export function equal(a: usize, b: usize): bool {
  return (
    ((load<u64>(a) ^ load<u64>(b)) |
      (load<u64>(a, 8) ^ load<u64>(b, 8)) |
      (load<u64>(a, 16) ^ load<u64>(b, 16)) |
      (load<u64>(a, 24) ^ load<u64>(b, 24))) ===
    0
  );
}

/** A limb; `fill` above the highest. */
@inline
function limbAt(at: usize, i: u32, fill: u64): u64 {
  return i < 4 ? load<u64>(at + (<usize>i << 3)) : fill;
}

function shiftRightFilled(at: usize, bits: u32, fill: u64): void {
  const skip = bits >> 6;
  const rest = <u64>(bits & 63);
  for (let i: u32 = 0; i < 4; i++) {
    const low = limbAt(at, i + skip, fill);
    const high = limbAt(at, i + skip + 1, fill);
    store<u64>(at + (<usize>i << 3), rest === 0 ? low : (low >> rest) | (high << (64 - rest)));
  }
}

function shiftRightBy(at: usize, bits: u32): void {
  shiftRightFilled(at, bits, 0);
}

function fillWord(at: usize, limb: u64): void {
  store<u64>(at, limb);
  store<u64>(at, limb, 8);
  store<u64>(at, limb, 16);
  store<u64>(at, limb, 24);
}

export function shiftLeft(a: usize, b: usize): void {
  if (!isSmall(a) || load<u64>(a) > 255) {
    fillWord(b, 0);
    return;
  }
  const bits = load<u32>(a);
  const skip = <i32>(bits >> 6);
  const rest = <u64>(bits & 63);
  for (let i = 3; i >= 0; i--) {
    const from = i - skip;
    const high = from >= 0 ? load<u64>(b + (<usize>from << 3)) : 0;
    const low = from >= 1 ? load<u64>(b + (<usize>(from - 1) << 3)) : 0;
    store<u64>(b + (<usize>i << 3), rest === 0 ? high : (high << rest) | (low >> (64 - rest)));
  }
}

export function shiftRight(a: usize, b: usize): void {
  if (!isSmall(a) || load<u64>(a) > 255) fillWord(b, 0);
  else shiftRightBy(b, load<u32>(a));
}

export function shiftRightSigned(a: usize, b: usize): void {
  const fill = load<i64>(b, 24) >> 63;
  if (!isSmall(a) || load<u64>(a) > 255) fillWord(b, fill);
  else shiftRightFilled(b, load<u32>(a), fill);
}

/** The byte number a of b, counted from the highest. */
export function byteOf(a: usize, b: usize): void {
  const i = load<u64>(a);
  setSmall(b, isSmall(a) && i < 32 ? <u64>load<u8>(b + <usize>(31 - i)) : 0);
}

export function signExtend(a: usize, b: usize): void {
  const i = load<u64>(a);
  if (!isSmall(a) || i > 30) return;
  const fill = <u8>(load<i8>(b + <usize>i) >> 7);
  for (let at = <usize>i + 1; at < 32; at++) store<u8>(b + at, fill);
}

@inline
export function bytesSwapped(at: usize): u64 {
  return bswap<u64>(load<u64>(at));
}

/** Reads 32 bytes, the highest first. */
@inline
export function readBytes(to: usize, from: usize): void {
  const w0 = bytesSwapped(from + 24);
  const w1 = bytesSwapped(from + 16);
  const w2 = bytesSwapped(from + 8);
  const w3 = bytesSwapped(from);
  store<u64>(to, w0);
  store<u64>(to, w1, 8);
  store<u64>(to, w2, 16);
  store<u64>(to, w3, 24);
}

/** Writes 32 bytes, the highest first. */
@inline
export function writeBytes(to: usize, from: usize): void {
  store<u64>(to, bytesSwapped(from + 24));
  store<u64>(to, bytesSwapped(from + 16), 8);
  store<u64>(to, bytesSwapped(from + 8), 16);
  store<u64>(to, bytesSwapped(from), 24);
}
