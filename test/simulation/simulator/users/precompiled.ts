/**
 * Inputs of precompiled contracts with the output and the price that each must have (docs/protocol/precompiles.md). The
 * second opinion is Node's and other libraries' hashes and signatures, and arithmetic of numbers; nothing of `src/tvm` is
 * used. A pairing is known by its laws alone.
 */

import { createHash } from 'node:crypto';
import { p256 } from '@noble/curves/nist.js';
import { AbiCoder, computeAddress, ripemd160, SigningKey } from 'ethers';
import { bytesToHex, hexToBytes } from '../../../../src/primitives/hex.js';
import type { Choices } from '../../wild-messages.js';
import { hexOf, powerOf } from './word-steps.js';

export interface Precompiled {
  readonly name: string;
  readonly address: number;
  readonly input: Uint8Array;
  /** Undefined: it fails. */
  readonly output: Uint8Array | undefined;
  readonly energy: number;
}

/** A permission, as far as signatures are concerned. */
export interface Signers {
  readonly account: string;
  readonly threshold: bigint;
  readonly weights: ReadonlyMap<string, bigint>;
}

export interface Known {
  readonly choices: Choices;
  readonly privateKeys: readonly string[];
  /** The owner permission of an account. */
  readonly owner: Signers;
}

type Made = Omit<Precompiled, 'name' | 'address'>;
type Maker = (known: Known) => Made;

const NOTHING = new Uint8Array(0);
const wordsIn = (bytes: Uint8Array): number => Math.ceil(bytes.length / 32);
const hex = (digits: string): Uint8Array => hexToBytes(digits);
const wordBytes = (value: bigint): Uint8Array => hex(hexOf(value));
const sha256 = (bytes: Uint8Array): Uint8Array => new Uint8Array(createHash('sha256').update(bytes).digest());
const anyBytes = (choices: Choices): Uint8Array => hex(choices.hex(choices.of([0, 1, 20, 31, 32, 33, 64, 100, 200])));

function perWord(base: number, word: number, output: (input: Uint8Array) => Uint8Array): Maker {
  return ({ choices }) => {
    const input = anyBytes(choices);
    return { input, output: output(input), energy: base + word * wordsIn(input) };
  };
}

const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
/** 0x41 and the last 20 bytes. */
const addressOf = (privateKey: string): string => `41${computeAddress(`0x${privateKey}`).slice(2).toLowerCase()}`;

/** @returns r, s and v, of which s may be in the upper half */
function signature(choices: Choices, digest: string, privateKey: string): { r: bigint; s: bigint; v: bigint } {
  const { r, s, v } = new SigningKey(`0x${privateKey}`).sign(`0x${digest}`);
  if (choices.chance(0.7)) return { r: BigInt(r), s: BigInt(s), v: BigInt(v) };
  return { r: BigInt(r), s: CURVE_ORDER - BigInt(s), v: BigInt(55 - v) };
}

const recovery: Maker = ({ choices, privateKeys }) => {
  const digest = choices.hex(32);
  const privateKey = choices.of(privateKeys);
  const { r, s, v } = signature(choices, digest, privateKey);
  const whole = digest + [v, r, s].map(hexOf).join('');
  const signer = wordBytes(BigInt(`0x${addressOf(privateKey)}`));
  const [input, output] = choices.of([
    [whole, signer],
    [whole, signer],
    [`${whole}ff`, signer],
    [digest + hexOf(v + 256n) + hexOf(r) + hexOf(s), NOTHING],
    [digest + hexOf(choices.of([0n, 1n, 26n, 29n])) + hexOf(r) + hexOf(s), NOTHING],
    [digest + hexOf(v) + hexOf(choices.of([0n, CURVE_ORDER])) + hexOf(s), NOTHING],
    [digest + hexOf(v) + hexOf(r) + hexOf(choices.of([0n, CURVE_ORDER])), NOTHING],
    [whole.slice(0, 190), NOTHING],
  ] as const);
  return { input: hex(input), output, energy: 3_000 };
};

/** EIP-198. */
function powerEnergy(longest: bigint, exponent: bigint, exponentBytes: number): number {
  const complexity =
    longest <= 64n
      ? longest ** 2n
      : longest <= 1_024n
        ? longest ** 2n / 4n + 96n * longest - 3_072n
        : longest ** 2n / 16n + 480n * longest - 199_680n;
  const head = exponentBytes <= 32 ? exponent : exponent >> BigInt(8 * (exponentBytes - 32));
  const bits = head === 0n ? 0 : head.toString(2).length - 1;
  const iterations = Math.max(1, bits + 8 * Math.max(0, exponentBytes - 32));
  return Number((complexity * BigInt(iterations)) / 20n);
}

/** TIP-7883. */
function osakaPowerEnergy(longest: number, exponent: bigint, exponentBytes: number): number {
  const complexity = longest <= 32 ? 16 : 2 * Math.ceil(longest / 8) ** 2;
  const head = exponentBytes <= 32 ? exponent : exponent >> BigInt(8 * (exponentBytes - 32));
  const bits = head === 0n ? 0 : head.toString(2).length - 1;
  return Math.max(500, complexity * Math.max(1, bits + 16 * Math.max(0, exponentBytes - 32)));
}

const numberIn = (digits: string): bigint => (digits === '' ? 0n : BigInt(`0x${digits}`));

function modularPower(isOsaka: boolean): Maker {
  return ({ choices }) => {
    const [base, exponent, modulus] = [0, 1, 2].map(() => {
      const size = choices.of([0, 1, 1, 8, 31, 32, 32, 33, 64, 70]);
      return choices.chance(0.2) ? '00'.repeat(size) : choices.hex(size);
    }) as [string, string, string];
    const sizes = [base, exponent, modulus].map((one) => one.length / 2) as [number, number, number];
    const [b, e, m] = [base, exponent, modulus].map(numberIn) as [bigint, bigint, bigint];
    const longest = Math.max(sizes[0], sizes[2]);
    const power = m === 0n ? 0n : powerOf(b % m, e, m);
    const isEmpty = m === 0n && !isOsaka;
    return {
      input: hex(sizes.map((size) => hexOf(BigInt(size))).join('') + base + exponent + modulus),
      output: isEmpty || sizes[2] === 0 ? NOTHING : hex(power.toString(16).padStart(2 * sizes[2], '0')),
      energy: isOsaka ? osakaPowerEnergy(longest, e, sizes[1]) : powerEnergy(BigInt(longest), e, sizes[1]),
    };
  };
}

const FIELD = 21888242871839275222246405745257275088696311157297823662689037894645226208583n;
const GROUP = 21888242871839275222246405745257275088548364400416034343698204186575808495617n;
/** Undefined: the point at infinity. */
type Point = readonly [x: bigint, y: bigint] | undefined;
const GENERATOR: Point = [1n, 2n];

const inField = (value: bigint): bigint => ((value % FIELD) + FIELD) % FIELD;
const inverse = (value: bigint): bigint => powerOf(inField(value), FIELD - 2n, FIELD);

function sum(a: Point, b: Point): Point {
  if (a === undefined) return b;
  if (b === undefined) return a;
  const [[ax, ay], [bx, by]] = [a, b];
  if (ax === bx && inField(ay + by) === 0n) return undefined;
  const slope = ax === bx ? inField(3n * ax * ax * inverse(2n * ay)) : inField((by - ay) * inverse(bx - ax));
  const x = inField(slope * slope - ax - bx);
  return [x, inField(slope * (ax - x) - ay)];
}

function multiple(point: Point, factor: bigint): Point {
  let result: Point;
  for (const digit of factor.toString(2)) {
    result = sum(result, result);
    if (digit === '1') result = sum(result, point);
  }
  return result;
}

const pointHex = (point: Point): string => (point ?? [0n, 0n]).map(hexOf).join('');
const factor = (choices: Choices): bigint => choices.of([0n, 1n, 2n, GROUP - 1n, BigInt(`0x${choices.hex(31)}`)]);
const anyPoint = (choices: Choices): Point => multiple(GENERATOR, factor(choices));
/** Not on the curve, or not in the field. */
const NO_POINTS = [hexOf(1n) + hexOf(3n), hexOf(FIELD + 1n) + hexOf(2n)];

const addition: Maker = ({ choices }) => {
  const [a, b] = [anyPoint(choices), choices.chance(0.2) ? undefined : anyPoint(choices)];
  if (choices.chance(0.1)) return { input: hex(pointHex(a) + choices.of(NO_POINTS)), output: undefined, energy: 150 };
  const digits = choices.chance(0.2) ? pointHex(a) + pointHex(a) : pointHex(a) + pointHex(b);
  const isDouble = digits.slice(0, 128) === digits.slice(128);
  // Missing bytes are zeros, so the end of an infinite point may be left out.
  const input = b === undefined && !isDouble ? digits.slice(0, 128) : digits;
  return { input: hex(input), output: hex(pointHex(isDouble ? sum(a, a) : sum(a, b))), energy: 150 };
};

const multiplication: Maker = ({ choices }) => {
  const point = anyPoint(choices);
  const by = choices.chance(0.2) ? BigInt(`0x${choices.hex(32)}`) : factor(choices);
  if (choices.chance(0.1)) return { input: hex(choices.of(NO_POINTS) + hexOf(by)), output: undefined, energy: 6_000 };
  return { input: hex(pointHex(point) + hexOf(by)), output: hex(pointHex(multiple(point, by))), energy: 6_000 };
};

/** The generator of the second group (EIP-197), the imaginary part of each coordinate first. */
const TWISTED = [
  [
    0x198e9393920d483a7260bfb731fb5d25f1aa493335a9e71297e485b7aef312c2n,
    0x1800deef121f1e76426a00665e5c4479674322d4f75edadd46debd5cd992f6edn,
  ],
  [
    0x090689d0585ff075ec9e99ad690c3395bc4b313370b38ef355acdadcd122975bn,
    0x12c85ea5db8c6deb4aab71808dcb408fe3d1e7690c43d37b4ce6cc0166fa7daan,
  ],
] as const;

const twistedHex = (isNegative: boolean): string =>
  TWISTED[0].map(hexOf).join('') + TWISTED[1].map((part) => hexOf(isNegative ? FIELD - part : part)).join('');

/** e(aG, H) · e(bG, H) · e(cG, -H) is one if a + b = c. */
const pairing: Maker = ({ choices }) => {
  const [a, b] = [factor(choices), factor(choices)];
  const isOne = choices.chance(0.6);
  const c = (a + b + (isOne ? 0n : 1n)) % GROUP;
  const digits = [
    pointHex(multiple(GENERATOR, a)) + twistedHex(false),
    pointHex(multiple(GENERATOR, b)) + twistedHex(false),
    pointHex(multiple(GENERATOR, c)) + twistedHex(true),
  ].join('');
  const energy = 45_000 + 3 * 34_000;
  if (choices.chance(0.1)) return { input: hex(digits.slice(2)), output: undefined, energy: energy - 34_000 };
  return { input: hex(digits), output: wordBytes(isOne ? 1n : 0n), energy };
};

const compact = ({ r, s, v }: { r: bigint; s: bigint; v: bigint }, choices: Choices): string =>
  hexOf(r) +
  hexOf(s) +
  Number(choices.chance(0.5) ? v : v - 27n)
    .toString(16)
    .padStart(2, '0');

const batchValidation =
  (isOsaka: boolean): Maker =>
  ({ choices, privateKeys }) => {
    const digest = choices.hex(32);
    const answer = new Uint8Array(32);
    const count = 1 + choices.below(3);
    const [signatures, addresses]: [string[], string[]] = [[], []];
    for (let i = 0; i < count; i++) {
      const [signer, named] = [choices.of(privateKeys), choices.of(privateKeys)];
      signatures.push(`0x${compact(signature(choices, digest, signer), choices)}`);
      const address = choices.chance(0.6) ? addressOf(signer) : addressOf(named);
      addresses.push(`0x${address.slice(2)}`);
      answer[i] = address === addressOf(signer) ? 1 : 0;
    }
    const isUneven = choices.chance(0.2);
    if (isUneven) {
      addresses.push(`0x${'11'.repeat(20)}`);
      answer.fill(0);
    }
    const input = AbiCoder.defaultAbiCoder().encode(
      ['bytes32', 'bytes[]', 'address[]'],
      [`0x${digest}`, signatures, addresses],
    );
    const bytes = hex(input.slice(2));
    // TIP-854: its length would have to be that of whole signatures.
    return { input: bytes, output: isUneven && isOsaka ? undefined : answer, energy: perSignature(bytes, 6) };
  };

const perSignature = (input: Uint8Array, words: number): number =>
  1_500 * Math.trunc((Math.floor(input.length / 32) - 5) / words);

const multiValidation: Maker = ({ choices, privateKeys, owner }) => {
  const content = choices.hex(32);
  const digest = bytesToHex(sha256(hex(`${owner.account}00000000${content}`)));
  const signers = privateKeys.filter(() => choices.chance(0.3)).slice(0, 4);
  if (signers.length === 0) signers.push(choices.of(privateKeys));
  // Twice the same signature counts once.
  const made = signers.map((signer) => `0x${compact(signature(choices, digest, signer), choices)}`);
  const weights = signers.map((signer) => owner.weights.get(addressOf(signer)) ?? 0n);
  const weight = weights.some((one) => one === 0n) ? 0n : weights.reduce((total, one) => total + one);
  if (choices.chance(0.2)) made.push(made[0] as string);
  const input = AbiCoder.defaultAbiCoder().encode(
    ['address', 'uint256', 'bytes32', 'bytes[]'],
    [`0x${owner.account.slice(2)}`, 0, `0x${content}`, made],
  );
  const bytes = hex(input.slice(2));
  return {
    input: bytes,
    output: wordBytes(weight > 0n && weight >= owner.threshold ? 1n : 0n),
    energy: perSignature(bytes, 5),
  };
};

const BLAKE_START = [
  0x6a09e667f3bcc908n,
  0xbb67ae8584caa73bn,
  0x3c6ef372fe94f82bn,
  0xa54ff53a5f1d36f1n,
  0x510e527fade682d1n,
  0x9b05688c2b3e6c1fn,
  0x1f83d9abfb41bd6bn,
  0x5be0cd19137e2179n,
];
const BLAKE_ROUNDS = 12;

function little(value: bigint): string {
  return bytesToHex(hex(value.toString(16).padStart(16, '0')).reverse());
}

/** The whole hash of one block is one compression (RFC 7693). */
const compression: Maker = ({ choices }) => {
  const message = hex(choices.hex(choices.of([0, 1, 64, 127, 128])));
  const state = BLAKE_START.map((word, i) => little(i === 0 ? word ^ 0x01010040n : word)).join('');
  const block = bytesToHex(message).padEnd(256, '0');
  const digits = `0000000c${state}${block}${little(BigInt(message.length))}${little(0n)}01`;
  return {
    input: hex(digits),
    output: new Uint8Array(createHash('blake2b512').update(message).digest()),
    energy: BLAKE_ROUNDS,
  };
};

const verification: Maker = ({ choices }) => {
  const privateKey = hex(`00${choices.hex(31)}`);
  const digest = hex(choices.hex(32));
  const isValid = choices.chance(0.6);
  const signed = bytesToHex(p256.sign(digest, privateKey, { prehash: false }) as Uint8Array);
  const key = bytesToHex(p256.getPublicKey(privateKey, false)).slice(2);
  const named = isValid ? bytesToHex(digest) : choices.hex(32);
  return { input: hex(named + signed + key), output: isValid ? wordBytes(1n) : NOTHING, energy: 6_900 };
};

const ALWAYS: readonly [name: string, address: number, make: Maker][] = [
  ['ECRecover', 0x01, recovery],
  ['Sha256', 0x02, perWord(60, 12, sha256)],
  ['Ripempd160', 0x03, perWord(600, 120, (input) => sha256(sha256(input).subarray(0, 20)))],
  ['Identity', 0x04, perWord(15, 3, (input) => input)],
  ['BN128Addition', 0x06, addition],
  ['BN128Multiplication', 0x07, multiplication],
  ['BN128Pairing', 0x08, pairing],
  ['ValidateMultiSign', 0x0a, multiValidation],
];

const COMPATIBLE: typeof ALWAYS = [
  ['EthRipemd160', 0x20003, perWord(600, 120, (input) => hex(ripemd160(input).slice(2).padStart(64, '0')))],
  ['Blake2F', 0x20009, compression],
];

/** @param on whether a chain parameter is switched on */
export function anyPrecompiled(known: Known, on: (parameter: 'COMPATIBLE_EVM' | 'OSAKA') => boolean): Precompiled {
  const [name, address, make] = known.choices.of([
    ...ALWAYS,
    ['ModExp', 0x05, modularPower(on('OSAKA'))] as const,
    ['BatchValidateSign', 0x09, batchValidation(on('OSAKA'))] as const,
    ...(on('COMPATIBLE_EVM') ? COMPATIBLE : []),
    ...(on('OSAKA') ? [['P256Verify', 0x100, verification] as const] : []),
  ]);
  const made = make(known);
  return { name, address, ...made };
}
