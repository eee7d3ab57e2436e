/** The library mcl, in WebAssembly, for the curve bn254: its functions and sizes, and how it is loaded. */

import { createRequire } from 'node:module';
import { Instance, Memory, Module, type WebAssemblyMemory } from '../../primitives/web-assembly.js';

const require = createRequire(import.meta.url);

/** The used functions. Arguments are positions in its memory; the result comes first, and may be an operand. */
export interface Mcl {
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
  mclBnFp_neg(to: number, from: number): void;
  mclBnFp2_sqr(to: number, from: number): void;
  mclBnFp2_mul(to: number, a: number, b: number): void;
  /** Reads big-endian bytes, modulo the order of the groups. */
  mclBnFr_setBigEndianMod(to: number, bytes: number, length: number): number;
  mclBnG1_clear(to: number): void;
  mclBnG1_isZero(point: number): number;
  mclBnG1_isValid(point: number): number;
  mclBnG1_add(to: number, a: number, b: number): void;
  mclBnG1_mul(to: number, point: number, scalar: number): void;
  mclBnG1_normalize(to: number, point: number): void;
  mclBnG2_isValid(point: number): number;
  mclBnG2_isEqual(a: number, b: number): number;
  mclBnG2_dbl(to: number, from: number): void;
  mclBnG2_add(to: number, a: number, b: number): void;
  mclBnG2_sub(to: number, a: number, b: number): void;
  mclBn_millerLoopVec(to: number, g1: number, g2: number, pairs: number): void;
  mclBn_finalExp(to: number, value: number): void;
  mclBnGT_setInt32(to: number, value: number): void;
  mclBnGT_mul(to: number, a: number, b: number): void;
  mclBnGT_isOne(value: number): number;
}

/** mcl's number of this curve. */
const BN_SNARK1 = 4;
/** The module is built for fields of up to 384 bits and scalars of up to 256: so many words of 64 bits, as digits. */
const SIZES = 46;
export const FIELD = 48;
/** An element of the quadratic extension: real part, imaginary part. */
export const FIELD_2 = 2 * FIELD;
/** Points are x, y, z. */
export const G1 = 3 * FIELD;
export const G2 = 3 * FIELD_2;
export const GT = 6 * FIELD_2;

/** For the module's tables, and its stack of 1 MiB. */
const MEMORY_PAGES = 32;

export class MclInstance {
  readonly functions: Mcl;
  readonly #memory: WebAssemblyMemory;
  #bytes: Uint8Array;

  constructor() {
    this.#memory = new Memory({ initial: MEMORY_PAGES });
    const { exports } = new Instance(new Module(moduleOfPackage()), { env: { memory: this.#memory } });
    this.functions = exports as Mcl;
    this.functions.__wasm_call_ctors();
    const refusal = this.functions.mclBn_init(BN_SNARK1, SIZES);
    if (refusal !== 0) throw new Error(`mcl refuses the curve: ${refusal}`);
    this.#bytes = new Uint8Array(this.#memory.buffer);
  }

  /** Its memory. When that grows, an earlier view is left without bytes. */
  get bytes(): Uint8Array {
    if (this.#bytes.length === 0) this.#bytes = new Uint8Array(this.#memory.buffer);
    return this.#bytes;
  }

  /** Room that is kept, one position for each size. */
  places<Sizes extends readonly number[]>(...sizes: Sizes): { readonly [Index in keyof Sizes]: number } {
    let at = this.functions.malloc(sizes.reduce((sum, size) => sum + size, 0));
    return sizes.map((size) => {
      at += size;
      return at - size;
    }) as { [Index in keyof Sizes]: number };
  }
}

/**
 * The package compiles its module asynchronously, and a contract cannot wait. So only the module is taken from it: the
 * one text in base64 that its function contains.
 */
function moduleOfPackage(): Uint8Array {
  const createModule = require('mcl-wasm/dist/mcl_c.js') as typeof import('mcl-wasm/dist/mcl_c.js');
  const [text] = /AGFzbQ[A-Za-z0-9+/]+=*/.exec(String(createModule)) ?? [];
  if (text === undefined) throw new Error('mcl-wasm does not contain its module where it did');
  return Buffer.from(text, 'base64');
}
