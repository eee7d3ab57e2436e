/**
 * The history index of the running chain: its rows go into the batch of their block and go back with it; blocks that
 * were made without it are indexed later.
 *
 * What is indexed under what stands in `ledger/history/`; pages are read in `wallet/history/`.
 */

import type { AppliedBlock } from '../../ledger/apply-block.js';
import { emptyRunEnd } from '../../ledger/blocks/empty-blocks.js';
import { type HistoryEndpoint, historyOfBlock } from '../../ledger/history/record-block.js';
import type { Ledger } from '../../ledger/ledger.js';
import { TransactionInfo } from '../../protocol/generated/tron.js';
import { SignedTransaction } from '../../protocol/transaction.js';
import type { Store, StoreWrite } from '../../state/store.js';
import { numberKey, TABLES } from '../../state/tables.js';
import type { Commit } from './commits.js';

/** The meta row that says up to which block a chain is indexed that was used without the index; absent: up to the head. */
export const INDEXED_TO = 'historyTo';
/** As many blocks are indexed in one batch, between which others have their turn. */
const BLOCKS_PER_BATCH = 1_000;

/** How far the indexing of older blocks has come. */
export type IndexProgress = (done: number, total: number) => void;

export class HistoryIndex {
  constructor(
    private readonly ledger: Ledger,
    private readonly store: Store,
    /** Whether blocks are indexed as they are made. */
    private readonly on: boolean,
  ) {
    if (!on && this.#indexedTo === undefined) this.#remember(ledger.headNumber);
  }

  /** The chain begins anew. */
  startOver(): void {
    if (!this.on) this.#remember(this.ledger.config.beginsAt);
  }

  /** What a block that was just applied adds to the batch. */
  rowsOf({ number, transactions }: AppliedBlock): readonly HistoryEndpoint[] {
    return this.on ? historyOfBlock(number, transactions) : [];
  }

  /**
   * Keys of the rows of what was committed, while the state still has it. Of older commits they are made again rather
   * than kept: they follow from the receipts, and reverts are fewer than blocks.
   */
  *keysOf({ from, to, historyKeys }: Commit): Iterable<string> {
    if (historyKeys !== undefined) yield* historyKeys;
    else for (const { key } of storedHistory(this.ledger, from, to)) yield key;
  }

  /** The chain goes back to a height, which is perhaps below those that are not indexed. */
  *wentBackTo(height: number): Iterable<StoreWrite> {
    const indexedTo = this.#indexedTo;
    if (indexedTo !== undefined && height < indexedTo) yield this.#put(height);
  }

  /** Indexes what was made without the index. To be awaited before the chain is served. */
  async catchUp(progress: IndexProgress = () => {}): Promise<void> {
    const first = this.#indexedTo;
    if (!this.on || first === undefined) return;
    const head = this.ledger.headNumber;
    for (let from = first; from < head; from += BLOCKS_PER_BATCH) {
      const to = Math.min(head, from + BLOCKS_PER_BATCH);
      await this.store.write([...storedHistory(this.ledger, from, to), this.#put(to)]);
      progress(to - first, head - first);
    }
    await this.store.write([this.#put(undefined)]);
  }

  get #indexedTo(): number | undefined {
    return indexedTo(this.ledger);
  }

  #remember(height: number): void {
    void this.store.write([this.#put(height)]);
  }

  /** The change of the meta row, which is made in memory too. It is no part of a block, so the journal is not told. */
  #put(height: number | undefined): StoreWrite {
    const { meta } = TABLES;
    const text = height === undefined ? undefined : String(height);
    this.ledger.state.tables.meta.restore(INDEXED_TO, text);
    return { key: meta.prefix + INDEXED_TO, value: text === undefined ? undefined : meta.encode(text) };
  }
}

/** Up to which block a chain is indexed; undefined: up to its head. */
export function indexedTo(ledger: Ledger): number | undefined {
  const text = ledger.state.tables.meta.get(INDEXED_TO);
  return text === undefined ? undefined : Number(text);
}

/** The rows of the blocks `from + 1` … `to`, made from what the chain keeps of them. */
export function* storedHistory(ledger: Ledger, from: number, to: number): Iterable<HistoryEndpoint> {
  const { transactions } = ledger.state.tables;
  for (let number = from + 1; number <= to; number++) {
    const outline = ledger.state.tables.blocks.get(numberKey(number));
    if (outline === undefined) {
      number = emptyRunEnd(ledger, number);
      continue;
    }
    const recorded = outline.transactionIds.map((txId) => {
      const stored = transactions.get(txId);
      if (stored === undefined) throw new Error(`transaction ${txId} of block ${number} is not in the store`);
      return { transaction: SignedTransaction.decode(stored.transaction), info: TransactionInfo.decode(stored.info) };
    });
    yield* historyOfBlock(number, recorded);
  }
}
