/** MODEXP against powers of bigints, for odd and even moduli around the sizes at which the way changes. */

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { file, text } from '../../../scripts/generate-montgomery.js';
import { callPrecompile } from './precompile-call.js';

const RUNS = Number(process.env.SUNUP_CURVES ?? 300);
const MODEXP = 5;

function expected(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n % modulus;
  for (const bit of exponent.toString(2)) {
    result = (result * result) % modulus;
    if (bit === '1') result = (result * base) % modulus;
  }
  return result;
}

/** Long runs of equal bits meet carries and the last subtraction. */
const numberOf = (maxBytes: number): fc.Arbitrary<bigint> =>
  fc.oneof(
    fc
      .array(fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 2 * maxBytes })), { minLength: 1, maxLength: 6 })
      .map(
        (runs) =>
          runs.reduce(
            (number, [ones, bits]) => (number << BigInt(bits)) | (ones ? (1n << BigInt(bits)) - 1n : 0n),
            0n,
          ) &
          ((1n << BigInt(8 * maxBytes)) - 1n),
      ),
    fc.integer({ min: 1, max: maxBytes }).chain((bytes) => fc.bigInt({ min: 0n, max: (1n << BigInt(8 * bytes)) - 1n })),
    fc.constantFrom(0n, 1n, 2n, 3n),
  );

const word = (value: number): string => value.toString(16).padStart(64, '0');
const bytesOf = (number: bigint): string => {
  const digits = number.toString(16);
  return digits.padStart(digits.length + (digits.length % 2), '0');
};

const modulus = fc.tuple(numberOf(136), fc.nat(3)).map(([number, even]) => (even === 0 ? number : number | 1n));

test('powers are those of bigints', { timeout: 24 * 3_600_000 }, () => {
  fc.assert(
    fc.property(numberOf(140), numberOf(40), modulus, (base, exponent, n) => {
      fc.pre(n !== 0n);
      const parts = [base, exponent, n].map(bytesOf);
      const input = parts.map((part) => word(part.length / 2)).join('') + parts.join('');
      const { output } = callPrecompile(MODEXP, input, {}, { energyLimit: 1e9 });
      expect(BigInt(`0x${output}`)).toBe(expected(base, exponent, n));
      expect(output.length).toBe((parts[2] as string).length);
    }),
    { numRuns: RUNS },
  );
});

test('an exponent of 10,000 bytes', () => {
  const exponent = 7n ** 28_000n;
  const n = (1n << 127n) - 1n;
  const parts = [3n, exponent, n].map(bytesOf);
  const input = parts.map((part) => word(part.length / 2)).join('') + parts.join('');
  const { output } = callPrecompile(MODEXP, input, {}, { energyLimit: 1e9 });
  // The order of the group divides n - 1, a prime less one.
  expect(BigInt(`0x${output}`)).toBe(expected(3n, exponent % (n - 1n), n));
});

test('the module is the compiled form of its source', { timeout: 60_000 }, async () => {
  expect(readFileSync(file, 'utf8') === (await text())).toBe(true);
});
