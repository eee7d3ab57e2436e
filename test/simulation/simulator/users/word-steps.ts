/**
 * What the machine's plain steps do with words: the second opinion of `modelled-program.ts`. Written from
 * docs/protocol/opcodes.md, without the code of `src/tvm`.
 */

const BITS = 256;
const HEX_DIGITS = 64;

const word = (value: bigint): bigint => BigInt.asUintN(BITS, value);
const signed = (value: bigint): bigint => BigInt.asIntN(BITS, value);
const truth = (value: boolean): bigint => (value ? 1n : 0n);

export function hexOf(value: bigint): string {
  return value.toString(16).padStart(HEX_DIGITS, '0');
}

/** By the digits of the exponent, the highest first. */
export function powerOf(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n % modulus;
  for (const digit of exponent.toString(2)) {
    result = (result * result) % modulus;
    if (digit === '1') result = (result * base) % modulus;
  }
  return result;
}

function byteOf(index: bigint, value: bigint): bigint {
  if (index > 31n) return 0n;
  const at = 2 * Number(index);
  return BigInt(`0x${hexOf(value).slice(at, at + 2)}`);
}

const significantBits = (value: bigint): number => (value === 0n ? 0 : value.toString(2).length);

export interface WordStep {
  readonly code: string;
  readonly takes: number;
  readonly energy: number | ((operands: readonly bigint[]) => number);
  /** The first operand is the top of the stack. */
  readonly gives: (a: bigint, b: bigint, c: bigint) => bigint;
  /** Of a step that looks at a place in a word, the first operands around which it does something else. */
  readonly positions?: readonly bigint[] | undefined;
}

const BYTES = [0n, 1n, 15n, 29n, 30n, 31n, 32n];
const SHIFTS = [0n, 1n, 8n, 127n, 128n, 254n, 255n, 256n, 257n];

function row(
  code: string,
  energy: WordStep['energy'],
  takes: number,
  gives: WordStep['gives'],
  positions?: WordStep['positions'],
): WordStep {
  return { code, energy, takes, gives, positions };
}

export const WORD_STEPS: Readonly<Record<string, WordStep>> = {
  ADD: row('01', 3, 2, (a, b) => word(a + b)),
  MUL: row('02', 5, 2, (a, b) => word(a * b)),
  SUB: row('03', 3, 2, (a, b) => word(a - b)),
  DIV: row('04', 5, 2, (a, b) => (b === 0n ? 0n : a / b)),
  SDIV: row('05', 5, 2, (a, b) => (b === 0n ? 0n : word(signed(a) / signed(b)))),
  MOD: row('06', 5, 2, (a, b) => (b === 0n ? 0n : a % b)),
  SMOD: row('07', 5, 2, (a, b) => (b === 0n ? 0n : word(signed(a) % signed(b)))),
  ADDMOD: row('08', 8, 3, (a, b, n) => (n === 0n ? 0n : (a + b) % n)),
  MULMOD: row('09', 8, 3, (a, b, n) => (n === 0n ? 0n : (a * b) % n)),
  EXP: row(
    '0a',
    ([, exponent = 0n]) => 10 + 10 * Math.ceil(significantBits(exponent) / 8),
    2,
    (base, exponent) => powerOf(base, exponent, 1n << BigInt(BITS)),
  ),
  SIGNEXTEND: row('0b', 5, 2, (at, a) => (at > 30n ? a : word(BigInt.asIntN(8 * (Number(at) + 1), a))), BYTES),
  LT: row('10', 3, 2, (a, b) => truth(a < b)),
  GT: row('11', 3, 2, (a, b) => truth(a > b)),
  SLT: row('12', 3, 2, (a, b) => truth(signed(a) < signed(b))),
  SGT: row('13', 3, 2, (a, b) => truth(signed(a) > signed(b))),
  EQ: row('14', 3, 2, (a, b) => truth(a === b)),
  ISZERO: row('15', 3, 1, (a) => truth(a === 0n)),
  AND: row('16', 3, 2, (a, b) => a & b),
  OR: row('17', 3, 2, (a, b) => a | b),
  XOR: row('18', 3, 2, (a, b) => a ^ b),
  NOT: row('19', 3, 1, (a) => word(~a)),
  BYTE: row('1a', 3, 2, byteOf, BYTES),
  SHL: row('1b', 3, 2, (by, a) => (by >= BITS ? 0n : word(a << by)), SHIFTS),
  SHR: row('1c', 3, 2, (by, a) => (by >= BITS ? 0n : a >> by), SHIFTS),
  SAR: row('1d', 3, 2, (by, a) => word(signed(a) >> (by >= BITS ? BigInt(BITS) : by)), SHIFTS),
};

/** OSAKA's. */
export const CLZ: WordStep = row('1e', 5, 1, (a) => BigInt(BITS - significantBits(a)));
