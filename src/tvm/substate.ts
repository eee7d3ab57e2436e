/**
 * State of an execution besides the host's, with one undo log: storage and transient slots, logs, destroyed and created
 * contracts, internal transactions.
 *
 * A failed frame reverts everything since its mark, except internal transactions, which remain and are rejected, and
 * their nonce, which never decreases (protocol/calls.md#state-and-rollback).
 */

import type { Hex } from '../primitives/hex.js';
import type { Address } from '../primitives/ids.js';
import type { Host } from './host.js';
import { type FrameOrigin, InternalTransaction, type TokenAmount } from './internal-transactions.js';
import { ContractStorage, type Slot } from './storage.js';

/** A LOG in the form of `TransactionInfo.Log`: the address has 20 bytes, without 0x41. */
export interface Log {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

/** A position in the undo log and in the list of logs. */
export interface SubstateMark {
  readonly undo: number;
  readonly logs: number;
  readonly internalTransactions: number;
}

export class Substate {
  readonly logs: Log[] = [];
  readonly internalTransactions: InternalTransaction[] = [];
  /** Internal transactions that {@link discardCall} removed from the list. */
  lostInternalTransactions: readonly InternalTransaction[] = [];
  /** Contracts to delete if the transaction succeeds, in order, once each. */
  readonly destroyed = new Set<Address>();
  /** Contracts created in this transaction (TIP-6780). */
  readonly created = new Set<Address>();
  readonly #storages = new Map<Address, ContractStorage>();
  readonly #transient = new Map<Address, Map<bigint, bigint>>();
  readonly #undo: (() => void)[] = [];
  #nonce = 0;

  constructor(private readonly host: Host) {}

  mark(): SubstateMark {
    return {
      undo: this.#undo.length,
      logs: this.logs.length,
      internalTransactions: this.internalTransactions.length,
    };
  }

  /** Reverts everything since `mark`, and rejects the internal transactions recorded since. */
  revert(mark: SubstateMark): void {
    while (this.#undo.length > mark.undo) (this.#undo.pop() as () => void)();
    this.logs.length = mark.logs;
    for (let i = mark.internalTransactions; i < this.internalTransactions.length; i++) {
      (this.internalTransactions[i] as InternalTransaction).rejected = true;
    }
  }

  /**
   * Reverts a running call, and removes all of its records except the internal transaction that started it, which
   * belongs to its caller.
   *
   * @param mark from before the call
   */
  discardCall(mark: SubstateMark): void {
    this.revert(mark);
    this.lostInternalTransactions = this.internalTransactions.splice(mark.internalTransactions + 1);
  }

  storage(address: Address): ContractStorage {
    let storage = this.#storages.get(address);
    if (storage === undefined) {
      storage = new ContractStorage(address, this.host.contract(address), this.host);
      this.#storages.set(address, storage);
    }
    return storage;
  }

  write(slot: Slot, value: bigint): void {
    const { value: before, exists, written } = slot;
    this.#undo.push(() => {
      slot.value = before;
      slot.exists = exists;
      slot.written = written;
    });
    slot.value = value;
    slot.exists = true;
    slot.written = true;
  }

  transientValue(address: Address, key: bigint): bigint {
    return this.#transient.get(address)?.get(key) ?? 0n;
  }

  writeTransient(address: Address, key: bigint, value: bigint): void {
    let slots = this.#transient.get(address);
    if (slots === undefined) {
      slots = new Map();
      this.#transient.set(address, slots);
    }
    const before = slots.get(key) ?? 0n;
    const owned = slots;
    this.#undo.push(() => owned.set(key, before));
    slots.set(key, value);
  }

  destroy(address: Address): void {
    if (this.destroyed.has(address)) return;
    this.destroyed.add(address);
    this.#undo.push(() => this.destroyed.delete(address));
  }

  create(address: Address): void {
    if (this.created.has(address)) return;
    this.created.add(address);
    this.#undo.push(() => this.created.delete(address));
  }

  /** Number of internal transactions so far, including failed ones: CREATE addresses depend on it. */
  get nonce(): number {
    return this.#nonce;
  }

  /** Increments the nonce and records. */
  record(
    parent: FrameOrigin,
    note: string,
    caller: Address,
    receiver: Address | '',
    valueSun: bigint,
    tokens: readonly TokenAmount[] = [],
    data?: Uint8Array,
  ): InternalTransaction {
    this.#nonce++;
    const transaction = new InternalTransaction(parent, this.#nonce, note, caller, receiver, valueSun, tokens, data);
    this.internalTransactions.push(transaction);
    return transaction;
  }

  /** After success: writes storage rows, and deletes destroyed contracts. */
  commit(): void {
    for (const storage of this.#storages.values()) storage.commit();
    for (const address of this.destroyed) this.host.deleteContract(address);
  }
}
