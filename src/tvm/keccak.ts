/**
 * keccak256 of bytes as a word, cached for the two sizes that contracts hash most.
 *
 * The slot of a mapping's entry is the hash of 64 bytes, that of a dynamic array of 32, and a token transfer computes
 * the same ones each time. The cache has two generations, so that it is bounded and keeps frequent entries.
 */

import { keccak256Bytes } from '../protocol/hashes.js';
import { readWord } from './words.js';

const GENERATION = 32_768;

/**
 * Shared by all chains: hashes do not depend on the chain. When the young generation is full, it replaces the old one.
 */
let young = new Map<string, bigint>();
/** Shared by all chains: see `young`. */
let old = new Map<string, bigint>();

export function keccak(bytes: Uint8Array): Uint8Array {
  return keccak256Bytes(bytes);
}

/** The hash as a word; cached for 32 and 64 bytes. */
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
