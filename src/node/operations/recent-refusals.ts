/**
 * Why transactions are in no block that somebody may ask about: the last that were refused, or dropped after they had been
 * accepted. A memory beside the chain, gone with the process; nothing that is done to the chain changes it.
 */

import { JavaException } from '../../errors/java-exception.js';
import type { DroppedTransaction } from '../../ledger/apply-block.js';
import type { Ledger } from '../../ledger/ledger.js';
import { type HeldDelegation, heldDelegation } from '../../ledger/stake/held-delegation.js';
import type { TxId } from '../../primitives/ids.js';
import { RecentMap } from '../../primitives/recent-map.js';
import type { SignedTransaction } from '../../protocol/transaction.js';

/** Each holds an exception: some megabytes at most, whoever broadcasts. */
const MOST = 1_000;

export interface RecentRefusal {
  readonly reason: DroppedTransaction['reason'];
  /** Whether it had been accepted, and waited for a block. */
  readonly wasPending: boolean;
  /** The number of the head of then. */
  readonly headNumber: number;
  /** Of stake that was to be taken back. */
  readonly held: HeldDelegation | undefined;
}

export class RecentRefusals {
  /** The latest at the end. */
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
