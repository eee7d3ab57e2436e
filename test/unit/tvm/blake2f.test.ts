/** 0x20009 against the compression of `@ethereumjs/evm`, and BLAKE2b of Node. */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { getActivePrecompiles } from '@ethereumjs/evm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { file, text } from '../../../scripts/generate-blake2f.js';
import { bytes, hex } from './fixture.js';
import { callPrecompile } from './precompile-call.js';

const RUNS = Number(process.env.SUNUP_CURVES ?? 200);
const FLAGS = { compatibleEvm: true };
const BLAKE2F = 0x20009;

/** The rules that the library needs for a compression: all forks are active, a round costs 1. */
const RULES = { gteHardfork: () => true, isActivatedEIP: () => false, param: () => 1n };

type Compress = (options: unknown) => { readonly returnValue: Uint8Array; readonly exceptionError?: unknown };

const compress = getActivePrecompiles(RULES as unknown as Parameters<typeof getActivePrecompiles>[0]).get(
  '0000000000000000000000000000000000000009',
) as unknown as Compress;

const expected = (input: string): string =>
  hex(compress({ data: bytes(input), gasLimit: 1n << 62n, common: RULES }).returnValue);

const rounds = fc.oneof(fc.nat(30), fc.nat(300), fc.constantFrom(4_095, 4_096, 4_097, 8_200));
const word64 = fc.oneof(
  fc.constantFrom(0n, 1n, (1n << 64n) - 1n, 1n << 63n, 0xffff_ffffn),
  fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }),
);

test('compressions are those of another implementation', { timeout: 24 * 3_600_000 }, () => {
  fc.assert(
    fc.property(
      rounds,
      fc.array(word64, { minLength: 26, maxLength: 26 }),
      fc.constantFrom('00', '01'),
      (count, words, last) => {
        const input =
          count.toString(16).padStart(8, '0') +
          words.map((word) => word.toString(16).padStart(16, '0')).join('') +
          last;
        expect(callPrecompile(BLAKE2F, input, FLAGS)).toMatchObject({ energy: count, output: expected(input) });
      },
    ),
    { numRuns: RUNS },
  );
});

test('twelve rounds are those of BLAKE2b-512', () => {
  const message = Buffer.from('a message of one block');
  // The parameters of an unkeyed hash of 64 bytes change the first word of the initial state.
  const state = Buffer.from(
    '48c9bdf267e6096a3ba7ca8485ae67bb2bf894fe72f36e3cf1361d5f3af54fa5' +
      'd182e6ad7f520e511f6c3e2b8c68059b6bbd41fbabd9831f79217e1319cde05b',
    'hex',
  );
  const block = Buffer.alloc(128);
  message.copy(block);
  const counters = Buffer.alloc(16);
  counters.writeUInt8(message.length);
  const input = `0000000c${hex(state)}${hex(block)}${hex(counters)}01`;
  expect(callPrecompile(BLAKE2F, input, FLAGS).output).toBe(createHash('blake2b512').update(message).digest('hex'));
});

test('the module is the compiled form of its source', { timeout: 60_000 }, async () => {
  expect(readFileSync(file, 'utf8') === (await text())).toBe(true);
});
