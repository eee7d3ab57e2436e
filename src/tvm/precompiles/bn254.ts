/**
 * The curve of 0x06–0x08 (alt_bn128, EIP-196 and EIP-197): points read from bytes and checked, sums, products,
 * pairings. Prices and input lengths are in `standard.ts`.
 *
 * The arithmetic is mcl's, in WebAssembly; `docs/decisions/2026-11-27-precompiles.md` has the libraries that were
 * measured. Each function returns undefined if a point is invalid, and the contract fails.
 */

import { RecentMap } from '../../primitives/recent-map.js';
import { Bn254Subgroup } from './bn254-subgroup.js';
import { FIELD, FIELD_2, G1, G2, GT, type Mcl, MclInstance } from './mcl.js';

/** mcl takes no more pairs at a time; further ones save nothing. */
const PAIRS = 16;
/** Points of G2 that were found in the group. Those of a verifier's key come with each of its proofs. */
const KNOWN_POINTS = 64;

const COORDINATE_BYTES = 32;
const POINT_BYTES = 2 * COORDINATE_BYTES;
const PAIR_BYTES = 6 * COORDINATE_BYTES;

class Bn254 {
  readonly #instance = new MclInstance();
  readonly #mcl: Mcl;
  readonly #subgroup: Bn254Subgroup;
  readonly #inSubgroup = new RecentMap<string, true>(KNOWN_POINTS);
  /** Positions: bytes of a number, a scalar, points of both groups, the result of pairings. */
  readonly #bytesAt: number;
  readonly #scalarAt: number;
  readonly #g1At: number;
  readonly #g2At: number;
  readonly #productAt: number;
  readonly #partAt: number;

  constructor() {
    this.#mcl = this.#instance.functions;
    this.#mcl.mclBn_verifyOrderG2(0);
    this.#subgroup = new Bn254Subgroup(this.#instance);
    [this.#bytesAt, this.#scalarAt, this.#g1At, this.#g2At, this.#productAt, this.#partAt] = this.#instance.places(
      COORDINATE_BYTES,
      COORDINATE_BYTES,
      PAIRS * G1,
      PAIRS * G2,
      GT,
      GT,
    );
  }

  /** @param input two points */
  add(input: Uint8Array): Uint8Array | undefined {
    const at = this.#g1At;
    if (!this.#readG1(at, input, 0) || !this.#readG1(at + G1, input, POINT_BYTES)) return undefined;
    this.#mcl.mclBnG1_add(at, at, at + G1);
    return this.#writeG1(at);
  }

  /** @param input a point and any number */
  multiply(input: Uint8Array): Uint8Array | undefined {
    const at = this.#g1At;
    if (!this.#readG1(at, input, 0)) return undefined;
    this.#instance.bytes.set(input.subarray(POINT_BYTES, POINT_BYTES + COORDINATE_BYTES), this.#bytesAt);
    this.#mcl.mclBnFr_setBigEndianMod(this.#scalarAt, this.#bytesAt, COORDINATE_BYTES);
    this.#mcl.mclBnG1_mul(at, at, this.#scalarAt);
    return this.#writeG1(at);
  }

  /**
   * Whether the product of the pairings is one.
   *
   * @param input pairs of points, one of each group
   */
  isPairingProductOne(input: Uint8Array): boolean | undefined {
    const mcl = this.#mcl;
    mcl.mclBnGT_setInt32(this.#productAt, 1);
    let waiting = 0;
    for (let from = 0; from < input.length; from += PAIR_BYTES) {
      const g1 = this.#g1At + waiting * G1;
      const g2 = this.#g2At + waiting * G2;
      if (!this.#readG1(g1, input, from) || !this.#readG2(g2, input, from + POINT_BYTES)) return undefined;
      // The pairing of a point at infinity is one.
      if (isZero(input, from, POINT_BYTES) || isZero(input, from + POINT_BYTES, 2 * POINT_BYTES)) continue;
      waiting++;
      if (waiting === PAIRS) {
        this.#multiplyPairings(waiting);
        waiting = 0;
      }
    }
    if (waiting > 0) this.#multiplyPairings(waiting);
    mcl.mclBn_finalExp(this.#productAt, this.#productAt);
    return mcl.mclBnGT_isOne(this.#productAt) === 1;
  }

  #multiplyPairings(pairs: number): void {
    this.#mcl.mclBn_millerLoopVec(this.#partAt, this.#g1At, this.#g2At, pairs);
    this.#mcl.mclBnGT_mul(this.#productAt, this.#productAt, this.#partAt);
  }

  /** Zero bytes are the point at infinity. */
  #readG1(to: number, input: Uint8Array, from: number): boolean {
    const mcl = this.#mcl;
    if (isZero(input, from, POINT_BYTES)) {
      mcl.mclBnG1_clear(to);
      return true;
    }
    if (!this.#readField(to, input, from) || !this.#readField(to + FIELD, input, from + COORDINATE_BYTES)) return false;
    mcl.mclBnFp_setInt32(to + 2 * FIELD, 1);
    return mcl.mclBnG1_isValid(to) === 1;
  }

  /** The imaginary part of a coordinate comes first. A point at infinity is valid, but is not written. */
  #readG2(to: number, input: Uint8Array, from: number): boolean {
    if (isZero(input, from, 2 * POINT_BYTES)) return true;
    const mcl = this.#mcl;
    for (let i = 0; i < 4; i++) {
      if (!this.#readField(to + (i ^ 1) * FIELD, input, from + i * COORDINATE_BYTES)) return false;
    }
    mcl.mclBnFp_setInt32(to + 2 * FIELD_2, 1);
    mcl.mclBnFp_clear(to + 2 * FIELD_2 + FIELD);
    if (mcl.mclBnG2_isValid(to) !== 1) return false;
    const point = Buffer.from(input.buffer, input.byteOffset + from, 2 * POINT_BYTES).toString('latin1');
    if (!this.#inSubgroup.has(point) && !this.#subgroup.has(to)) return false;
    this.#inSubgroup.set(point, true);
    return true;
  }

  #readField(to: number, input: Uint8Array, from: number): boolean {
    const heap = this.#instance.bytes;
    const last = this.#bytesAt + COORDINATE_BYTES - 1;
    for (let i = 0; i < COORDINATE_BYTES; i++) heap[last - i] = input[from + i] as number;
    return this.#mcl.mclBnFp_deserialize(to, this.#bytesAt, COORDINATE_BYTES) !== 0;
  }

  #writeG1(from: number): Uint8Array {
    const output = new Uint8Array(POINT_BYTES);
    if (this.#mcl.mclBnG1_isZero(from) === 1) return output;
    this.#mcl.mclBnG1_normalize(from, from);
    for (const at of [0, 1]) {
      this.#mcl.mclBnFp_serialize(this.#bytesAt, COORDINATE_BYTES, from + at * FIELD);
      const heap = this.#instance.bytes;
      const last = (at + 1) * COORDINATE_BYTES - 1;
      for (let i = 0; i < COORDINATE_BYTES; i++) output[last - i] = heap[this.#bytesAt + i] as number;
    }
    return output;
  }
}

/** The input ends where the range does, or later. */
function isZero(input: Uint8Array, from: number, length: number): boolean {
  for (let i = from; i < from + length; i++) if (input[i] !== 0) return false;
  return true;
}

/** Shared by all chains: the module keeps nothing between two calls. */
let loaded: Bn254 | undefined;

/** Loaded with the first call of a contract that needs it. */
export function bn254(): Bn254 {
  loaded ??= new Bn254();
  return loaded;
}
