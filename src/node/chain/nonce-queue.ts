/**
 * Ethereum transactions with a nonce gap: they wait for the transactions before them, as in an Ethereum node's pool.
 * The TRON transaction is made when it is their turn, so that it does not expire meanwhile.
 */

import type { Hex } from '../../primitives/hex.js';
import type { Address } from '../../primitives/ids.js';
import type { EthereumTransaction } from '../../protocol/ethereum-transaction.js';

export interface QueuedTransaction {
  readonly sender: Address;
  /** The hash of the Ethereum transaction. */
  readonly hash: Hex;
  readonly ethereum: EthereumTransaction;
}

/** By sender and nonce. */
export type SavedQueue = ReadonlyMap<Address, ReadonlyMap<bigint, QueuedTransaction>>;

/** The limit for all senders together. geth keeps 1,024. */
export const MAX_QUEUED = 4_096;

export class NonceQueue {
  #bySender = new Map<Address, Map<bigint, QueuedTransaction>>();
  #byHash = new Map<Hex, QueuedTransaction>();

  get size(): number {
    return this.#byHash.size;
  }

  has(hash: Hex): boolean {
    return this.#byHash.has(hash);
  }

  get(hash: Hex): QueuedTransaction | undefined {
    return this.#byHash.get(hash);
  }

  at(sender: Address, nonce: bigint): QueuedTransaction | undefined {
    return this.#bySender.get(sender)?.get(nonce);
  }

  /** Replaces one with the same nonce. */
  add(queued: QueuedTransaction): void {
    const { sender, hash, ethereum } = queued;
    this.remove(sender, ethereum.nonce);
    const ofSender = this.#bySender.get(sender) ?? new Map<bigint, QueuedTransaction>();
    this.#bySender.set(sender, ofSender);
    ofSender.set(ethereum.nonce, queued);
    this.#byHash.set(hash, queued);
  }

  /** @returns the removed transaction */
  remove(sender: Address, nonce: bigint): QueuedTransaction | undefined {
    const ofSender = this.#bySender.get(sender);
    const queued = ofSender?.get(nonce);
    if (ofSender === undefined || queued === undefined) return undefined;
    ofSender.delete(nonce);
    if (ofSender.size === 0) this.#bySender.delete(sender);
    this.#byHash.delete(queued.hash);
    return queued;
  }

  /** Removes those that can never be sent, because their nonce is used. */
  dropBelow(sender: Address, nonce: bigint): void {
    for (const used of [...(this.#bySender.get(sender)?.keys() ?? [])]) if (used < nonce) this.remove(sender, used);
  }

  /** Removes all, or all of a sender. @returns the number of removed ones */
  drop(sender?: Address): number {
    const before = this.size;
    for (const { sender: of, ethereum } of [...this.#byHash.values()])
      if (sender === undefined || of === sender) this.remove(of, ethereum.nonce);
    return before - this.size;
  }

  /** By sender, in nonce order. */
  entries(): readonly (readonly [Address, readonly QueuedTransaction[]])[] {
    return [...this.#bySender].map(([sender, ofSender]) => [
      sender,
      [...ofSender.values()].sort((a, b) => (a.ethereum.nonce < b.ethereum.nonce ? -1 : 1)),
    ]);
  }

  clear(): void {
    this.#bySender = new Map();
    this.#byHash = new Map();
  }

  save(): SavedQueue {
    return new Map([...this.#bySender].map(([sender, ofSender]) => [sender, new Map(ofSender)]));
  }

  restore(saved: SavedQueue): void {
    this.clear();
    for (const ofSender of saved.values()) for (const queued of ofSender.values()) this.add(queued);
  }
}
