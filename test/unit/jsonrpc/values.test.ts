/**
 * Quantities, addresses, hashes and numbers of blocks as protocol/json-rpc.md#value-formats, #block-tags have
 * them.
 */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JavaException } from '../../../src/errors/java-exception.js';
import { JsonRpcError } from '../../../src/jsonrpc/errors.js';
import {
  quantity,
  readAddress,
  readAmount,
  readBlockNumber,
  readHash,
  readHexLong,
  readIndex,
  readQuantity,
  shownAddress,
} from '../../../src/jsonrpc/values.js';
import type { Address } from '../../../src/primitives/ids.js';

const BODY = 'ab'.repeat(20);

function refusal(work: () => unknown): string | null {
  try {
    return `accepted: ${String(work())}`;
  } catch (error) {
    if (error instanceof JsonRpcError) return `${error.code} ${error.text}`;
    if (error instanceof JavaException) return `${error.javaClass} ${error.javaMessage}`;
    throw error;
  }
}

test('quantities are minimal hex, negative ones as Java longs', () => {
  for (const [value, shown] of [
    [0, '0x0'],
    [0n, '0x0'],
    [255, '0xff'],
    [2n ** 80n, '0x100000000000000000000'],
    [-1n, '0xffffffffffffffff'],
    [-1, '0xffffffffffffffff'],
    [-(2n ** 63n), '0x8000000000000000'],
  ] as const) {
    expect(quantity(value)).toBe(shown);
  }
});

describe('addresses', () => {
  test('are read with 20 bytes or 21, with 0x or without, and shown with 20', () => {
    for (const text of [`0x${BODY}`, BODY, `41${BODY}`, `0x41${BODY}`, `0x${BODY.toUpperCase()}`]) {
      expect(readAddress(text)).toBe(`41${BODY}`);
    }
    expect(shownAddress(`41${BODY}` as Address)).toBe(`0x${BODY}`);
    expect(shownAddress('')).toBeNull();
    expect(shownAddress(undefined)).toBeNull();
  });

  test.each([null, '', '0x', `42${BODY}`, BODY.slice(2), `0x41${BODY}00`])('%s is none', (text) => {
    expect(refusal(() => readAddress(text))).toBe('-32602 invalid address hash value');
  });

  test('base58 is not read', () => {
    expect(refusal(() => readAddress('TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'))).toMatch(
      /^-32602 exception decoding Hex string: invalid characters encountered in Hex string/,
    );
  });
});

test('hashes have 64 letters and digits, and must be hex after all', () => {
  const hash = '0a'.repeat(32);
  expect(readHash(hash)).toBe(hash);
  expect(readHash(`0x${hash.toUpperCase()}`)).toBe(hash);
  for (const bad of ['', '0x', hash.slice(1), `${hash}00`, `0X${hash}`]) {
    expect(refusal(() => readHash(bad))).toBe('-32602 invalid hash value');
  }
  expect(refusal(() => readHash('zz'.repeat(32)))).toMatch(/^-32602 exception decoding Hex string/);
  expect(refusal(() => readHash(null))).toBe('java.lang.NullPointerException null');
});

describe('numbers of blocks', () => {
  test('are hex behind 0x, else decimal; of long ones the low 64 bits count', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 100n }), (number) => {
        expect(readBlockNumber(`0x${number.toString(16)}`)).toBe(BigInt.asIntN(64, number));
        expect(readBlockNumber(String(number))).toBe(BigInt.asIntN(64, number));
      }),
    );
    expect(readBlockNumber('-1')).toBe(-1n);
    expect(readBlockNumber('+7')).toBe(7n);
  });

  test.each([null, '', '0x', 'zz', '1.5', ' 1', 'latest', '9'.repeat(1_001)])('%s is none', (text) => {
    expect(readBlockNumber(text)).toBeUndefined();
  });
});

test('ends of ranges are hex with 0x, of 64 bits', () => {
  expect(readHexLong('0x7fffffffffffffff')).toBe(2n ** 63n - 1n);
  expect(readHexLong('12')).toBeUndefined();
  expect(refusal(() => readHexLong('0xzz'))).toMatch(/^java.lang.NumberFormatException For input string: "zz"/);
  expect(refusal(() => readHexLong('0x8000000000000000'))).toMatch(/^java.lang.NumberFormatException/);
});

test('amounts are hex with 0x, and nothing is zero', () => {
  expect(readAmount(null)).toBe(0n);
  expect(readAmount('')).toBe(0n);
  expect(readAmount('0x10')).toBe(16n);
  for (const bad of ['16', '0x', '0xg', '0x8000000000000000']) {
    expect(refusal(() => readAmount(bad))).toBe('-32602 invalid param value: invalid hex number');
  }
});

test('quantities of Ethereum have up to 256 bits', () => {
  expect(readQuantity(null)).toBe(0n);
  expect(readQuantity('')).toBe(0n);
  expect(readQuantity(`0x${'f'.repeat(64)}`)).toBe(2n ** 256n - 1n);
  for (const bad of ['16', '0x', '0xg', '0x-1', `0x1${'0'.repeat(64)}`]) {
    expect(refusal(() => readQuantity(bad))).toBe(
      `-32602 expected a number of up to 256 bits in hex (0x…), got "${bad}"`,
    );
  }
});

test('indexes are hex with 0x that fit an int', () => {
  expect(readIndex('0x7fffffff')).toBe(2 ** 31 - 1);
  expect(readIndex('0x-1')).toBe(-1);
  for (const bad of [null, '', '1', '0x', '0x80000000', '0xffffffffff']) {
    expect(refusal(() => readIndex(bad))).toBe('-32602 invalid index value');
  }
});
