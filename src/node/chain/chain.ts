/**
 * The running chain: one live state, and the order in which things happen to it.
 *
 * Every change of the chain is synchronous; what is asynchronous is only the store's acceptance of a batch (`durable`).
 * What is pending (`pool.ts`), how it is written (`commits.ts`), what was (`past-views.ts`) and going back (`ways-back.ts`)
 * are ideas of their own; time is `clock.ts` and `producer.ts`, the rules are `ledger/`.
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
import { Commits, type Keeping } from '../storage/commits.js';
import { HistoryIndex, type IndexProgress } from '../storage/history-index.js';
import { type Opening, openState } from '../storage/open-chain.js';
import { PastViews } from '../views/past-views.js';
import { laggedHeight, type SolidityLag, type SolidityLayers, SolidityView } from '../views/solidity-view.js';
import { consoleLines } from './console-log.js';
import type { ChainObserver } from './observer.js';
import { Pool } from './pool.js';
import { Rollback } from './rollback.js';

export interface ChainOptions extends Opening {
  /** `node.maxTransactionPendingSize`: a pool of more than this many refuses with SERVER_BUSY. */
  readonly poolSize: number;
  /** How much the contracts of a pool may do before it refuses so too; absent: whatever they do. */
  readonly poolWork?: number;
  /** `node.fullNodeAllowShieldedTransaction` off: shielded transfers are accepted in words, and nothing is done. */
  readonly ignoresShielded?: boolean;
  readonly solidityLag: SolidityLag;
  readonly observer?: ChainObserver;
  /** So many blocks back the state can be read, and the chain can go back; absent: to its genesis. */
  readonly stateHistory?: number | undefined;
  /** Whether what concerns an account or a contract is indexed (`/v1`). Default true. */
  readonly history?: boolean;
  /** Of a fork: its network's blocks. */
  readonly networkBlocks?: EarlierBlocks | undefined;
  /** Told while blocks are indexed that were made without the index. */
  readonly indexProgress?: IndexProgress;
}

export class Chain {
  /** Head plus pending transactions: what `/wallet` reads. */
  readonly ledger: Ledger;
  readonly pool: Pool;
  /** Of a fork: its network's blocks, for who asks for them. */
  readonly networkBlocks: EarlierBlocks | undefined;
  /** What was committed, from the head down. */
  readonly commits: Commits;
  readonly genesisHeader: Uint8Array;
  /** To a snapshot, to a block, to the beginning. */
  readonly back: Rollback;
  readonly #past: PastViews;
  readonly #history: HistoryIndex;
  readonly #solidity: SolidityView;
  readonly #observer: ChainObserver;
  /** The flag is a row like others; it is set inside the block that needs it, so that going back takes it back. */
  #relaxing = false;
  /** The oldest height that somebody holds a snapshot of. */
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
   * Opens the chain of `options.store`, or begins one when the store is empty.
   *
   * @throws IncompatibleDatabaseError when the store holds another chain or format
   */
  static async open(options: ChainOptions): Promise<Chain> {
    const { state, config, header, isNew } = await openState(options);
    const chain = new Chain(state, config, options, header, await RowChanges.open(options.store, isNew));
    if (isNew) {
      chain.commits.commit(config.beginsAt);
      await chain.durable();
    }
    await chain.#history.catchUp(options.indexProgress);
    return chain;
  }

  /** Whether every block so far obeys the network's rules of time and signature. */
  get strict(): boolean {
    return this.state.tables.meta.get('relaxed') === undefined;
  }

  /** Marks the chain before it takes a liberty that the network would not allow. */
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

  /** As those are told of it who asked for a change. */
  get head(): Head {
    return { number: this.headNumber, id: this.headId, timestampMs: Number(this.headTimeMs) };
  }

  /** Settles when the store has accepted everything that happened so far: only then is a client told of it. */
  durable(): Promise<void> {
    return this.commits.durable();
  }

  /** {@link durable} for those who answer many questions: undefined where there is nothing to wait for. */
  untilDurable(): Promise<void> | undefined {
    // Questions may ask for any number of rows between two blocks.
    this.state.trim();
    return this.commits.isDurable ? undefined : this.commits.durable();
  }

  /** Hands on what a constant call printed; what a transaction printed comes with its block. */
  reportConsole(calls: readonly Hex[]): void {
    if (calls.length > 0) this.#observer.consoleLogged?.(consoleLines(calls));
  }

  /** Hands on that a constant call failed; the same result more than once if the same was asked again. */
  reportFailedCall(call: Sent<TriggerSmartContract>, txId: TxId, run: ExecutionResult): void {
    this.#observer.callFailed?.(call, txId, run);
  }

  /**
   * Takes a transaction into the pool.
   *
   * @returns undefined for one that is ignored
   * @throws JavaException the refusal; the state is as before
   */
  broadcast(transaction: SignedTransaction): AppliedTransaction | undefined {
    this.commits.checkWhole();
    if (!this.commits.isAccepting) throw serverBusy();
    return this.pool.accept(transaction);
  }

  /** Makes the next block out of the pool. */
  produce(plan: BlockPlan): AppliedBlock {
    // The row that says that the chain takes liberties is the block's, too, and has to lie under what is pending.
    const candidates = this.#relaxing ? this.pool.takeOut() : this.pool.handOver();
    let block: AppliedBlock;
    try {
      block = this.#atomically(() => produceBlock(this.ledger, plan, candidates));
    } catch (error) {
      // A block that could not be made, for want of room say, has taken nothing out of the pool.
      this.pool.putBack(candidates);
      throw error;
    }
    this.#blockApplied(block, true);
    if (block.dropped.length > 0) this.#observer.transactionsDropped?.(block.dropped);
    return block;
  }

  /** Makes empty blocks many at once (`emptyRunLength` says how many may be). Nothing may be pending. */
  produceEmptyRun(count: number): void {
    const from = this.headNumber;
    const solidBefore = solidifiedAfterRun(this.ledger, count - 1);
    this.#atomically(() => mineEmptyRun(this.ledger, count));
    this.#commit(from);
    this.#solidity.runApplied(from + count, solidBefore, Number(this.ledger.long('LATEST_SOLIDIFIED_BLOCK_NUM')));
    this.#observer.emptyBlocksApplied?.(from + 1, from + count);
  }

  /** Takes over a block made elsewhere; what is pending and not in it stays pending if it is still valid. */
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
   * Makes a block again of the transactions that it was made of, in their order, whether it took them or not. What is
   * pending stays pending if it is still valid.
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
   * Changes the chain other than by a transaction, after its head block and before the next: a step of its history with
   * pre-images of its own. What is pending stays pending if it is still valid.
   *
   * @throws OperationError for what would break a rule; the chain is as before
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
   * The ledger as it was at a height: for reading, and for running calls in a dry run.
   *
   * @throws PastStateError
   */
  ledgerAt(height: number): Ledger {
    this.commits.requireState(height);
    return height === this.headNumber && this.pool.size === 0 ? this.ledger : this.#past.at(height);
  }

  /**
   * The same for who lets others have their turn before it is done with it: nobody else has this one. It is good as long
   * as `back.revision` stays.
   *
   * @throws PastStateError
   */
  ownLedgerAt(height: number): Ledger {
    this.commits.requireState(height);
    return this.#past.alone(height);
  }

  /** How far the solidity view is behind: not at all, so many blocks, or as on the network. */
  get solidityLag(): SolidityLag | number {
    return this.#solidity.lag;
  }

  set solidityLag(lag: SolidityLag | number) {
    this.#solidity.lag = lag;
  }

  /**
   * The highest block that a network node would have merged out of its open layers
   * (protocol/http.md#walletsolidity-and-walletpbft).
   */
  get mergedHeight(): number {
    return this.#solidity.height;
  }

  /** The highest block that cannot be taken back any more (`solidified` by its producers), as clients are told it. */
  get confirmedHeight(): number {
    if (this.solidityLag === 'network') return Number(this.ledger.long('LATEST_SOLIDIFIED_BLOCK_NUM'));
    return laggedHeight(this.headNumber, this.solidityLag);
  }

  /** What `/walletsolidity` shows lags behind as it did when `layers` were saved. */
  restoreSolidity(layers: SolidityLayers): void {
    this.#solidity.restore(layers);
  }

  /** The newest block that `/walletsolidity` shows. */
  get solidHeight(): number {
    if (this.solidityLag === 'network') return this.#solidity.height;
    return laggedHeight(this.headNumber, this.solidityLag);
  }

  /** What `/walletsolidity` reads. */
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

  /** Transactions by account and the like are read from the store, in order of keys. */
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
    this.#past.committed(this.commits.commit(from, history));
  }
}
