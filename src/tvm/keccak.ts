/**
 * keccak256 as the machine needs it: of bytes to a word, remembered for the two sizes that contracts hash over and over.
 *
 * A mapping's slot is the hash of 64 bytes, a dynamic array's that of 32, and a token transfer computes the same few
 * again and again. The cache holds two generations, so that it stays bounded and hot entries survive.
 */

import { keccak256Bytes } from '../protocol/hashes.js';
import { readWord } from './words.js';

const GENERATION = 32_768;

/** Shared by all chains: a hash is the same wherever it is asked for. The older half goes when the younger is full. */
let young = new Map<string, bigint>();
/** Shared by all chains: see `young`. */
let old = new Map<string, bigint>();

export function keccak(bytes: Uint8Array): Uint8Array {
  return keccak256Bytes(bytes);
}

/** The hash as a word; hashes of 32 and 64 bytes are remembered. */
export function keccakWord(bytes: Uint8Array): bigint {
  const length = bytes.length;
  if (length !== 64 && length !== 32) return wordOfHash(bytes);
  const key = Buffer.from(bytes.buffer, bytes.byteOffset, length).toString('latin1');
  let word = young.get(key);
  if (word !== undefined) return word;
  word = old.get(key) ?? wordOfHash(bytes);
  if (young.size >= GENERATION) {
    old = young;
    young = new Map();
  }
  young.set(key, word);
  return word;
}

function wordOfHash(bytes: Uint8Array): bigint {
  const hash = keccak(bytes);
  return readWord(new DataView(hash.buffer, hash.byteOffset, 32), 0);
}
