/**
 * Contract storage during one transaction (java-tron vm/program/Storage).
 *
 * Slots are cached by their full key until the transaction ends, and only then written to the host's rows. So a slot
 * exists for the price of SSTORE after its first write, and two keys of one row (equal low 16 bytes) collide only
 * across transactions. Owns the row keys, and the order in which rows with several keys are written; `substate.ts`
 * reverts.
 */

import { bytesToHex, type Hex, hexToBytes } from '../primitives/hex.js';
import type { Address } from '../primitives/ids.js';
import type { ContractRecord, StorageHost } from './host.js';
import { keccak } from './keccak.js';
import { wordToBytes } from './words.js';

export interface Slot {
  value: bigint;
  /** Has a row, or was written in this transaction: the next SSTORE costs 5,000. */
  exists: boolean;
  written: boolean;
  /** The read of its row is not counted yet. */
  isNew: boolean;
  /** The value at the start of the transaction. */
  readonly initial: bigint;
  readonly row: Hex;
}

/** Shared by all chains: the values are hashes of their keys. Cleared when it is full. */
const rowPrefixes = new Map<string, Hex>();
const MAX_PREFIXES = 10_000;

/** First half of a contract's row keys: half of the hash of its address, salted with the transaction of a CREATE2. */
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
 * The key of a slot's row in the `storage-row` store, for `Host.storageRow`.
 *
 * @example storageRowKey(contract, { version: 0, trx_hash: '' }, 0n)
 */
export function storageRowKey(address: Address, record: ContractRecord, slot: bigint): Hex {
  const half =
    record.version === 1
      ? bytesToHex(keccak(wordToBytes(slot)).subarray(16))
      : BigInt.asUintN(128, slot).toString(16).padStart(32, '0');
  return rowPrefix(address, record.trx_hash) + half;
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

  /** Writes changed slots to the host's rows. */
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
   * If two written keys share a row, the last one in the order of a Java HashMap of the cached keys wins
   * (protocol/opcodes.md#storage): buckets in order, and within a bucket by first access.
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

/** `Arrays.hashCode` of the key's bytes, spread and masked as in HashMap. */
function bucketOf(key: bigint, size: number): number {
  let hash = 1;
  for (const byte of wordToBytes(key)) hash = (Math.imul(31, hash) + ((byte << 24) >> 24)) | 0;
  return (hash ^ (hash >>> 16)) & (size - 1);
}
