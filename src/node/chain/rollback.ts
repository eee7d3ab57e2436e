/**
 * Rollback of a running chain: to a snapshot, to a block, to the genesis, to what its store has accepted. Owns the
 * order in which pool, older views, history index and solidity view follow. Rows are reverted in `revert-rows.ts`;
 * snapshots and branches are in `snapshots.ts` and `branches.ts`.
 */

import { blockIdAt } from '../../ledger/blocks/block-ids.js';
import { blockAt } from '../../ledger/blocks/blocks.js';
import type { Ledger } from '../../ledger/ledger.js';
import { operationsAfter } from '../../ledger/operations/operation.js';
import { SignedTransaction } from '../../protocol/transaction.js';
import type { Store } from '../../state/store.js';
import { type Commits, NoRoomError } from '../storage/commits.js';
import type { HistoryIndex } from '../storage/history-index.js';
import { beginChain, type Opening } from '../storage/open-chain.js';
import { type Place, revertRows } from '../storage/revert-rows.js';
import type { PastViews } from '../views/past-views.js';
import { laggedHeight, type SolidityLag, type SolidityLayers, type SolidityView } from '../views/solidity-view.js';
import type { ChainObserver } from './observer.js';
import type { Pool, PooledTransaction } from './pool.js';

/** A rollback target with everything that the chain itself holds. */
export interface ChainSnapshot extends Place {
  readonly pending: readonly PooledTransaction[];
  readonly solidity: SolidityLayers;
  readonly solidityLag: SolidityLag | number;
  /** Number of the solidified block, as the head has it. */
  readonly solidified: number;
}

/** The parts that are rolled back together. */
export interface ChainParts {
  readonly ledger: Ledger;
  readonly store: Store;
  readonly commits: Commits;
  readonly pool: Pool;
  readonly past: PastViews;
  readonly history: HistoryIndex;
  readonly solidity: SolidityView;
  readonly observer: ChainObserver;
  /** Initial values of a chain after a reset. */
  readonly opening: Opening;
  readonly produceEmptyRun: (count: number) => void;
}

export class Rollback {
  #revision = 0;

  constructor(private readonly chain: ChainParts) {}

  /** Number of rollbacks of committed blocks: readers that wait can see whether the chain has changed. */
  get revision(): number {
    return this.#revision;
  }

  snapshot(): ChainSnapshot {
    const { ledger, pool, solidity } = this.chain;
    return {
      height: ledger.headNumber,
      headId: ledger.headId,
      operations: operationsAfter(ledger, ledger.headNumber),
      pending: pool.members(),
      solidity: solidity.save(),
      solidityLag: solidity.lag,
      solidified: Number(ledger.long('LATEST_SOLIDIFIED_BLOCK_NUM')),
    };
  }

  /** Whether the chain has reached this point, so that it can roll back to it. */
  reaches({ height, operations }: ChainSnapshot): boolean {
    const { ledger } = this.chain;
    const { headNumber } = ledger;
    return height < headNumber || (height === headNumber && operations <= operationsAfter(ledger, headNumber));
  }

  /** Rolls back, also over committed blocks; on the disk in one batch with the head. @throws NoRoomError */
  toSnapshot(snapshot: ChainSnapshot): void {
    const { ledger, commits, pool, solidity, observer } = this.chain;
    commits.checkWritable();
    pool.takeOut();
    observer.rollingBack?.(snapshot.height, solidHeightOf(snapshot));
    this.#revertTo(snapshot);
    for (const member of snapshot.pending) pool.restore(member);
    solidity.restore(snapshot.solidity);
    solidity.lag = snapshot.solidityLag;
    observer.reverted?.(ledger.headNumber);
  }

  /**
   * The store has refused {@link toSnapshot}, and {@link toAccepted} is done: what was pending before is pending again,
   * and what the snapshot had pending is not.
   */
  snapshotRefused(snapshot: ChainSnapshot, before: ChainSnapshot): void {
    const { pool, solidity } = this.chain;
    const ofSnapshot = new Set(snapshot.pending.map(({ transaction }) => transaction.txId));
    const others = pool.takeOut().filter(({ transaction }) => !ofSnapshot.has(transaction.txId));
    pool.putBack([...others, ...before.pending]);
    solidity.lag = before.solidityLag;
  }

  /**
   * Rolls back to a block and `operations` of those after it, by default all.
   *
   * @returns the removed blocks' transactions in order, and the pending ones
   * @throws NoRoomError
   */
  to(
    height: number,
    operations = operationsAfter(this.chain.ledger, height),
  ): { readonly lost: readonly SignedTransaction[]; readonly pending: readonly PooledTransaction[] } {
    const { ledger, commits, pool, solidity, observer, produceEmptyRun } = this.chain;
    commits.checkWritable();
    const pending = pool.takeOut();
    const { lost, base } = this.#above(height);
    const headId = blockIdAt(ledger, base);
    if (headId === undefined) throw new Error(`no block ${base} to roll back to`);
    observer.rollingBack?.(height, solidity.lag === 'network' ? base : laggedHeight(height, solidity.lag));
    const isInRun = base < height;
    const place = { height: base, headId, operations: isInRun ? operationsAfter(ledger, base) : operations };
    // The disk has the asked block or the head of before, and nothing between.
    this.#revertTo(place, { withNext: isInRun });
    solidity.reopen(base, Number(ledger.long('LATEST_SOLIDIFIED_BLOCK_NUM')));
    // Some empty blocks of a run may have to be made again.
    if (isInRun) produceEmptyRun(height - base);
    observer.reverted?.(height);
    return { lost, pending };
  }

  /** Resets the chain, also if the history back to the genesis was deleted. No other work may change it meanwhile. */
  async toBeginning(): Promise<void> {
    const { ledger, store, commits, pool, past, history, solidity, observer, opening } = this.chain;
    const { state, config } = ledger;
    const { beginsAt } = config;
    const rows: string[] = [];
    for await (const { key } of store.rows('')) rows.push(key);
    commits.checkWritable();
    const pending = pool.takeOut();
    observer.rollingBack?.(beginsAt, beginsAt);
    commits.startOver(rows);
    beginChain(state, config, opening);
    store.writeWithNext(history.startOver());
    commits.commit(beginsAt);
    past.clear();
    this.#revision++;
    solidity.reopen(beginsAt, beginsAt);
    observer.reverted?.(beginsAt);
    try {
      await commits.durable();
    } catch (error) {
      // It has not happened.
      if (error instanceof NoRoomError) pool.putBack(pending);
      throw error;
    }
  }

  /**
   * The disk is full: the chain is rolled back in memory to what the store has, and waits. The lost changes were not
   * reported; their transactions are pending again.
   */
  toAccepted(refusal: NoRoomError): void {
    const { ledger, commits, pool, past, solidity, observer } = this.chain;
    const pending = pool.takeOut();
    const lost = commits.revertUnaccepted();
    past.clear();
    this.#revision++;
    solidity.reopen(ledger.headNumber, Number(ledger.long('LATEST_SOLIDIFIED_BLOCK_NUM')));
    const receivedMs = ledger.headTimeMs;
    pool.putBack([
      ...lost.map(({ transaction }) => ({
        transaction: SignedTransaction.decode(transaction).withRet([]),
        receivedMs,
      })),
      ...pending,
    ]);
    pool.dropUsed();
    observer.storeRefused?.(refusal);
    observer.reverted?.(ledger.headNumber);
  }

  #revertTo(place: Place, options?: { readonly withNext: boolean }): void {
    const { ledger, commits, history, past } = this.chain;
    revertRows(ledger, commits, history, place, options);
    past.clear();
    this.#revision++;
  }

  /** The transactions of the blocks above a height, and the start of the block or run that contains the height. */
  #above(height: number): { readonly lost: readonly SignedTransaction[]; readonly base: number } {
    const { ledger, commits } = this.chain;
    const blocks: (readonly SignedTransaction[])[] = [];
    let base = Math.min(height, ledger.headNumber);
    for (const { from, to, step } of commits.down(height)) {
      if (step > 0) continue;
      base = Math.min(base, from);
      if (to - from === 1) blocks.push(blockAt(ledger, to)?.transactions ?? []);
    }
    return { lost: blocks.reverse().flat(), base };
  }
}

/** The height that `/walletsolidity` reads after a revert to the snapshot. */
function solidHeightOf({ height, solidity, solidityLag }: ChainSnapshot): number {
  if (solidityLag === 'network') return Math.min(solidity.merged, solidity.head);
  return laggedHeight(height, solidityLag);
}

/** The lowest height whose state is read after a revert: `/walletsolidity` has its view, `/eth` the block `finalized`. */
export function neededHeightOf(snapshot: ChainSnapshot): number {
  return Math.min(snapshot.height, solidHeightOf(snapshot), snapshot.solidified);
}
