/** Counts the transactions in blocks that a revert, a rollback or a reorganisation removed. */

import type { ChainObserver } from '../../node/chain/observer.js';

export class RolledBack {
  /** Blocks with transactions that can still be rolled back, oldest first. */
  readonly #blocks: { readonly number: number; readonly transactions: number }[] = [];
  #transactions = 0;

  get transactions(): number {
    return this.#transactions;
  }

  readonly observer: ChainObserver = {
    blockApplied: ({ number, transactions: { length } }) => {
      if (length > 0) this.#blocks.push({ number, transactions: length });
    },
    reverted: (head) => {
      for (let last = this.#blocks.at(-1); last !== undefined && last.number > head; last = this.#blocks.at(-1)) {
        this.#transactions += last.transactions;
        this.#blocks.pop();
      }
    },
  };
}
