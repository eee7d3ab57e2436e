/** What is written and read here in a word is what TronWeb's coder writes and reads, or is left to it. */

import fc from 'fast-check';
import { TronWeb } from 'tronweb';
import { describe, expect, it } from 'vitest';
import { addressHexOf, Codec, type Coders } from '../../../src/contracts/codec.js';
import { readWords, wordTypesOf, writeWords } from '../../../src/contracts/words.js';
import { toBase58 } from '../../../src/protocol/address.js';

const { ethersUtils } = new TronWeb({ fullHost: 'http://127.0.0.1' }).utils;
const coders = ethersUtils as unknown as Coders;
const coder = new ethersUtils.AbiCoder();
const hexOf = (bytes: number) => fc.uint8Array({ minLength: bytes, maxLength: bytes }).map(hex);

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

const bits = fc.integer({ min: 1, max: 32 }).map((bytes) => 8 * bytes);
const typed: fc.Arbitrary<readonly [type: string, value: unknown]> = fc.oneof(
  bits.chain((size) => fc.bigInt(0n, 2n ** BigInt(size) - 1n).map((value) => [`uint${size}`, value] as const)),
  bits.chain((size) =>
    fc.bigInt(-(2n ** BigInt(size - 1)), 2n ** BigInt(size - 1) - 1n).map((value) => [`int${size}`, value] as const),
  ),
  fc.nat().map((value) => ['uint', value] as const),
  fc.bigInt(0n, 2n ** 256n - 1n).map((value) => ['trcToken', value] as const),
  fc.boolean().map((value) => ['bool', value] as const),
  hexOf(20).map((value) => ['address', toBase58(`41${value}`)] as const),
  fc.integer({ min: 1, max: 32 }).chain((size) => hexOf(size).map((value) => [`bytes${size}`, `0x${value}`] as const)),
);

/** As TronWeb's coder takes and gives it. */
function forCoder(type: string, value: unknown): readonly [string, unknown] {
  if (type === 'address') return [type, `0x${(addressHexOf(value) as string).slice(2)}`];
  return [type === 'trcToken' ? 'uint256' : type, value];
}

function fromCoder(type: string, value: unknown): unknown {
  return type === 'address' ? toBase58(`41${String(value).slice(2).toLowerCase()}`) : value;
}

describe('values of one word', () => {
  it('are written and read as TronWeb does', () => {
    fc.assert(
      fc.property(fc.array(typed, { minLength: 1, maxLength: 4 }), (pairs) => {
        const words = wordTypesOf(
          pairs.map(([type]) => ({ type })),
          addressHexOf,
        );
        const theirs = pairs.map(([type, value]) => forCoder(type, value));
        const expected = coder.encode(
          theirs.map(([type]) => type),
          theirs.map(([, value]) => value),
        );
        const values = pairs.map(([, value]) => value);
        expect(words && writeWords(words, values)).toBe(expected.slice(2));
        const decoded = [
          ...coder.decode(
            theirs.map(([type]) => type),
            expected,
          ),
        ];
        expect(words && readWords(words, expected.slice(2))).toEqual(
          decoded.map((value, i) => fromCoder(pairs[i]?.[0] ?? '', value)),
        );
      }),
    );
  });

  it('are read from any words as TronWeb reads them, which refuses what is no address', () => {
    const codec = new Codec(coders);
    fc.assert(
      fc.property(fc.constantFrom('uint8', 'int16', 'bool', 'bytes3', 'address'), hexOf(32), (type, word) => {
        const theirs = outcomeOf(() => fromCoder(type, [...coder.decode([type], `0x${word}`)][0]));
        expect(outcomeOf(() => codec.decode([{ type }], word)[0])).toEqual(theirs);
      }),
    );
    expect(() => codec.decode([{ type: 'address' }], 'f'.repeat(64))).toThrow();
    expect(() => codec.decode([{ type: 'uint256' }], 'ff')).toThrow();
  });

  it.each([
    ['uint8', 256],
    ['int8', -129],
    ['uint256', 0.5],
    ['uint256', '7'],
    ['bool', 1],
    ['bytes4', '0x01'],
    ['address', 'nobody'],
    ['uint256', undefined],
  ])('leave to the coder what may be none of %s: %s', (type, value) => {
    expect(writeWords(wordTypesOf([{ type }], addressHexOf) ?? [], [value])).toBeUndefined();
  });

  it.each(['string', 'bytes', 'uint256[]', 'tuple', 'uint7', 'bytes33', 'function'])('are not those of %s', (type) => {
    expect(wordTypesOf([{ type }], addressHexOf)).toBeUndefined();
  });
});

function outcomeOf(work: () => unknown): unknown {
  try {
    return { value: work() };
  } catch {
    return 'refused';
  }
}
