/**
 * Contract storage during one transaction (java-tron vm/program/Storage).
 *
 * Slots are cached by their full key from the first touch until the transaction ends, and only then written to the
 * host's rows: that is why a slot once written counts as existing for the price of SSTORE, and why two keys that share
 * a row (equal low 16 bytes) alias only across transactions. Owns the row keys and the order in which aliased rows are
 * written; undoing is `substate.ts`.
 */

import { bytesToHex, type Hex, hexToBytes } from '../primitives/hex.js';
import type { Address } from '../primitives/ids.js';
import type { ContractRecord, StorageHost } from './host.js';
import { keccak } from './keccak.js';
import { wordToBytes, wordToHex } from './words.js';

export interface Slot {
  value: bigint;
  /** Has a row, or was written in this transaction: the next SSTORE costs 5,000. */
  exists: boolean;
  written: boolean;
  /** Nobody has counted yet that its row was read. */
  isNew: boolean;
  /** As the rows had it when the transaction began. */
  readonly initial: bigint;
  readonly row: Hex;
}

/** Shared by all chains: hashes of what they are kept under; all forgotten when there are too many. */
const rowPrefixes = new Map<string, Hex>();
const MAX_PREFIXES = 10_000;

/** First half of a contract's row keys: half the hash of its address, salted with the transaction of a CREATE2. */
function rowPrefix(address: Address, trxHash: Hex): Hex {
  const preimage = address + trxHash;
  let prefix = rowPrefixes.get(preimage);
  if (prefix === undefined) {
    prefix = bytesToHex(keccak(hexToBytes(preimage))).slice(0, 32);
    if (rowPrefixes.size >= MAX_PREFIXES) rowPrefixes.clear();
    rowPrefixes.set(preimage, prefix);
  }
  return prefix;
}

/**
 * The key of a slot's row in the `storage-row` store: what `Host.storageRow` is asked for.
 *
 * @example storageRowKey(contract, { version: 0, trx_hash: '' }, 0n)
 */
export function storageRowKey(address: Address, record: ContractRecord, slot: bigint): Hex {
  const key = record.version === 1 ? bytesToHex(keccak(wordToBytes(slot))) : wordToHex(slot);
  return rowPrefix(address, record.trx_hash) + key.slice(32);
}

const PLAIN_CONTRACT: ContractRecord = { version: 0, trx_hash: '' };

export class ContractStorage {
  readonly #slots = new Map<bigint, Slot>();
  readonly #record: ContractRecord;

  constructor(
    private readonly address: Address,
    record: ContractRecord | undefined,
    private readonly host: StorageHost,
  ) {
    this.#record = record ?? PLAIN_CONTRACT;
  }

  slot(key: bigint): Slot {
    let slot = this.#slots.get(key);
    if (slot === undefined) {
      const row = storageRowKey(this.address, this.#record, key);
      const value = this.host.storageRow(row, this.address, key);
      slot = { value, exists: value !== 0n, written: false, isNew: true, initial: value, row };
      this.#slots.set(key, slot);
    }
    return slot;
  }

  /** Writes what changed to the host's rows. */
  commit(): void {
    const written: [bigint, Slot][] = [];
    const rows = new Set<Hex>();
    for (const entry of this.#slots) {
      if (!entry[1].written) continue;
      written.push(entry);
      rows.add(entry[1].row);
    }
    const ordered = rows.size < written.length ? this.#inHashMapOrder() : written;
    for (const [, slot] of ordered) {
      if (slot.value !== slot.initial || rows.size < written.length) this.host.setStorageRow(slot.row, slot.value);
    }
  }

  /**
   * Two written keys share a row: the one that a Java HashMap over the cached keys yields last wins
   * (protocol/opcodes.md#storage). Buckets in order, within a bucket by first touch.
   */
  #inHashMapOrder(): [bigint, Slot][] {
    const cached = [...this.#slots].filter(([, slot]) => slot.exists);
    let size = 16;
    while (cached.length > 0.75 * size) size *= 2;
    return cached
      .map((entry) => ({ entry, bucket: bucketOf(entry[0], size) }))
      .sort((a, b) => a.bucket - b.bucket)
      .map(({ entry }) => entry)
      .filter(([, slot]) => slot.written);
  }
}

/** `Arrays.hashCode` of the key's bytes, spread and cut as HashMap does. */
function bucketOf(key: bigint, size: number): number {
  let hash = 1;
  for (const byte of wordToBytes(key)) hash = (Math.imul(31, hash) + ((byte << 24) >> 24)) | 0;
  return (hash ^ (hash >>> 16)) & (size - 1);
}
