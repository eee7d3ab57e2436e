/**
 * The running chain: one live state, and the order of its changes. Every change is synchronous; only the store's
 * acceptance of a batch is asynchronous (`durable`). The pool (`pool.ts`), commits (`commits.ts`), older views
 * (`past-views.ts`) and rollback (`rollback.ts`) have their own files; time is in `clock.ts` and `producer.ts`, the
 * rules are in `ledger/`.
 */

import { serverBusy } from '../../errors/refusals.js';
import { type AppliedBlock, type BlockPlan, importBlock, produceBlock } from '../../ledger/apply-block.js';
import type { AppliedTransaction } from '../../ledger/apply-transaction.js';
import type { ChainConfig } from '../../ledger/config.js';
import type { HistoryEndpoint } from '../../ledger/history/record-block.js';
import { Ledger } from '../../ledger/ledger.js';
import { mineEmptyRun, solidifiedAfterRun } from '../../ledger/mine-empty-run.js';
import { recordOperation } from '../../ledger/operations/operation.js';
import { applyOperation, type Operation, type OperationName, type ResultOf } from '../../ledger/operations/registry.js';
import type { Hex } from '../../primitives/hex.js';
import type { BlockId, TxId } from '../../primitives/ids.js';
import type { TriggerSmartContract } from '../../protocol/generated/smart-contract.js';
import type { BlockHeader } from '../../protocol/generated/tron.js';
import type { Sent } from '../../protocol/message-type.js';
import type { SignedTransaction } from '../../protocol/transaction.js';
import type { EarlierBlocks } from '../../state/fork/earlier-blocks.js';
import { RowChanges } from '../../state/row-changes.js';
import type { State } from '../../state/state.js';
import type { Store } from '../../state/store.js';
import type { ExecutionResult } from '../../tvm/run.js';
import type { Head } from '../control.js';
import { type Commit, Commits, type Keeping } from '../storage/commits.js';
import { HistoryIndex, type IndexProgress } from '../storage/history-index.js';
import { type Opening, openState } from '../storage/open-chain.js';
import { PastViews } from '../views/past-views.js';
import { laggedHeight, type SolidityLag, type SolidityLayers, SolidityView } from '../views/solidity-view.js';
import { consoleLines } from './console-log.js';
import type { ChainObserver } from './observer.js';
import { Pool } from './pool.js';
import { Rollback } from './rollback.js';

export interface ChainOptions extends Opening {
  /** `node.maxTransactionPendingSize`: with more pending transactions, broadcasts are refused with SERVER_BUSY. */
  readonly poolSize: number;
  /** Work limit of the pool's contracts, with the same refusal; absent: none. */
  readonly poolWork?: number;
  /** `node.fullNodeAllowShieldedTransaction` off: shielded transfers are accepted and ignored. */
  readonly ignoresShielded?: boolean;
  readonly solidityLag: SolidityLag;
  readonly observer?: ChainObserver;
  /** Number of blocks back for which the state can be read and rolled back to; absent: to the genesis. */
  readonly stateHistory?: number | undefined;
  /** Whether accounts and contracts are indexed (`/v1`). Default true. */
  readonly history?: boolean;
  /** On a fork: its network's blocks. */
  readonly networkBlocks?: EarlierBlocks | undefined;
  /** Called while older blocks are indexed. */
  readonly indexProgress?: IndexProgress;
}

export class Chain {
  /** Head plus pending transactions: the state that `/wallet` reads. */
  readonly ledger: Ledger;
  readonly pool: Pool;
  /** On a fork: its network's blocks. */
  readonly networkBlocks: EarlierBlocks | undefined;
  /** Committed changes, from the head down. */
  readonly commits: Commits;
  readonly genesisHeader: Uint8Array;
  /** Rollback to a snapshot, to a block, to the genesis. */
  readonly back: Rollback;
  readonly #past: PastViews;
  readonly #history: HistoryIndex;
  readonly #solidity: SolidityView;
  readonly #observer: ChainObserver;
  /** The flag is a row of the state, set inside the block that needs it, so a rollback reverts it. */
  #relaxing = false;
  /** Called with each commit: for indexes that are built on the first request. */
  readonly commitWatchers = new Set<(commit: Commit) => void>();
  /** The oldest height of a snapshot. */
  neededHeight: () => number = () => Number.POSITIVE_INFINITY;

  private constructor(
    private readonly state: State,
    readonly config: ChainConfig,
    private readonly options: ChainOptions,
    genesisHeader: Uint8Array,
    changes: RowChanges,
  ) {
    this.genesisHeader = genesisHeader;
    this.networkBlocks = options.networkBlocks;
    this.ledger = new Ledger(state, config);
    this.commits = new Commits(this.ledger, options.store, changes, this.#keeping(), (refusal) =>
      this.back.toAccepted(refusal),
    );
    this.#past = new PastViews(this.ledger, this.commits);
    this.#history = new HistoryIndex(this.ledger, options.store, options.history ?? true);
    this.#observer = options.observer ?? {};
    const solid = Number(this.ledger.long('LATEST_SOLIDIFIED_BLOCK_NUM'));
    this.#solidity = new SolidityView(this.ledger.headNumber, solid, options.solidityLag);
    const { poolSize: capacity, poolWork: fullWork = Number.POSITIVE_INFINITY, ignoresShielded = false } = options;
    this.pool = new Pool(this.ledger, { capacity, fullWork, ignoresShielded }, this.#solidity, this.#observer);
    this.back = new Rollback({
      ledger: this.ledger,
      store: options.store,
      commits: this.commits,
      pool: this.pool,
      past: this.#past,
      history: this.#history,
      solidity: this.#solidity,
      observer: this.#observer,
      opening: options,
      produceEmptyRun: (count) => this.produceEmptyRun(count),
    });
  }

  /**
   * Opens the chain of `options.store`, or creates one if the store is empty.
   *
   * @throws IncompatibleDatabaseError if the store has another chain or format
   */
  static async open(options: ChainOptions): Promise<Chain> {
    const { state, config, header, isNew } = await openState(options);
    const chain = new Chain(state, config, options, header, await RowChanges.open(options.store, isNew));
    if (isNew) {
      chain.commits.commit(config.beginsAt);
      await chain.durable();
    }
    await chain.#history.begin(options.indexProgress);
    return chain;
  }

  /** Whether all blocks so far obey the network's rules of time and signature. */
  get strict(): boolean {
    return this.state.tables.meta.get('relaxed') === undefined;
  }

  /** Marks the chain as relaxed before a change that the network would not allow. */
  relaxConsensus(): void {
    if (this.strict) this.#relaxing = true;
  }

  get headNumber(): number {
    return this.ledger.headNumber;
  }

  get headId(): BlockId {
    return this.ledger.headId;
  }

  get headTimeMs(): bigint {
    return this.ledger.headTimeMs;
  }

  /** Names as shown to the user who asked for a change. */
  get head(): Head {
    return { number: this.headNumber, id: this.headId, timestampMs: Number(this.headTimeMs) };
  }

  /** Resolves when the store has accepted everything so far: only then clients learn of it. */
  durable(): Promise<void> {
    return this.commits.durable();
  }

  /**
   * {@link durable} for requests: call it when one begins, and the result before its answer is sent. A batch may be
   * refused in between, and then what it changed has not happened, although nothing is under way any more.
   *
   * @returns gives undefined if there is nothing to wait for
   */
  durability(): () => Promise<void> | undefined {
    const { refusals } = this.commits;
    return () => {
      // Requests may read any number of rows between two blocks.
      this.state.trim();
      return this.commits.isDurable(refusals) ? undefined : this.commits.durable(refusals);
    };
  }

  /** Reports console output of a constant call; that of a transaction comes with its block. */
  reportConsole(calls: readonly Hex[]): void {
    if (calls.length > 0) this.#observer.consoleLogged?.(consoleLines(calls));
  }

  /** Reports a failed constant call; repeated calls report it again. */
  reportFailedCall(call: Sent<TriggerSmartContract>, txId: TxId, run: ExecutionResult): void {
    this.#observer.callFailed?.(call, txId, run);
  }

  /**
   * Adds a transaction to the pool.
   *
   * @returns undefined for an ignored one
   * @throws JavaException the refusal; the state is unchanged
   */
  broadcast(transaction: SignedTransaction): AppliedTransaction | undefined {
    this.commits.checkWhole();
    if (!this.commits.isAccepting) throw serverBusy();
    return this.pool.accept(transaction);
  }

  /** Makes the next block from the pool. */
  produce(plan: BlockPlan): AppliedBlock {
    // The row that marks the chain as relaxed belongs to the block, so it must be below the pending changes.
    const candidates = this.#relaxing ? this.pool.takeOut() : this.pool.handOver();
    let block: AppliedBlock;
    try {
      block = this.#atomically(() => produceBlock(this.ledger, plan, candidates));
    } catch (error) {
      // A block that failed, for example because the disk is full, has removed nothing from the pool.
      this.pool.putBack(candidates);
      throw error;
    }
    this.#blockApplied(block, true);
    if (block.dropped.length > 0) this.#observer.transactionsDropped?.(block.dropped);
    return block;
  }

  /** Makes empty blocks together (at most `emptyRunLength`). The pool must be empty. */
  produceEmptyRun(count: number): void {
    const from = this.headNumber;
    const solidBefore = solidifiedAfterRun(this.ledger, count - 1);
    this.#atomically(() => mineEmptyRun(this.ledger, count));
    this.#commit(from);
    this.#solidity.runApplied(from + count, solidBefore, Number(this.ledger.long('LATEST_SOLIDIFIED_BLOCK_NUM')));
    this.#observer.emptyBlocksApplied?.(from + 1, from + count);
  }

  /** Imports a foreign block; pending transactions that it lacks stay pending if still valid. */
  import(header: BlockHeader, transactions: readonly SignedTransaction[]): AppliedBlock {
    const pending = this.pool.takeOut();
    try {
      const block = this.#atomically(() => importBlock(this.ledger, header, transactions));
      this.#blockApplied(block, false);
      return block;
    } finally {
      this.pool.putBack(pending);
    }
  }

  /**
   * Makes a block again from its original transactions in order, including dropped ones. Pending transactions stay
   * pending if still valid.
   */
  remake(plan: BlockPlan, transactions: readonly SignedTransaction[]): AppliedBlock {
    const pending = this.pool.takeOut();
    try {
      const candidates = transactions.map((transaction) => ({ transaction }));
      const block = this.#atomically(() => produceBlock(this.ledger, plan, candidates));
      this.#blockApplied(block, true);
      return block;
    } finally {
      this.pool.putBack(pending);
    }
  }

  /**
   * Changes the chain other than by a transaction, after its head block and before the next: a step of its history
   * with its own pre-images. Pending transactions stay pending if still valid.
   *
   * @throws OperationError if it would break a rule; the chain is unchanged
   */
  operate<Name extends OperationName>(operation: Operation<Name>): ResultOf<Name> {
    const pending = this.pool.takeOut();
    try {
      this.relaxConsensus();
      const result = this.#atomically(() =>
        this.state.gathering(() => {
          const made = applyOperation(this.ledger, operation);
          recordOperation(this.ledger, operation);
          return made;
        }),
      );
      this.#commit(this.headNumber);
      this.#observer.operated?.(operation);
      return result;
    } finally {
      this.pool.putBack(pending);
    }
  }

  /**
   * The ledger at a height: for reading, and for calls in a dry run.
   *
   * @throws PastStateError
   */
  ledgerAt(height: number): Ledger {
    this.commits.requireState(height);
    return height === this.headNumber && this.pool.size === 0 ? this.ledger : this.#past.at(height);
  }

  /**
   * The same for work that yields to others before it is done: the view is not shared. It is valid as long as
   * `back.revision` is unchanged.
   *
   * @throws PastStateError
   */
  ownLedgerAt(height: number): Ledger {
    this.commits.requireState(height);
    return this.#past.alone(height);
  }

  /** Lag of the solidity view: none, a number of blocks, or as on the network. */
  get solidityLag(): SolidityLag | number {
    return this.#solidity.lag;
  }

  set solidityLag(lag: SolidityLag | number) {
    this.#solidity.lag = lag;
    this.#observer.solidityLagChanged?.();
  }

  /**
   * The highest block that a network node would have merged out of its open layers
   * (protocol/http.md#walletsolidity-and-walletpbft).
   */
  get mergedHeight(): number {
    return this.#solidity.height;
  }

  /** The highest block that cannot be rolled back any more (`solidified` by its producers), as clients see it. */
  get confirmedHeight(): number {
    if (this.solidityLag === 'network') return Number(this.ledger.long('LATEST_SOLIDIFIED_BLOCK_NUM'));
    return laggedHeight(this.headNumber, this.solidityLag);
  }

  /** Restores the lag of `/walletsolidity` from saved `layers`. */
  restoreSolidity(layers: SolidityLayers): void {
    this.#solidity.restore(layers);
  }

  /** The newest block that `/walletsolidity` shows. */
  get solidHeight(): number {
    if (this.solidityLag === 'network') return this.#solidity.height;
    return laggedHeight(this.headNumber, this.solidityLag);
  }

  /** The state that `/walletsolidity` reads. */
  get solidLedger(): Ledger {
    return this.ledgerAt(this.solidHeight);
  }

  #keeping(): Keeping | undefined {
    const { stateHistory: blocks } = this.options;
    if (blocks === undefined) return undefined;
    return { blocks, needed: () => Math.min(this.solidHeight, this.mergedHeight, this.neededHeight()) };
  }

  async close(): Promise<void> {
    await this.commits.settled();
    await this.options.store.close();
  }

  /** Lists of transactions by account are read from the store, in key order. */
  get store(): Store {
    return this.options.store;
  }

  #atomically<Result>(work: () => Result): Result {
    try {
      this.commits.checkWritable();
      if (this.#relaxing) this.state.tables.meta.set('relaxed', 'yes');
      return work();
    } catch (error) {
      this.state.revert(0);
      throw error;
    } finally {
      this.#relaxing = false;
    }
  }

  #blockApplied(block: AppliedBlock, produced: boolean): void {
    this.#commit(block.number - 1, this.#history.rowsOf(block));
    const solid = Number(this.ledger.long('LATEST_SOLIDIFIED_BLOCK_NUM'));
    this.#solidity.blockApplied(block.number, solid, produced, block.transactions.length + block.dropped.length > 0);
    this.#observer.blockApplied?.(block);
  }

  #commit(from: number, history: readonly HistoryEndpoint[] = []): void {
    const commit = this.commits.commit(from, history);
    this.#past.committed(commit);
    for (const watcher of this.commitWatchers) watcher(commit);
  }
}
