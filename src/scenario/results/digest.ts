/** A digest over the whole history of a chain: equal digests mean equal blocks, receipts, refusals and operations. */

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

  /** @param ledger the ledger of the chain, read only after the first event */
  constructor(private readonly ledger: () => Ledger) {}

  readonly observer: ChainObserver = {
    blockApplied: ({ id, transactions, dropped: ofBlock }) => {
      this.#ofBlock = ofBlock;
      this.#line(`block ${id}`);
      for (const { info } of transactions) this.#hash.update(TransactionInfo.encode(info));
    },
    emptyBlocksApplied: (first, last) => this.#line(`blocks ${first} ${last} ${blockIdAt(this.ledger(), last)}`),
    transactionsDropped: (all) => {
      // A dropped transaction concerns the pool, not the chain.
      if (all !== this.#ofBlock) return;
      for (const { transaction, reason } of all) {
        const { code, message } = dropped(reason);
        this.#line(`dropped ${transaction.txId} ${code} ${message}`);
      }
    },
    operated: (operation) => this.#line(`operation ${encodeOperation(operation)}`),
    reverted: (head) => this.#line(`reverted ${head}`),
  };

  /** Starts with the id of the genesis block, or of the block that a fork follows. */
  begun(): void {
    const ledger = this.ledger();
    const { genesisId, beginsAt } = ledger.config;
    this.#line(`genesis ${genesisId}`);
    if (beginsAt > 0) this.#line(`fork ${blockIdAt(ledger, beginsAt)}`);
  }

  /** The digest of everything so far: 64 hex digits. */
  get value(): string {
    return this.#hash.copy().digest('hex');
  }

  #line(text: string): void {
    this.#hash.update(`${text}\n`);
  }
}
