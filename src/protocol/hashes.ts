/**
 * The chain's two hash functions, for bytes and for hex.
 *
 * sha256 is Node's one-shot native call (0.4 µs for a transfer, a third of createHash). keccak256 has the padding from
 * before SHA-3, which Node's OpenSSL does not support; its permutation is a WebAssembly module of two kilobytes
 * (`scripts/generate-keccak.ts`), instantiated on first use in 0.4 ms. It hashes 64 bytes in 0.5 µs instead of
 * JavaScript's 5.3 µs, and a virtual machine hashes a lot (Node 20).
 */

import { hash } from 'node:crypto';
import type { Hex } from '../primitives/hex.js';
import { Instance, Memory, Module } from '../primitives/web-assembly.js';
import { KECCAK_MODULE } from './keccak-module.js';

export function sha256(bytes: Uint8Array): Hex {
  return hash('sha256', bytes, 'hex');
}

/** sha256 as bytes, by way of a string: 0.4 µs. Node's call takes 1.0 µs if it makes the buffer itself. */
export function sha256Bytes(bytes: Uint8Array): Uint8Array {
  return Buffer.from(hash('sha256', bytes, 'binary'), 'binary');
}

export function sha256OfHex(hex: Hex): Hex {
  return hash('sha256', Buffer.from(hex, 'hex'), 'hex');
}

export function keccak256(bytes: Uint8Array): Hex {
  return keccakState(bytes).toString('hex', 0, 32);
}

export function keccak256OfHex(hex: Hex): Hex {
  return keccak256(Buffer.from(hex, 'hex'));
}

/** keccak256 as a new array of 32 bytes. */
export function keccak256Bytes(bytes: Uint8Array): Uint8Array {
  const digest = new Uint8Array(32);
  keccakState(bytes).copy(digest, 0, 0, 32);
  return digest;
}

const RATE_BYTES = 136;
const BLOCK_AT = 512;

interface Sponge {
  readonly state: Buffer;
  readonly block: Buffer;
  readonly absorb: () => void;
}

/** Shared by all chains: empty between two hashes. */
let sponge: Sponge | undefined;

/** Shared by all chains: the compiled permutation. (Not named `module`: a bundle in a CommonJS wrapper has one already.) */
let permutation: object | undefined;

/** The permutation on a memory whose first 1,024 bytes are its own (`scripts/generate-keccak.ts`). */
export function keccakModuleOn(memory: object): () => void {
  permutation ??= new Module(Buffer.from(KECCAK_MODULE, 'base64'));
  const { exports } = new Instance(permutation, { env: { memory } });
  return (exports as { readonly absorb: () => void }).absorb;
}

function instantiate(): Sponge {
  const memory = new Memory({ initial: 1 });
  const absorb = keccakModuleOn(memory);
  return { state: Buffer.from(memory.buffer, 0, 200), block: Buffer.from(memory.buffer, BLOCK_AT, RATE_BYTES), absorb };
}

/** The sponge's state after `bytes`: its first 32 bytes are the hash, valid until the next call. */
function keccakState(bytes: Uint8Array): Buffer {
  sponge ??= instantiate();
  const { state, block, absorb } = sponge;
  state.fill(0);
  let from = 0;
  for (; bytes.length - from >= RATE_BYTES; from += RATE_BYTES) {
    block.set(bytes.subarray(from, from + RATE_BYTES));
    absorb();
  }
  block.fill(0);
  block.set(from === 0 ? bytes : bytes.subarray(from));
  const end = bytes.length - from;
  block[end] = block[end]! ^ 0x01;
  block[RATE_BYTES - 1] = block[RATE_BYTES - 1]! ^ 0x80;
  absorb();
  return state;
}
