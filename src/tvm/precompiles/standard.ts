/**
 * The precompiled contracts of Ethereum, 0x01–0x08, 0x100, 0x20003, 0x20009, with TRON's differences
 * (protocol/precompiles.md#table): ecrecover returns 21 bytes, 0x03 is not RIPEMD-160, MODEXP has the prices of
 * EIP-198.
 *
 * Curves and BLAKE2 are loaded on first use: most chains never need them.
 */

import { hash } from 'node:crypto';
import { createRequire } from 'node:module';
import { addressFromPublicKey } from '../../protocol/address.js';
import { sha256Bytes } from '../../protocol/hashes.js';
import { CURVE_ORDER } from '../../protocol/scalars.js';
import { secp256k1 } from '../../protocol/secp256k1.js';
import type { TvmFlags } from '../flags.js';
import { NO_BYTES } from '../frame.js';
import { MAX_LONG, saturatedInt, wordAt, wordCount, wordToBytes } from '../words.js';
import { BLAKE2F_BYTES, blake2f } from './blake2f.js';
import { bn254 } from './bn254.js';
import { JavaBytes, JavaHeap } from './java-arrays.js';
import { powerModulo } from './modular-power.js';
import { type Precompile, type PrecompileCall, priced } from './precompile.js';

const require = createRequire(import.meta.url);

/** Input bytes of a fixed length: missing bytes are zero, further ones are ignored. */
function fixed(input: Uint8Array, from: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  bytes.set(input.subarray(from, from + length));
  return bytes;
}

function perWord(base: number, word: number) {
  return ({ input }: PrecompileCall): number => base + word * wordCount(input.length);
}

/**
 * The address word (0x41 at byte 11) of the signer, or `undefined` for an invalid signature. v is 27 or 28, and s may
 * be in either half.
 *
 * @param rs r and s, 64 bytes
 */
export function signerWord(digest: Uint8Array, rs: Uint8Array, v: number): bigint | undefined {
  if (v !== 27 && v !== 28) return undefined;
  const r = wordAt(rs, 0);
  const s = wordAt(rs, 32);
  if (r === 0n || r >= CURVE_ORDER || s === 0n || s >= CURVE_ORDER) return undefined;
  const key = secp256k1().recover(digest, rs, v - 27);
  return key === undefined ? undefined : BigInt(`0x${addressFromPublicKey(key)}`);
}

/** Hash, v, r, s; only s may be incomplete. */
const ecRecover = priced(3_000, ({ input }) => {
  const v = wordAt(input, 32);
  if (input.length < 96 || v > 28n) return NO_BYTES;
  const signer = signerWord(fixed(input, 0, 32), fixed(input, 64, 64), Number(v));
  return signer === undefined ? NO_BYTES : wordToBytes(signer);
});

const sha256Contract: Precompile = { energy: perWord(60, 12), run: ({ input }) => sha256Bytes(input) };

/** Named after RIPEMD-160, but it is the sha256 of the first 20 bytes of a sha256. */
const doubleSha256: Precompile = {
  energy: perWord(600, 120),
  run: ({ input }) => sha256Bytes(sha256Bytes(input).subarray(0, 20)),
};

/** Shared by all chains: the fastest of this machine. */
let ripemd160Hash: ((bytes: Uint8Array) => Uint8Array) | undefined;

/** OpenSSL's, which some builds of Node do not have; the library takes twice as long. */
function chooseRipemd160(): (bytes: Uint8Array) => Uint8Array {
  const native = (bytes: Uint8Array) => Buffer.from(hash('ripemd160', bytes, 'binary'), 'binary');
  try {
    native(NO_BYTES);
    return native;
  } catch {
    const legacy = require('@noble/hashes/legacy.js') as typeof import('@noble/hashes/legacy.js');
    return legacy.ripemd160;
  }
}

const ripemd160: Precompile = {
  energy: perWord(600, 120),
  run: ({ input }) => {
    ripemd160Hash ??= chooseRipemd160();
    const word = new Uint8Array(32);
    word.set(ripemd160Hash(input), 12);
    return word;
  },
};

const identity: Precompile = { energy: perWord(15, 3), run: ({ input }) => input };

/** The three lengths, limited to the range of Java's int. */
function modexpLengths(input: Uint8Array): { base: number; exponent: number; modulus: number } {
  return {
    base: saturatedInt(wordAt(input, 0)),
    exponent: saturatedInt(wordAt(input, 32)),
    modulus: saturatedInt(wordAt(input, 64)),
  };
}

function bigintOf(input: Uint8Array, from: number, length: number): bigint {
  const present = input.subarray(from, from + length);
  if (present.length === 0) return 0n;
  const digits = Buffer.from(present.buffer, present.byteOffset, present.length).toString('hex');
  return BigInt(`0x${digits}`) << BigInt(8 * (length - present.length));
}

/** Position of the highest set bit in the exponent's first word, plus the number of bits behind that word. */
function exponentIterations(input: Uint8Array, lengths: ReturnType<typeof modexpLengths>, perByte: bigint): bigint {
  const head = bigintOf(input, 96 + lengths.base, Math.min(lengths.exponent, 32));
  const highestBit = head === 0n ? 0n : BigInt(head.toString(2).length - 1);
  const behind = lengths.exponent > 32 ? perByte * BigInt(lengths.exponent - 32) : 0n;
  const iterations = behind + highestBit;
  return iterations > 1n ? iterations : 1n;
}

/** EIP-198. */
function multiplicationComplexity(length: bigint): bigint {
  const square = length * length;
  if (length <= 64n) return square;
  if (length <= 1024n) return square / 4n + 96n * length - 3_072n;
  return square / 16n + 480n * length - 199_680n;
}

function modexpEnergy(input: Uint8Array): number {
  const lengths = modexpLengths(input);
  const complexity = multiplicationComplexity(BigInt(Math.max(lengths.base, lengths.modulus)));
  const energy = (complexity * exponentIterations(input, lengths, 8n)) / 20n;
  return Number(energy < MAX_LONG ? energy : MAX_LONG);
}

/** EIP-7883. */
function osakaModexpEnergy(input: Uint8Array): number {
  const lengths = modexpLengths(input);
  const length = Math.max(lengths.base, lengths.modulus);
  const words = BigInt(Math.ceil(length / 8));
  const complexity = length <= 32 ? 16n : 2n * words * words;
  const energy = complexity * exponentIterations(input, lengths, 16n);
  return Math.max(500, Number(energy < MAX_LONG ? energy : MAX_LONG));
}

/** EIP-7823. */
const OSAKA_MAX_LENGTH = 1024;

function modexp(flags: TvmFlags): Precompile {
  return {
    energy: ({ input }) => (flags.osaka ? osakaModexpEnergy(input) : modexpEnergy(input)),
    run({ input }) {
      const lengths = modexpLengths(input);
      if (flags.osaka && Math.max(lengths.base, lengths.exponent, lengths.modulus) > OSAKA_MAX_LENGTH) {
        return undefined;
      }
      const exponentAt = 96 + lengths.base;
      const modulusAt = exponentAt + lengths.exponent;
      const heap = new JavaHeap();
      const base = argument(heap, input, 96, lengths.base);
      const exponent = argument(heap, input, exponentAt, lengths.exponent);
      const modulus = argument(heap, input, modulusAt, lengths.modulus)();
      // If the input contains the modulus, it contains the other numbers, too: no huge number is built.
      if (modulus === 0n) return flags.osaka ? new Uint8Array(lengths.modulus) : NO_BYTES;
      const digits = powerModulo(base(), exponent(), modulus).toString(16);
      return Buffer.from(digits.padStart(2 * lengths.modulus, '0'), 'hex');
    },
  };
}

/** One of the three numbers. Reads nothing beyond the input. */
function argument(heap: JavaHeap, input: Uint8Array, from: number, length: number): () => bigint {
  if (from >= input.length) return () => 0n;
  heap.bytes(length);
  return new JavaBytes(input, from, length).number();
}

const PAIR_BYTES = 192;

function pairing(input: Uint8Array): Uint8Array | undefined {
  const isOne = bn254().isPairingProductOne(input);
  return isOne === undefined ? undefined : wordToBytes(isOne ? 1n : 0n);
}

function bn128Contracts(flags: TvmFlags): [number, Precompile][] {
  const [addition, multiplication, product, pair] = flags.istanbul
    ? [150, 6_000, 45_000, 34_000]
    : [500, 40_000, 100_000, 80_000];
  return [
    [0x06, priced(addition as number, ({ input }) => bn254().add(fixed(input, 0, 128)))],
    [0x07, priced(multiplication as number, ({ input }) => bn254().multiply(fixed(input, 0, 96)))],
    [
      0x08,
      {
        energy: ({ input }) => (product as number) + (pair as number) * Math.floor(input.length / PAIR_BYTES),
        run: ({ input }) => (input.length % PAIR_BYTES === 0 ? pairing(input) : undefined),
      },
    ],
  ];
}

function isBlake2fInput(input: Uint8Array): boolean {
  return input.length === BLAKE2F_BYTES && ((input[BLAKE2F_BYTES - 1] as number) & 0xfe) === 0;
}

function blake2fRounds(input: Uint8Array): number {
  return new DataView(input.buffer, input.byteOffset).getUint32(0);
}

/** Ethereum's 0x09 (EIP-152), at its address under the compatible-EVM switch. */
const blake2fContract: Precompile = {
  energy: ({ input }) => (isBlake2fInput(input) ? blake2fRounds(input) : 0),
  run: ({ input }) => (isBlake2fInput(input) ? blake2f().compress(input, blake2fRounds(input)) : undefined),
  // Only this contract writes a zero word with its failure, as in java-tron.
  failureOutput: new Uint8Array(32),
};

/** The library throws for keys that are not on the curve. */
function orFailure(compute: () => Uint8Array): Uint8Array | undefined {
  try {
    return compute();
  } catch {
    return undefined;
  }
}

/** TIP-7951: hash, r, s, x, y of secp256r1; the output is empty if the signature is not valid. */
const p256Verify = priced(6_900, ({ input }) => {
  if (input.length !== 160) return NO_BYTES;
  const { p256 } = require('@noble/curves/nist.js') as typeof import('@noble/curves/nist.js');
  const key = new Uint8Array(65);
  key[0] = 4;
  key.set(input.subarray(96), 1);
  const verified = orFailure(() =>
    p256.verify(input.subarray(32, 96), input.subarray(0, 32), key, { prehash: false, lowS: false })
      ? wordToBytes(1n)
      : NO_BYTES,
  );
  return verified ?? NO_BYTES;
});

export function standard(flags: TvmFlags): [number, Precompile][] {
  const contracts: [number, Precompile][] = [
    [0x01, ecRecover],
    [0x02, sha256Contract],
    [0x03, doubleSha256],
    [0x04, identity],
    [0x05, modexp(flags)],
    ...bn128Contracts(flags),
  ];
  if (flags.compatibleEvm) contracts.push([0x20003, ripemd160], [0x20009, blake2fContract]);
  if (flags.osaka) contracts.push([0x100, p256Verify]);
  return contracts;
}
