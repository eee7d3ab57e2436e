/**
 * Recent refusals, for requests about transactions that no block contains: the last refused ones, and accepted ones
 * that were dropped. In memory only; changes of the chain do not affect it.
 */

import { JavaException } from '../../errors/java-exception.js';
import type { DroppedTransaction } from '../../ledger/apply-block.js';
import type { Ledger } from '../../ledger/ledger.js';
import { type HeldDelegation, heldDelegation } from '../../ledger/stake/held-delegation.js';
import type { TxId } from '../../primitives/ids.js';
import { RecentMap } from '../../primitives/recent-map.js';
import type { SignedTransaction } from '../../protocol/transaction.js';

/** Each has an exception: a few MB at most. */
const MOST = 1_000;

export interface RecentRefusal {
  readonly reason: DroppedTransaction['reason'];
  /** Whether it was accepted and pending. */
  readonly wasPending: boolean;
  /** Number of the head at that time. */
  readonly headNumber: number;
  /** For an undelegation. */
  readonly held: HeldDelegation | undefined;
}

export class RecentRefusals {
  /** The latest last. */
  readonly #byId = new RecentMap<TxId, RecentRefusal>(MOST);

  get(txId: TxId): RecentRefusal | undefined {
    return this.#byId.get(txId);
  }

  add(ledger: Ledger, transaction: SignedTransaction, reason: RecentRefusal['reason'], wasPending: boolean): void {
    const { txId } = transaction;
    const held = reason instanceof JavaException ? heldDelegation(ledger, transaction, reason) : undefined;
    this.#byId.set(txId, { reason, wasPending, headNumber: ledger.headNumber, held });
  }
}
