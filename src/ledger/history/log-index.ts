/**
 * Finds blocks that may contain a log: a Bloom filter for each block over the addresses and topics of its logs, stored
 * with the block. java-tron has one of 2048 bits over keccak256 hashes, in sections of blocks. This filter grows with
 * the block (16 bits for each entry, so that a full block is not all ones) and hashes with a few multiplications: four
 * keccaks for each log would cost a fifth of a block of token transfers. A block without logs has an empty filter. A
 * match is only possible, not certain; the logs are in the receipts. Behind the filter stand the places of the
 * transactions with logs, so that a search reads no other receipts: a byte or two for each.
 */

import type { Hex } from '../../primitives/hex.js';

export interface LogEntry {
  /** 20 bytes. */
  readonly address: Hex;
  readonly topics: readonly Hex[];
}

/** The search: one of the addresses, and at each position one of the topics. Empty: anything. */
export interface LogCriteria {
  readonly addresses: readonly Hex[];
  readonly topics: readonly (readonly Hex[])[];
}

const BITS_PER_ENTRY = 16;
const MIN_BITS = 256;
const MAX_BITS = 65_536;
const PROBES = 4;

/** FNV-1a over the characters, in two halves from which the probes are derived. */
function hashOf(entry: Hex): readonly [number, number] {
  let first = 0x811c9dc5;
  let second = 0x1b873593;
  for (let i = 0; i < entry.length; i++) {
    const code = entry.charCodeAt(i);
    first = Math.imul(first ^ code, 0x01000193);
    second = Math.imul(second ^ code, 0x85ebca6b);
  }
  return [(first ^ (first >>> 15)) >>> 0, (second ^ (second >>> 13)) | 1];
}

/** @param transactions the logs of each transaction of a block */
export function logIndexOf(transactions: Iterable<readonly LogEntry[]>): Uint8Array {
  const entries = new Set<Hex>();
  const places: number[] = [];
  let transaction = 0;
  for (const logs of transactions) {
    for (const { address, topics } of logs) {
      entries.add(address);
      for (const topic of topics) entries.add(topic);
    }
    if (logs.length > 0) places.push(transaction);
    transaction++;
  }
  if (places.length === 0) return new Uint8Array();
  let bits = MIN_BITS;
  while (bits < entries.size * BITS_PER_ENTRY && bits < MAX_BITS) bits *= 2;
  const distances = distancesOf(places);
  // The length of the filter tells where they begin. More of them are of many transactions with the same log.
  const hasRoom = distances.length < bits / 8;
  const index = new Uint8Array(bits / 8 + (hasRoom ? distances.length : 0));
  if (hasRoom) index.set(distances, bits / 8);
  const filter = index.subarray(0, bits / 8);
  for (const entry of entries) {
    const [start, step] = hashOf(entry);
    for (let probe = 0; probe < PROBES; probe++) {
      const bit = (start + Math.imul(probe, step)) & (bits - 1);
      filter[bit >> 3]! |= 1 << (bit & 7);
    }
  }
  return index;
}

/** From one place to the next, in bytes of seven bits, the lowest first; the last one of a number is below 128. */
function distancesOf(places: readonly number[]): number[] {
  const bytes: number[] = [];
  let before = 0;
  for (const place of places) {
    let distance = place - before;
    for (; distance >= 128; distance >>>= 7) bytes.push((distance & 127) | 128);
    bytes.push(distance);
    before = place;
  }
  return bytes;
}

/** A power of two; the places after it are fewer bytes. */
function filterLength(index: Uint8Array): number {
  return index.length === 0 ? 0 : 2 ** (31 - Math.clz32(index.length));
}

/** The index as earlier versions stored it. */
export function withoutPlaces(index: Uint8Array): Uint8Array {
  return index.subarray(0, filterLength(index));
}

/**
 * The transactions of a block that have logs, in ascending order; undefined: any may have some, because an earlier
 * version has stored the block, or they are too many.
 */
export function transactionsWithLogs(index: Uint8Array): readonly number[] | undefined {
  if (index.length === 0) return [];
  const from = filterLength(index);
  if (from === index.length) return undefined;
  const places: number[] = [];
  let place = 0;
  let shift = 0;
  for (let at = from; at < index.length; at++) {
    const byte = index[at]!;
    place += (byte & 127) << shift;
    shift += 7;
    if (byte >= 128) continue;
    places.push(place);
    shift = 0;
  }
  return places;
}

/**
 * Tests a block's index for logs that match the criteria; false is certain. The criteria are hashed once, not for
 * every block: there may be 5,000 entries and millions of blocks.
 */
export function blockFinder({ addresses, topics }: LogCriteria): (index: Uint8Array) => boolean {
  const places = [addresses, ...topics].filter((entries) => entries.length > 0).map(hashesOf);
  return (index) => {
    const bytes = filterLength(index);
    return bytes > 0 && places.every((hashes) => mayHoldSome(index, bytes, hashes));
  };
}

/** Two numbers for each entry. */
function hashesOf(entries: readonly Hex[]): Uint32Array {
  const hashes = new Uint32Array(entries.length * 2);
  for (const [index, entry] of entries.entries()) hashes.set(hashOf(entry), index * 2);
  return hashes;
}

function mayHoldSome(index: Uint8Array, filterBytes: number, hashes: Uint32Array): boolean {
  const mask = filterBytes * 8 - 1;
  for (let at = 0; at < hashes.length; at += 2) {
    const start = hashes[at]!;
    const step = hashes[at + 1]!;
    let probe = 0;
    for (; probe < PROBES; probe++) {
      const bit = (start + Math.imul(probe, step)) & mask;
      if ((index[bit >> 3]! & (1 << (bit & 7))) === 0) break;
    }
    if (probe === PROBES) return true;
  }
  return false;
}

/**
 * Whether a log matches the criteria, in time independent of their number. A log with fewer topics than positions
 * never matches, even if a position accepts anything.
 */
export function meeting({ addresses, topics }: LogCriteria): (log: LogEntry) => boolean {
  const wanted = new Set(addresses);
  const places = topics.map((alternatives) => new Set(alternatives));
  return (log) => {
    if (wanted.size > 0 && !wanted.has(log.address)) return false;
    if (log.topics.length < places.length) return false;
    return places.every((place, index) => place.size === 0 || place.has(log.topics[index] as Hex));
  };
}
