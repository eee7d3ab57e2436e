/**
 * The running chain: one live state, and the order in which things happen to it.
 *
 * Every change of the chain is synchronous; what is asynchronous is only the store's acceptance of a batch (`durable`).
 * What is pending (`pool.ts`), how it is written (`commits.ts`), what was (`past-views.ts`) and going back (`revert.ts`)
 * are ideas of their own; time is `clock.ts` and `producer.ts`, the rules are `ledger/`.
 */

import { serverBusy } from '../ledger/admission/refusals.js';
import { type AppliedBlock, importBlock, produceBlock } from '../ledger/apply-block.js';
import type { AppliedTransaction } from '../ledger/apply-transaction.js';
import { blockIdAt } from '../ledger/blocks/block-ids.js';
import { blockAt } from '../ledger/blocks/blocks.js';
import { mineEmptyRun, solidifiedAfterRun } from '../ledger/blocks/empty-blocks.js';
import type { ChainConfig } from '../ledger/config.js';
import type { HistoryRow } from '../ledger/history/record-block.js';
import { Ledger } from '../ledger/ledger.js';
import { operationsAfter, recordOperation } from '../ledger/operations/operation.js';
import { applyOperation, type Operation, type OperationName, type ResultOf } from '../ledger/operations/registry.js';
import type { Hex } from '../primitives/hex.js';
import type { Address, BlockId, TxId } from '../primitives/ids.js';
import type { TriggerSmartContract } from '../protocol/generated/smart-contract.js';
import type { BlockHeader } from '../protocol/generated/tron.js';
import type { Sent } from '../protocol/message-type.js';
import { SignedTransaction } from '../protocol/transaction.js';
import type { EarlierBlocks } from '../state/fork/earlier-blocks.js';
import { RowChanges } from '../state/row-changes.js';
import type { State } from '../state/state.js';
import type { Store } from '../state/store.js';
import type { ExecutionResult } from '../tvm/run.js';
import { Commits, type Keeping, type NoRoomError } from './commits.js';
import { consoleLines } from './console-log.js';
import type { Head } from './control.js';
import { HistoryIndex, type IndexProgress } from './history-index.js';
import type { ChainObserver } from './observer.js';
import { beginChain, type Opening, openState } from './opening.js';
import { PastViews } from './past-views.js';
import { Pool, type PooledTransaction } from './pool.js';
import { type Place, takeBack } from './revert.js';
import { type SolidityLag, type SolidityLayers, SolidityView } from './solidity-view.js';

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

/** A place to go back to: everything that the chain itself holds. */
export interface ChainSnapshot extends Place {
  readonly pending: readonly PooledTransaction[];
  readonly solidity: SolidityLayers;
  readonly solidityLag: SolidityLag | number;
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
  readonly #past: PastViews;
  readonly #history: HistoryIndex;
  readonly #solidity: SolidityView;
  readonly #observer: ChainObserver;
  /** The flag is a row like others; it is set inside the block that needs it, so that going back takes it back. */
  #relaxing = false;
  /** How far the solidity view is behind: not at all, so many blocks, or as on the network. */
  solidityLag: SolidityLag | number;
  /** The oldest height that somebody holds a snapshot of. */
  neededHeight: () => number = () => Number.POSITIVE_INFINITY;
  #revision = 0;

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
      this.#withdraw(refusal),
    );
    this.#past = new PastViews(this.ledger, this.commits);
    this.#history = new HistoryIndex(this.ledger, options.store, options.history ?? true);
    this.#observer = options.observer ?? {};
    this.solidityLag = options.solidityLag;
    this.#solidity = new SolidityView(this.ledger.headNumber, Number(this.ledger.long('LATEST_SOLIDIFIED_BLOCK_NUM')));
    const { poolSize: capacity, poolWork: fullWork = Number.POSITIVE_INFINITY, ignoresShielded = false } = options;
    this.pool = new Pool(this.ledger, { capacity, fullWork, ignoresShielded }, this.#solidity, this.#observer);
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

  /** Whether every block so far obeys the network's rules of time and signature (design.md section 4). */
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
  produce(plan: { timestampMs: bigint; producer: Address; sign: (headerHash: Hex) => Hex }): AppliedBlock {
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
   * as `revision` stays.
   *
   * @throws PastStateError
   */
  ownLedgerAt(height: number): Ledger {
    this.commits.requireState(height);
    return this.#past.alone(height);
  }

  /** The highest block that a network node would have merged out of its open layers (http-api.md 7). */
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

  /** Counts how often committed blocks were taken back: who reads and waits in between sees whether it is still one chain. */
  get revision(): number {
    return this.#revision;
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

  #solidHeightOf({ height, solidity, solidityLag }: ChainSnapshot): number {
    if (solidityLag === 'network') return Math.min(solidity.merged, solidity.head);
    return laggedHeight(height, solidityLag);
  }

  snapshot(): ChainSnapshot {
    return {
      height: this.headNumber,
      headId: this.headId,
      operations: operationsAfter(this.ledger, this.headNumber),
      pending: this.pool.members(),
      solidity: this.#solidity.save(),
      solidityLag: this.solidityLag,
    };
  }

  /** Whether the chain has come so far, and so can go back there. */
  reaches({ height, operations }: ChainSnapshot): boolean {
    const { headNumber } = this;
    return height < headNumber || (height === headNumber && operations <= operationsAfter(this.ledger, headNumber));
  }

  /** Goes back, over committed blocks too; on the disk in one batch with the head. */
  revert(snapshot: ChainSnapshot): void {
    this.pool.takeOut();
    this.#observer.takingBack?.(snapshot.height, this.#solidHeightOf(snapshot));
    takeBack(this.ledger, this.commits, this.#history, snapshot);
    this.#past.clear();
    this.#revision++;
    for (const member of snapshot.pending) this.pool.restore(member);
    this.#solidity.restore(snapshot.solidity);
    this.solidityLag = snapshot.solidityLag;
    this.#observer.reverted?.(this.headNumber);
  }

  /**
   * Goes back to what the chain was after a block and `operations` of those that followed it, by default all of them.
   *
   * @returns the transactions of the blocks that are no more, in their order, and what was pending
   */
  backTo(
    height: number,
    operations = operationsAfter(this.ledger, height),
  ): { readonly lost: readonly SignedTransaction[]; readonly pending: readonly PooledTransaction[] } {
    const pending = this.pool.takeOut();
    const { lost, base } = this.#above(height);
    const headId = blockIdAt(this.ledger, base);
    if (headId === undefined) throw new Error(`there is no block ${base} to go back to`);
    const { solidityLag } = this;
    this.#observer.takingBack?.(height, solidityLag === 'network' ? base : laggedHeight(height, solidityLag));
    takeBack(this.ledger, this.commits, this.#history, {
      height: base,
      headId,
      operations: base === height ? operations : operationsAfter(this.ledger, base),
    });
    this.#past.clear();
    this.#revision++;
    this.#solidity.reopen(base, Number(this.ledger.long('LATEST_SOLIDIFIED_BLOCK_NUM')));
    // Of blocks that were made many at once the first ones are made again.
    if (base < height) this.produceEmptyRun(height - base);
    this.#observer.reverted?.(height);
    return { lost, pending };
  }

  /** The chain as it began, also where the way back to there has been forgotten. Nobody else may change it meanwhile. */
  async beginAnew(): Promise<void> {
    this.pool.takeOut();
    const { beginsAt } = this.config;
    this.#observer.takingBack?.(beginsAt, beginsAt);
    const rows: string[] = [];
    for await (const { key } of this.store.rows('')) rows.push(key);
    this.commits.startOver(rows);
    this.state.startOver();
    beginChain(this.state, this.config, this.options);
    this.commits.commit(beginsAt);
    this.#history.startOver();
    this.#past.clear();
    this.#revision++;
    this.#solidity.reopen(beginsAt, beginsAt);
    this.#observer.reverted?.(beginsAt);
    await this.durable();
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

  /** The transactions of the blocks above a height, and where the block or run of blocks began that the height is in. */
  #above(height: number): { readonly lost: readonly SignedTransaction[]; readonly base: number } {
    const blocks: (readonly SignedTransaction[])[] = [];
    let base = Math.min(height, this.headNumber);
    for (const { from, to, step } of this.commits.down(height)) {
      if (step > 0) continue;
      base = Math.min(base, from);
      if (to - from === 1) blocks.push(blockAt(this.ledger, to)?.transactions ?? []);
    }
    return { lost: blocks.reverse().flat(), base };
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

  /**
   * The store has no room: the chain goes back to what it holds, as if it had been opened there, and waits. Nobody was
   * told of what is taken back; its transactions are pending again.
   */
  #withdraw(refusal: NoRoomError): void {
    const pending = this.pool.takeOut();
    const lost = this.commits.takeBackUnaccepted();
    this.#past.clear();
    this.#solidity.reopen(this.headNumber, Number(this.ledger.long('LATEST_SOLIDIFIED_BLOCK_NUM')));
    const receivedMs = this.headTimeMs;
    this.pool.putBack([
      ...lost.map(({ transaction }) => ({
        transaction: SignedTransaction.decode(transaction).withRet([]),
        receivedMs,
      })),
      ...pending,
    ]);
    this.#observer.storeRefused?.(refusal);
    this.#observer.reverted?.(this.headNumber);
  }

  #commit(from: number, history: readonly HistoryRow[] = []): void {
    this.#past.committed(this.commits.commit(from, history));
  }
}

function laggedHeight(head: number, lag: 'none' | number): number {
  return Math.max(0, head - (lag === 'none' ? 0 : lag));
}
