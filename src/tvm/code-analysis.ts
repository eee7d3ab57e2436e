/**
 * Data derived once from a program and used by every run: jump destinations, PUSH constants, code hash.
 *
 * Cached by the identity of the byte array while that array lives. So a host that returns the same array for the same
 * code pays for the analysis once (java-tron's cache key is address and code hash).
 */

import { keccakWord } from './keccak.js';
import { SMALL_WORDS } from './words.js';

const JUMPDEST = 0x5b;
const PUSH1 = 0x60;
const PUSH32 = 0x7f;

export class CodeAnalysis {
  readonly #code: Uint8Array;
  #jumpDestinations: Uint8Array | undefined;
  #constants: (bigint | undefined)[] | undefined;
  #hash: bigint | undefined;
  /** Where the engine has the program in linear memory. Only the engine reads and writes it. */
  enginePlace: { readonly filling: number; readonly at: number } | undefined;

  constructor(code: Uint8Array) {
    this.#code = code;
  }

  /** keccak256 of the code. */
  get hash(): bigint {
    this.#hash ??= keccakWord(this.#code);
    return this.#hash;
  }

  isJumpDestination(pc: number): boolean {
    this.#jumpDestinations ??= findJumpDestinations(this.#code);
    return this.#jumpDestinations[pc] === 1;
  }

  /** The immediate of `length` bytes at `at`; bytes beyond the end of the code are zero. */
  constant(at: number, length: number): bigint {
    if (length === 1) return SMALL_WORDS[this.#code[at] ?? 0] as bigint;
    this.#constants ??= new Array(this.#code.length + 1);
    const known = this.#constants[at];
    if (known !== undefined) return known;
    const bytes = Buffer.alloc(length);
    bytes.set(this.#code.subarray(at, at + length));
    const value = BigInt(`0x${bytes.toString('hex')}`);
    this.#constants[at] = value;
    return value;
  }
}

const analyses = new WeakMap<Uint8Array, CodeAnalysis>();

export function analysisOf(code: Uint8Array): CodeAnalysis {
  let analysis = analyses.get(code);
  if (analysis === undefined) {
    analysis = new CodeAnalysis(code);
    analyses.set(code, analysis);
  }
  return analysis;
}

function findJumpDestinations(code: Uint8Array): Uint8Array {
  const map = new Uint8Array(code.length);
  for (let pc = 0; pc < code.length; pc++) {
    const opcode = code[pc] as number;
    if (opcode === JUMPDEST) map[pc] = 1;
    else if (opcode >= PUSH1 && opcode <= PUSH32) pc += opcode - PUSH1 + 1;
  }
  return map;
}
