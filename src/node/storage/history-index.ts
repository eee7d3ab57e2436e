/**
 * The history index of the running chain. Its rows are written and reverted with their block; blocks without index are
 * indexed later.
 *
 * The keys are defined in `ledger/history/`; `wallet/history/` reads the pages.
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

/**
 * The meta row with the last indexed block of a chain that was used without the index; absent: all blocks are indexed.
 */
export const INDEXED_TO = 'historyTo';
/** A row of no block: it is in no tally. */
export const UNTALLIED_KEY = TABLES.meta.prefix + INDEXED_TO;
/** Blocks per batch; other work gets a turn between two batches. */
const BLOCKS_PER_BATCH = 1_000;

/** The progress of indexing older blocks. */
export type IndexProgress = (done: number, total: number) => void;

export class HistoryIndex {
  constructor(
    private readonly ledger: Ledger,
    private readonly store: Store,
    /** Whether new blocks are indexed. */
    private readonly on: boolean,
  ) {}

  /** For the first batch of a chain that was reset. */
  startOver(): readonly StoreWrite[] {
    return this.on ? [] : [this.#put(this.ledger.config.beginsAt)];
  }

  /** The index rows of a block, for its batch. */
  rowsOf({ number, transactions }: AppliedBlock): readonly HistoryEndpoint[] {
    return this.on ? historyOfBlock(number, transactions) : [];
  }

  /**
   * Index keys of a commit, while the state still has its rows. For older commits they are computed again from the
   * receipts, because rollbacks are rarer than blocks.
   */
  *keysOf({ from, to, historyKeys }: Commit): Iterable<string> {
    if (historyKeys !== undefined) yield* historyKeys;
    else for (const { key } of storedHistory(this.ledger, from, to)) yield key;
  }

  /** The chain is rolled back to a height, possibly below the last indexed block. */
  *wentBackTo(height: number): Iterable<StoreWrite> {
    const indexedTo = this.#indexedTo;
    if (indexedTo !== undefined && height < indexedTo) yield this.#put(height);
  }

  /**
   * Indexes blocks that were made without the index, or notes where it ends. Await it before the chain changes.
   *
   * @throws errors of the disk
   */
  async begin(progress: IndexProgress = () => {}): Promise<void> {
    const first = this.#indexedTo;
    if (!this.on && first === undefined) await this.store.write([this.#put(this.ledger.headNumber)]);
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

  /** The write of the meta row, which also changes in memory. It belongs to no block, so it bypasses the journal. */
  #put(height: number | undefined): StoreWrite {
    const { meta } = TABLES;
    const text = height === undefined ? undefined : String(height);
    this.ledger.state.tables.meta.restore(INDEXED_TO, text);
    return { key: meta.prefix + INDEXED_TO, value: text === undefined ? undefined : meta.encode(text) };
  }
}

/** The last indexed block of a chain; undefined: all blocks are indexed. */
export function indexedTo(ledger: Ledger): number | undefined {
  const text = ledger.state.tables.meta.get(INDEXED_TO);
  return text === undefined ? undefined : Number(text);
}

/** The index rows of blocks `from + 1` … `to`, from the stored receipts. */
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
