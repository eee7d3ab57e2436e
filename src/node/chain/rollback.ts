/**
 * The ways in which a running chain goes back: to a snapshot, to a block, to its beginning, to what its store has
 * accepted. Owns what has to follow along (pool, older views, index of history, solidity view) and who is told. How rows
 * are taken back is `revert.ts`; which places a person may name, and what is made in the place of what is no more, are
 * `snapshots.ts` and `branches.ts`.
 */

import { blockIdAt } from '../../ledger/blocks/block-ids.js';
import { blockAt } from '../../ledger/blocks/blocks.js';
import type { Ledger } from '../../ledger/ledger.js';
import { operationsAfter } from '../../ledger/operations/operation.js';
import { SignedTransaction } from '../../protocol/transaction.js';
import type { Store } from '../../state/store.js';
import type { Commits, NoRoomError } from '../storage/commits.js';
import type { HistoryIndex } from '../storage/history-index.js';
import { beginChain, type Opening } from '../storage/open-chain.js';
import { type Place, takeBack } from '../storage/revert-rows.js';
import type { PastViews } from '../views/past-views.js';
import { laggedHeight, type SolidityLag, type SolidityLayers, type SolidityView } from '../views/solidity-view.js';
import type { ChainObserver } from './observer.js';
import type { Pool, PooledTransaction } from './pool.js';

/** A place to go back to: everything that the chain itself holds. */
export interface ChainSnapshot extends Place {
  readonly pending: readonly PooledTransaction[];
  readonly solidity: SolidityLayers;
  readonly solidityLag: SolidityLag | number;
}

/** What goes back together. */
export interface ChainParts {
  readonly ledger: Ledger;
  readonly store: Store;
  readonly commits: Commits;
  readonly pool: Pool;
  readonly past: PastViews;
  readonly history: HistoryIndex;
  readonly solidity: SolidityView;
  readonly observer: ChainObserver;
  /** What a chain that begins anew begins with. */
  readonly opening: Opening;
  readonly produceEmptyRun: (count: number) => void;
}

export class Rollback {
  #revision = 0;

  constructor(private readonly chain: ChainParts) {}

  /** Counts how often committed blocks were taken back: who reads and waits in between sees whether it is still one chain. */
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
    };
  }

  /** Whether the chain has come so far, and so can go back there. */
  reaches({ height, operations }: ChainSnapshot): boolean {
    const { ledger } = this.chain;
    const { headNumber } = ledger;
    return height < headNumber || (height === headNumber && operations <= operationsAfter(ledger, headNumber));
  }

  /** Goes back, over committed blocks too; on the disk in one batch with the head. */
  toSnapshot(snapshot: ChainSnapshot): void {
    const { ledger, pool, solidity, observer } = this.chain;
    pool.takeOut();
    observer.takingBack?.(snapshot.height, solidHeightOf(snapshot));
    this.#takeBack(snapshot);
    for (const member of snapshot.pending) pool.restore(member);
    solidity.restore(snapshot.solidity);
    solidity.lag = snapshot.solidityLag;
    observer.reverted?.(ledger.headNumber);
  }

  /**
   * Goes back to what the chain was after a block and `operations` of those that followed it, by default all of them.
   *
   * @returns the transactions of the blocks that are no more, in their order, and what was pending
   */
  to(
    height: number,
    operations = operationsAfter(this.chain.ledger, height),
  ): { readonly lost: readonly SignedTransaction[]; readonly pending: readonly PooledTransaction[] } {
    const { ledger, pool, solidity, observer, produceEmptyRun } = this.chain;
    const pending = pool.takeOut();
    const { lost, base } = this.#above(height);
    const headId = blockIdAt(ledger, base);
    if (headId === undefined) throw new Error(`there is no block ${base} to roll back to`);
    observer.takingBack?.(height, solidity.lag === 'network' ? base : laggedHeight(height, solidity.lag));
    this.#takeBack({
      height: base,
      headId,
      operations: base === height ? operations : operationsAfter(ledger, base),
    });
    solidity.reopen(base, Number(ledger.long('LATEST_SOLIDIFIED_BLOCK_NUM')));
    // Of blocks that were made many at once the first ones are made again.
    if (base < height) produceEmptyRun(height - base);
    observer.reverted?.(height);
    return { lost, pending };
  }

  /** The chain as it began, also where the way back to there has been forgotten. Nobody else may change it meanwhile. */
  async toBeginning(): Promise<void> {
    const { ledger, store, commits, pool, past, history, solidity, observer, opening } = this.chain;
    const { state, config } = ledger;
    const { beginsAt } = config;
    pool.takeOut();
    observer.takingBack?.(beginsAt, beginsAt);
    const rows: string[] = [];
    for await (const { key } of store.rows('')) rows.push(key);
    commits.startOver(rows);
    state.startOver();
    beginChain(state, config, opening);
    commits.commit(beginsAt);
    history.startOver();
    past.clear();
    this.#revision++;
    solidity.reopen(beginsAt, beginsAt);
    observer.reverted?.(beginsAt);
    await commits.durable();
  }

  /**
   * The store has no room: the chain goes back to what it holds, as if it had been opened there, and waits. Nobody was
   * told of what is taken back; its transactions are pending again.
   */
  toAccepted(refusal: NoRoomError): void {
    const { ledger, commits, pool, past, solidity, observer } = this.chain;
    const pending = pool.takeOut();
    const lost = commits.takeBackUnaccepted();
    past.clear();
    solidity.reopen(ledger.headNumber, Number(ledger.long('LATEST_SOLIDIFIED_BLOCK_NUM')));
    const receivedMs = ledger.headTimeMs;
    pool.putBack([
      ...lost.map(({ transaction }) => ({
        transaction: SignedTransaction.decode(transaction).withRet([]),
        receivedMs,
      })),
      ...pending,
    ]);
    observer.storeRefused?.(refusal);
    observer.reverted?.(ledger.headNumber);
  }

  #takeBack(place: Place): void {
    const { ledger, commits, history, past } = this.chain;
    takeBack(ledger, commits, history, place);
    past.clear();
    this.#revision++;
  }

  /** The transactions of the blocks above a height, and where the block or run of blocks began that the height is in. */
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

function solidHeightOf({ height, solidity, solidityLag }: ChainSnapshot): number {
  if (solidityLag === 'network') return Math.min(solidity.merged, solidity.head);
  return laggedHeight(height, solidityLag);
}
