/** Arithmetic, comparison and bits: 0x01–0x1e. The EVM's semantics; only the price of EXP is TRON's. */

import type { TvmFlags } from '../flags.js';
import type { Frame } from '../frame.js';
import { bytesOccupied, MAX_WORD, SIGN_BIT, toSigned, WORD_LIMIT } from '../words.js';
import { type Operation, operation } from './operation.js';

const EXP_BASE = 10;
const EXP_BYTE = 10;

/** Reduces a sum or product to a word. */
function wrap(value: bigint): bigint {
  return value > MAX_WORD ? value & MAX_WORD : value;
}

function fromSigned(value: bigint): bigint {
  return value < 0n ? value + WORD_LIMIT : value;
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let factor = base;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = wrap(result * factor);
    factor = wrap(factor * factor);
  }
  return result;
}

function signExtend(byteIndex: bigint, word: bigint): bigint {
  if (byteIndex > 30n) return word;
  const bits = Number(byteIndex) * 8 + 8;
  return BigInt.asUintN(256, BigInt.asIntN(bits, word));
}

const binary = (f: (a: bigint, b: bigint) => bigint) => (frame: Frame) => {
  const top = frame.pop();
  frame.poke(0, f(top, frame.peek(0)));
};

const unary = (f: (a: bigint) => bigint) => (frame: Frame) => frame.poke(0, f(frame.peek(0)));

const ternary = (f: (a: bigint, b: bigint, c: bigint) => bigint) => (frame: Frame) => {
  const first = frame.pop();
  const second = frame.pop();
  frame.poke(0, f(first, second, frame.peek(0)));
};

const bool = (value: boolean): bigint => (value ? 1n : 0n);

export function arithmetic(flags: TvmFlags): Operation[] {
  const rows = [
    operation(
      0x01,
      'ADD',
      2,
      1,
      3,
      binary((a, b) => wrap(a + b)),
    ),
    operation(
      0x02,
      'MUL',
      2,
      1,
      5,
      binary((a, b) => wrap(a * b)),
    ),
    operation(
      0x03,
      'SUB',
      2,
      1,
      3,
      binary((a, b) => fromSigned(a - b)),
    ),
    operation(
      0x04,
      'DIV',
      2,
      1,
      5,
      binary((a, b) => (b === 0n ? 0n : a / b)),
    ),
    operation(
      0x05,
      'SDIV',
      2,
      1,
      5,
      binary((a, b) => (b === 0n ? 0n : BigInt.asUintN(256, toSigned(a) / toSigned(b)))),
    ),
    operation(
      0x06,
      'MOD',
      2,
      1,
      5,
      binary((a, b) => (b === 0n ? 0n : a % b)),
    ),
    operation(
      0x07,
      'SMOD',
      2,
      1,
      5,
      binary((a, b) => (b === 0n ? 0n : fromSigned(toSigned(a) % toSigned(b)))),
    ),
    operation(
      0x08,
      'ADDMOD',
      3,
      1,
      8,
      ternary((a, b, n) => (n === 0n ? 0n : (a + b) % n)),
    ),
    operation(
      0x09,
      'MULMOD',
      3,
      1,
      8,
      ternary((a, b, n) => (n === 0n ? 0n : (a * b) % n)),
    ),
    operation(0x0a, 'EXP', 2, 1, (frame) => EXP_BYTE * bytesOccupied(frame.peek(1)), binary(power), EXP_BASE),
    operation(0x0b, 'SIGNEXTEND', 2, 1, 5, binary(signExtend)),
    operation(
      0x10,
      'LT',
      2,
      1,
      3,
      binary((a, b) => bool(a < b)),
    ),
    operation(
      0x11,
      'GT',
      2,
      1,
      3,
      binary((a, b) => bool(a > b)),
    ),
    operation(
      0x12,
      'SLT',
      2,
      1,
      3,
      binary((a, b) => bool(toSigned(a) < toSigned(b))),
    ),
    operation(
      0x13,
      'SGT',
      2,
      1,
      3,
      binary((a, b) => bool(toSigned(a) > toSigned(b))),
    ),
    operation(
      0x14,
      'EQ',
      2,
      1,
      3,
      binary((a, b) => bool(a === b)),
    ),
    operation(
      0x15,
      'ISZERO',
      1,
      1,
      3,
      unary((a) => bool(a === 0n)),
    ),
    operation(
      0x16,
      'AND',
      2,
      1,
      3,
      binary((a, b) => a & b),
    ),
    operation(
      0x17,
      'OR',
      2,
      1,
      3,
      binary((a, b) => a | b),
    ),
    operation(
      0x18,
      'XOR',
      2,
      1,
      3,
      binary((a, b) => a ^ b),
    ),
    operation(
      0x19,
      'NOT',
      1,
      1,
      3,
      unary((a) => MAX_WORD - a),
    ),
    operation(
      0x1a,
      'BYTE',
      2,
      1,
      3,
      binary((i, word) => (i > 31n ? 0n : (word >> (248n - 8n * i)) & 0xffn)),
    ),
  ];
  if (flags.constantinople) {
    rows.push(
      operation(
        0x1b,
        'SHL',
        2,
        1,
        3,
        binary((shift, word) => (shift > 255n ? 0n : wrap(word << shift))),
      ),
      operation(
        0x1c,
        'SHR',
        2,
        1,
        3,
        binary((shift, word) => (shift > 255n ? 0n : word >> shift)),
      ),
      operation(
        0x1d,
        'SAR',
        2,
        1,
        3,
        binary((shift, word) => {
          if (shift > 255n) return word >= SIGN_BIT ? MAX_WORD : 0n;
          return fromSigned(toSigned(word) >> shift);
        }),
      ),
    );
  }
  if (flags.osaka) {
    rows.push(
      operation(
        0x1e,
        'CLZ',
        1,
        1,
        5,
        unary((a) => BigInt(a === 0n ? 256 : 256 - a.toString(2).length)),
      ),
    );
  }
  return rows;
}
