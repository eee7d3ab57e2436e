/** A digest over everything that happened to a chain: equal digests are equal blocks, receipts, refusals and operations. */

import { createHash } from 'node:crypto';
import { dropped } from '../../explanation/outcome/refusal.js';
import type { DroppedTransaction } from '../../ledger/apply-block.js';
import { blockIdAt } from '../../ledger/blocks/block-ids.js';
import type { Ledger } from '../../ledger/ledger.js';
import { encodeOperation } from '../../ledger/operations/operation.js';
import type { ChainObserver } from '../../node/chain/observer.js';
import { TransactionInfo } from '../../protocol/generated/tron.js';
import { RULES_VERSION } from './rules-version.js';

export class RunDigest {
  readonly #hash = createHash('sha256').update(`rules ${RULES_VERSION}\n`);

  #ofBlock: readonly DroppedTransaction[] = [];

  /** @param ledger of the chain, which is there when something happens to it */
  constructor(private readonly ledger: () => Ledger) {}

  readonly observer: ChainObserver = {
    blockApplied: ({ id, transactions, dropped: ofBlock }) => {
      this.#ofBlock = ofBlock;
      this.#line(`block ${id}`);
      for (const { info } of transactions) this.#hash.update(TransactionInfo.encode(info));
    },
    emptyBlocksApplied: (first, last) => this.#line(`blocks ${first} ${last} ${blockIdAt(this.ledger(), last)}`),
    transactionsDropped: (all) => {
      // What waited and waits no more has happened to a pool, not to the chain.
      if (all !== this.#ofBlock) return;
      for (const { transaction, reason } of all) {
        const { code, message } = dropped(reason);
        this.#line(`dropped ${transaction.txId} ${code} ${message}`);
      }
    },
    operated: (operation) => this.#line(`operation ${encodeOperation(operation)}`),
    reverted: (head) => this.#line(`reverted ${head}`),
  };

  /** Of the genesis block, which nobody applies, or of the block that a fork is above. */
  begun(): void {
    const ledger = this.ledger();
    const { genesisId, beginsAt } = ledger.config;
    this.#line(`genesis ${genesisId}`);
    if (beginsAt > 0) this.#line(`fork ${blockIdAt(ledger, beginsAt)}`);
  }

  /** Of what has happened so far: hex of 64 digits. */
  get value(): string {
    return this.#hash.copy().digest('hex');
  }

  #line(text: string): void {
    this.#hash.update(`${text}\n`);
  }
}
