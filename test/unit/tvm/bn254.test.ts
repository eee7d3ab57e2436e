/**
 * 0x06–0x08 against another implementation of the same curve (`@noble/curves`, as `@ethereumjs/evm` wraps it): valid
 * points, points that are none, and whatever else a contract may hand over.
 *
 * `SUNUP_CURVES=100000` compares so many inputs; the seed of a failure is printed.
 */

import { NobleBN254 } from '@ethereumjs/evm';
import { bn254 } from '@noble/curves/bn254.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytes, hex } from './fixture.js';
import { callPrecompile } from './precompile-call.js';

const RUNS = Number(process.env.SUNUP_CURVES ?? 150);
const POINTS = RUNS > 1000 ? 64 : 4;

const { Fp, Fp2, Fr } = bn254.fields;
const PRIME = Fp.ORDER;
const ORDER = Fr.ORDER;
const MAX = (1n << 256n) - 1n;

const word = (value: bigint): string => value.toString(16).padStart(64, '0');

type G1 = typeof bn254.G1.Point.BASE;
type G2 = typeof bn254.G2.Point.BASE;

function g1(point: G1): string {
  const { x, y } = point.toAffine();
  return word(x) + word(y);
}

function g2(point: G2): string {
  const { x, y } = point.toAffine();
  return word(x.c1) + word(x.c0) + word(y.c1) + word(y.c0);
}

const INFINITY_1 = word(0n).repeat(2);
const INFINITY_2 = word(0n).repeat(4);
const G = bn254.G1.Point.BASE;
const H = bn254.G2.Point.BASE;

const reference = new NobleBN254();

/** As a contract sees the other implementation: missing bytes are zero, what it refuses fails. */
function expected(target: number, input: string): string | undefined {
  const fixed = (length: number) => bytes(input.padEnd(2 * length, '0').slice(0, 2 * length));
  try {
    if (target === 6) return hex(reference.add(fixed(128)));
    if (target === 7) return hex(reference.mul(fixed(96)));
    return input.length % 384 === 0 ? hex(reference.pairing(bytes(input))) : undefined;
  } catch {
    return undefined;
  }
}

function answer(target: number, input: string): string | undefined {
  const { success, output } = callPrecompile(target, input);
  return success ? output : undefined;
}

/** A point on the twist: outside of the group of pairings, for all but a negligible part of them. */
function onTwist(seed: bigint): G2 {
  const b = Fp2.div(Fp2.fromBigTuple([3n, 0n]), Fp2.fromBigTuple([9n, 1n]));
  for (let a = seed; ; a++) {
    const x = Fp2.fromBigTuple([a % PRIME, 1n]);
    try {
      return bn254.G2.Point.fromAffine({ x, y: Fp2.sqrt(Fp2.add(Fp2.mul(Fp2.sqr(x), x), b)) });
    } catch {
      // No point has this x.
    }
  }
}

/** The library's own takes no factor above the order. */
function times(point: G2, factor: bigint): G2 {
  let product = bn254.G2.Point.ZERO;
  for (const bit of factor.toString(2)) {
    product = product.double();
    if (bit === '1') product = product.add(point);
  }
  return product;
}

/** The twist has this many times as many points as the group. */
const COFACTOR = 2n * PRIME - ORDER;
/** Divisors of it: points of so small orders exist. */
const SMALL_ORDERS = [10_069n, 5_864_401n];

/** Spread over the group, the same in every run. */
const factors = Array.from({ length: POINTS }, (_, i) => Fr.create(3n ** BigInt(160 + 7 * i)));
const points1 = factors.map((factor) => G.multiply(factor));
const points2 = factors.map((factor) => H.multiply(factor));
const valid1 = [INFINITY_1, ...[G, G.negate(), G.double(), ...points1, ...points1.map((p) => p.negate())].map(g1)];
const valid2 = [INFINITY_2, ...[H, H.negate(), ...points2].map(g2)];
const onTwist2 = Array.from({ length: POINTS }, (_, i) => onTwist(5n ** BigInt(100 + i)));
/** Of any order, of the order of the cofactor, of small orders, and these beside a point of the group. */
const outside2 = onTwist2
  .flatMap((point) => {
    const small = SMALL_ORDERS.map((order) => times(point, (COFACTOR / order) * ORDER));
    return [point, times(point, ORDER), ...small, ...small.map((each) => each.add(H))];
  })
  .map(g2);

const edges = [
  0n,
  1n,
  2n,
  3n,
  PRIME - 1n,
  PRIME,
  PRIME + 1n,
  PRIME + 2n,
  ORDER - 1n,
  ORDER,
  ORDER + 1n,
  2n * ORDER,
  MAX,
];
const words = fc.oneof(fc.constantFrom(...edges), fc.bigInt({ min: 0n, max: MAX })).map(word);

/** Replaces a coordinate: by another number, by the same number modulo the field, by a neighbour. */
const damaged = (points: readonly string[]) =>
  fc.tuple(fc.constantFrom(...points), fc.nat(), fc.nat(2), words).map(([point, position, kind, other]) => {
    const at = (position % (point.length / 64)) * 64;
    const number = BigInt(`0x${point.slice(at, at + 64)}`);
    const coordinate = [other, word((number + PRIME) & MAX), word((number + 1n) & MAX)][kind] as string;
    return point.slice(0, at) + coordinate + point.slice(at + 64);
  });

const mostly = <Value>(usual: fc.Arbitrary<Value>, ...others: fc.Arbitrary<Value>[]) =>
  fc.oneof({ arbitrary: usual, weight: 6 }, ...others.map((arbitrary) => ({ arbitrary, weight: 1 })));

const point1 = mostly(
  fc.constantFrom(...valid1),
  damaged(valid1),
  fc.tuple(words, words).map((pair) => pair.join('')),
);
const point2 = mostly(
  fc.constantFrom(...valid2),
  fc.constantFrom(...outside2),
  damaged([...valid2, ...outside2]),
  fc.tuple(words, words, words, words).map((parts) => parts.join('')),
);

/** Pairs whose product is one: (aG, bH) and (-abG, H). */
const cancelling = fc.tuple(fc.nat(POINTS - 1), fc.nat(POINTS - 1)).map(([a, b]) => {
  const product = G.multiply(Fr.mul(factors[a] as bigint, factors[b] as bigint)).negate();
  return g1(points1[a] as G1) + g2(points2[b] as G2) + g1(product) + g2(H);
});
const pair = fc.tuple(point1, point2).map((parts) => parts.join(''));
const pairs = fc.oneof(
  { arbitrary: fc.array(pair, { maxLength: 2 }).map((list) => list.join('')), weight: 6 },
  { arbitrary: cancelling, weight: 2 },
  { arbitrary: fc.tuple(pair, cancelling).map((parts) => parts.join('')), weight: 1 },
);

/** Cut, or with more bytes behind. */
const ofAnyLength = (inputs: fc.Arbitrary<string>) =>
  mostly(
    inputs,
    fc.tuple(inputs, fc.nat()).map(([input, length]) => input.slice(0, 2 * (length % (input.length / 2 + 1)))),
    fc.tuple(inputs, fc.uint8Array({ maxLength: 70 })).map(([input, more]) => input + hex(more)),
  );

const calls = fc.oneof(
  { arbitrary: fc.tuple(fc.constant(6), ofAnyLength(fc.tuple(point1, point1).map((p) => p.join('')))), weight: 5 },
  { arbitrary: fc.tuple(fc.constant(7), ofAnyLength(fc.tuple(point1, words).map((p) => p.join('')))), weight: 4 },
  { arbitrary: fc.tuple(fc.constant(8), ofAnyLength(pairs)), weight: 1 },
);

test('sums, products and pairings are those of another implementation', { timeout: 24 * 3_600_000 }, () => {
  fc.assert(
    fc.property(calls, ([target, input]) => {
      expect(answer(target, input)).toBe(expected(target, input));
    }),
    { numRuns: RUNS },
  );
});

/** Which failure, or which answer, is written down: both implementations could be wrong. */
const ONE = word(1n);
const NOT_ONE = word(0n);
const FAILS = undefined;

test.each<[string, number, string, string | undefined]>([
  ['infinity + infinity', 6, INFINITY_1 + INFINITY_1, INFINITY_1],
  ['no input is infinity + infinity', 6, '', INFINITY_1],
  ['P + infinity', 6, g1(G) + INFINITY_1, g1(G)],
  ['P cut after its last byte that is not zero', 6, g1(G), g1(G)],
  ['P + -P', 6, g1(G) + g1(G.negate()), INFINITY_1],
  ['P + P', 6, g1(G) + g1(G), g1(G.double())],
  ['x is not below the prime', 6, word(PRIME + 1n) + word(2n) + g1(G), FAILS],
  ['y is not below the prime', 6, word(1n) + word(PRIME + 2n) + g1(G), FAILS],
  ['the prime is no zero', 6, word(PRIME) + word(PRIME) + g1(G), FAILS],
  ['the second point is not on the curve', 6, g1(G) + word(1n) + word(3n), FAILS],
  ['bytes behind both points', 6, `${g1(G)}${g1(G)}ff`, g1(G.double())],
  ['P * 0', 7, g1(G) + word(0n), INFINITY_1],
  ['P * order', 7, g1(G) + word(ORDER), INFINITY_1],
  ['P * (order + 1)', 7, g1(G) + word(ORDER + 1n), g1(G)],
  ['P * (order - 1)', 7, g1(G) + word(ORDER - 1n), g1(G.negate())],
  ['P * (2^256 - 1)', 7, g1(G) + word(MAX), g1(G.multiply(MAX % ORDER))],
  ['infinity * 5', 7, INFINITY_1 + word(5n), INFINITY_1],
  ['a point that is not on the curve, * 0', 7, word(1n) + word(1n) + word(0n), FAILS],
  ['a scalar cut after its first byte', 7, `${g1(G)}01`, g1(G.multiply(1n << 248n))],
  ['no pairs', 8, '', ONE],
  ['one pair', 8, g1(G) + g2(H), NOT_ONE],
  ['(P, Q), (-P, Q)', 8, g1(G) + g2(H) + g1(G.negate()) + g2(H), ONE],
  ['(P, Q), (P, -Q)', 8, g1(G) + g2(H) + g1(G) + g2(H.negate()), ONE],
  ['(infinity, Q)', 8, INFINITY_1 + g2(H), ONE],
  ['(P, infinity)', 8, g1(G) + INFINITY_2, ONE],
  ['(infinity, infinity)', 8, INFINITY_1 + INFINITY_2, ONE],
  ['infinity beside a point that is not on the curve', 8, word(1n) + word(1n) + INFINITY_2, FAILS],
  ['on the twist, but not in the group', 8, g1(G) + (outside2[0] as string), FAILS],
  ['the same beside infinity', 8, INFINITY_1 + (outside2[0] as string), FAILS],
  ...outside2.map((point, i): [string, number, string, undefined] => [
    `outside of the group: ${i}`,
    8,
    g1(G) + point,
    FAILS,
  ]),
  ['a coordinate in the second group is the prime', 8, g1(G) + word(PRIME) + g2(H).slice(64), FAILS],
  [
    'real and imaginary parts exchanged',
    8,
    g1(G) + [1, 0, 3, 2].map((i) => g2(H).slice(64 * i, 64 * i + 64)).join(''),
    FAILS,
  ],
  ['a pair cut by a byte', 8, (g1(G) + g2(H)).slice(0, -2), FAILS],
  ['a byte behind a pair', 8, `${g1(G)}${g2(H)}00`, FAILS],
  ['17 pairs that cancel, and one', 8, (g1(G) + g2(H) + g1(G.negate()) + g2(H)).repeat(17), ONE],
  ['35 pairs', 8, (g1(G) + g2(H)).repeat(35), NOT_ONE],
])('%s', (_, target, input, output) => {
  expect(callPrecompile(target, input, {}, { energyLimit: 2_000_000 })).toMatchObject(
    output === undefined ? { success: false } : { success: true, output },
  );
  expect(expected(target, input)).toBe(output);
});
