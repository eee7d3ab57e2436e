/**
 * The curve of 0x06–0x08 (alt_bn128, EIP-196 and EIP-197): points read from bytes and checked, sums, products,
 * pairings. Prices and input lengths are in `standard.ts`.
 *
 * The arithmetic is mcl's, in WebAssembly; `docs/decisions/2026-11-27-precompiles.md` has the libraries that were
 * measured. Each function returns undefined if a point is invalid, and the contract fails.
 */

import { createRequire } from 'node:module';
import { Instance, Memory, Module, type WebAssemblyMemory } from '../../primitives/web-assembly.js';

const require = createRequire(import.meta.url);

/** The used functions of mcl. Arguments are positions in its memory; the result comes first. */
interface Mcl {
  __wasm_call_ctors(): void;
  malloc(bytes: number): number;
  /** Refuses a version of the sizes below that differs from its own. */
  mclBn_init(curve: number, sizes: number): number;
  /** Whether `mclBnG2_isValid` checks the subgroup. */
  mclBn_verifyOrderG2(enabled: number): void;
  /** Reads little-endian bytes. 0 if the number is not below the field's prime. */
  mclBnFp_deserialize(to: number, bytes: number, length: number): number;
  mclBnFp_serialize(bytes: number, length: number, from: number): number;
  mclBnFp_setInt32(to: number, value: number): void;
  mclBnFp_clear(to: number): void;
  /** Reads big-endian bytes, modulo the order of the groups. */
  mclBnFr_setBigEndianMod(to: number, bytes: number, length: number): number;
  mclBnG1_clear(to: number): void;
  mclBnG1_isZero(point: number): number;
  mclBnG1_isValid(point: number): number;
  mclBnG1_add(to: number, a: number, b: number): void;
  mclBnG1_mul(to: number, point: number, scalar: number): void;
  mclBnG1_normalize(to: number, point: number): void;
  mclBnG2_isValid(point: number): number;
  mclBn_millerLoopVec(to: number, g1: number, g2: number, pairs: number): void;
  mclBn_finalExp(to: number, value: number): void;
  mclBnGT_setInt32(to: number, value: number): void;
  mclBnGT_mul(to: number, a: number, b: number): void;
  mclBnGT_isOne(value: number): number;
}

/** mcl's number of this curve. */
const BN_SNARK1 = 4;
/** mcl is built for fields of up to 384 bits, and scalars of 256: words of 64 bits of both, as `mclBn_init` wants them. */
const SIZES = 46;
const FIELD = 48;
const G1 = 3 * FIELD;
const G2 = 6 * FIELD;
const GT = 12 * FIELD;
/** mcl takes no more pairs at a time; further ones save nothing. */
const PAIRS = 16;
/** Its stack, of 1 MiB, and its tables. */
const MEMORY_PAGES = 32;

const COORDINATE_BYTES = 32;
const POINT_BYTES = 2 * COORDINATE_BYTES;
const PAIR_BYTES = 6 * COORDINATE_BYTES;

class Bn254 {
  readonly #mcl: Mcl;
  readonly #memory: WebAssemblyMemory;
  /** Positions: bytes of a number, a scalar, points of both groups, the result of pairings. */
  readonly #bytesAt: number;
  readonly #scalarAt: number;
  readonly #g1At: number;
  readonly #g2At: number;
  readonly #productAt: number;
  readonly #partAt: number;
  #heap: Uint8Array;

  constructor() {
    this.#memory = new Memory({ initial: MEMORY_PAGES });
    const { exports } = new Instance(new Module(mclModule()), { env: { memory: this.#memory } });
    this.#mcl = exports as Mcl;
    const mcl = this.#mcl;
    mcl.__wasm_call_ctors();
    const refusal = mcl.mclBn_init(BN_SNARK1, SIZES);
    if (refusal !== 0) throw new Error(`mcl has no such curve: ${refusal}`);
    let at = mcl.malloc(2 * COORDINATE_BYTES + PAIRS * (G1 + G2) + 2 * GT);
    const place = (bytes: number): number => {
      const begin = at;
      at += bytes;
      return begin;
    };
    this.#bytesAt = place(COORDINATE_BYTES);
    this.#scalarAt = place(COORDINATE_BYTES);
    this.#g1At = place(PAIRS * G1);
    this.#g2At = place(PAIRS * G2);
    this.#productAt = place(GT);
    this.#partAt = place(GT);
    this.#heap = new Uint8Array(this.#memory.buffer);
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
    this.#bytes().set(input.subarray(POINT_BYTES, POINT_BYTES + COORDINATE_BYTES), this.#bytesAt);
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
    mcl.mclBnFp_setInt32(to + 4 * FIELD, 1);
    mcl.mclBnFp_clear(to + 5 * FIELD);
    return mcl.mclBnG2_isValid(to) === 1;
  }

  #readField(to: number, input: Uint8Array, from: number): boolean {
    const heap = this.#bytes();
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
      const heap = this.#bytes();
      const last = (at + 1) * COORDINATE_BYTES - 1;
      for (let i = 0; i < COORDINATE_BYTES; i++) output[last - i] = heap[this.#bytesAt + i] as number;
    }
    return output;
  }

  /** mcl may grow its memory, which leaves an earlier view without bytes. */
  #bytes(): Uint8Array {
    if (this.#heap.length === 0) this.#heap = new Uint8Array(this.#memory.buffer);
    return this.#heap;
  }
}

/** The input ends where the range does, or later. */
function isZero(input: Uint8Array, from: number, length: number): boolean {
  for (let i = from; i < from + length; i++) if (input[i] !== 0) return false;
  return true;
}

/**
 * The package compiles its module asynchronously, and a contract cannot wait. So only the module is taken from it: the
 * one text in base64 that its function contains.
 */
function mclModule(): Uint8Array {
  const createModule = require('mcl-wasm/dist/mcl_c.js') as typeof import('mcl-wasm/dist/mcl_c.js');
  const [text] = /AGFzbQ[\w+/]+=*/.exec(String(createModule)) ?? [];
  if (text === undefined) throw new Error('mcl-wasm does not contain its module where it did');
  return Buffer.from(text, 'base64');
}

/** Shared by all chains: the module keeps nothing between two calls. */
let loaded: Bn254 | undefined;

/** Loaded with the first call of a contract that needs it. */
export function bn254(): Bn254 {
  loaded ??= new Bn254();
  return loaded;
}
