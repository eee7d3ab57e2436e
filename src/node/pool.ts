/**
 * Transactions that were accepted and are in no block yet, in the order they came (ledger.md 2.10).
 *
 * Owns the list. The chain applies its members to the state above the head, so that reads see their effects; that they
 * are valid there is the chain's business.
 */

import type { TxId } from '../primitives/ids.js';
import type { SignedTransaction } from '../protocol/transaction.js';

export interface PooledTransaction {
  readonly transaction: SignedTransaction;
  /** Chain time at which it was accepted. java-tron drops what is older than 60 s at the next block it did not get into. */
  readonly receivedMs: bigint;
}

export class Pool {
  #members = new Map<TxId, PooledTransaction>();

  get size(): number {
    return this.#members.size;
  }

  add(member: PooledTransaction): void {
    this.#members.set(member.transaction.txId, member);
  }

  get(txId: TxId): PooledTransaction | undefined {
    return this.#members.get(txId);
  }

  members(): readonly PooledTransaction[] {
    return [...this.#members.values()];
  }

  /** Empties the pool and hands out what was in it. */
  drain(): readonly PooledTransaction[] {
    const members = this.members();
    this.#members = new Map();
    return members;
  }
}
