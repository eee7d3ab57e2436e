/**
 * A node: a chain, its clock, and its producer, as surfaces and the library use it. Owns the choice of when a
 * broadcast becomes a block, and the content of snapshots. Knows no wire format.
 */

import { JavaException } from '../errors/java-exception.js';
import { OperationError } from '../errors/operation-error.js';
import { serverBusy } from '../errors/refusals.js';
import type { AppliedBlock } from '../ledger/apply-block.js';
import type { AppliedTransaction } from '../ledger/apply-transaction.js';
import { blockIdAt } from '../ledger/blocks/block-ids.js';
import { blockTimeMs } from '../ledger/blocks/blocks.js';
import type { NodeSettings } from '../ledger/config.js';
import { ConstantCalls } from '../ledger/smart-contracts/constant-call.js';
import { Spool } from '../platform/spool.js';
import type { Hex } from '../primitives/hex.js';
import type { Address } from '../primitives/ids.js';
import { sha256OfHex } from '../protocol/hashes.js';
import { sign } from '../protocol/signature.js';
import type { SignedTransaction } from '../protocol/transaction.js';
import { MissingRow } from '../state/missing-row.js';
import type { WorkLimit } from '../tvm/work.js';
import { Chain, type ChainOptions } from './chain/chain.js';
import { Feed } from './chain/feed.js';
import { type FilterOptions, Filters, repeatableFilters } from './chain/filters.js';
import { type ChainObserver, combineObservers } from './chain/observer.js';
import type { Clock } from './clock/clock.js';
import { type ControlObserver, UnknownSnapshotError } from './control.js';
import { Branches, type BranchFollowers } from './operations/branches.js';
import { ChainLoader, type KeepChain } from './operations/chain-loader.js';
import { Mining, type YieldTurn } from './operations/mining.js';
import { Operations } from './operations/operations.js';
import { RecentRefusals } from './operations/recent-refusals.js';
import { type HeldSnapshots, type NodeSnapshot, Snapshots } from './operations/snapshots.js';
import type { Requester } from './operations/work.js';
import { type BuildTime, BuildTimes } from './production/build-times.js';
import { Producer, type ProducerOptions } from './production/producer.js';
import type { SignersAhead } from './steps/signers-ahead.js';
import { atOnce } from './with-rows.js';

export interface NodeOptions {
  readonly chain: Omit<ChainOptions, 'settings'> & { readonly settings: NodeSettings };
  readonly producer: ProducerOptions;
  readonly clock: Clock;
  /** Private keys of witnesses, by their signing address. */
  readonly witnessKeys: ReadonlyMap<Address, Hex>;
  /** Makes the first blocks after a `reset`; absent: `mineFirstBlocks`. */
  readonly firstBlocks?: (node: Node) => Promise<void>;
  /** Makes a place for many bytes outside of the memory; absent: a few megabytes of memory. */
  readonly spool?: () => Spool;
  /** Keeps the chain that a load replaces; absent: chains are only loaded into a new one. */
  readonly keep?: KeepChain;
  /** Absent: ids in a reproducible sequence, and no filter expires. */
  readonly filters?: FilterOptions;
  readonly signers?: SignersAhead;
  /** Checked between the steps of long work: yields if others wait; absent: never. */
  readonly yieldTurn?: YieldTurn;
  readonly controls?: ControlObserver;
  /** Energy limit of a constant call; absent: the main network's default. */
  readonly constantEnergy?: number;
  /** Its work limit; absent: that of a transaction. */
  readonly constantLimit?: WorkLimit | undefined;
  /** 32 unique bytes of this node; absent: the id of the genesis block. */
  readonly instance?: Hex;
  /** On a fork: its network's address, for requests about the node. */
  readonly networkUrl?: string | undefined;
  /** Methods of TRE follow TRE's rules where these differ. */
  readonly emulatesTre?: boolean;
}

/** Filters of clients, one set for each view of the chain. */
export interface NodeFilters {
  readonly full: Filters;
  readonly solid: Filters;
}

/** Ethereum counts time in seconds, and its contracts and tests expect a later time in each block. */
const ETHEREUM_STEP_MS = 1_000n;

export class Node {
  readonly chain: Chain;
  readonly clock: Clock;
  readonly producer: Producer;
  readonly mining: Mining;
  readonly operations: Operations;
  readonly branches: Branches;
  readonly loader: ChainLoader;
  readonly filters: NodeFilters;
  /** Chain events for followers. */
  readonly feed: Feed;
  /** Runs constant calls. */
  readonly calls: ConstantCalls;
  /** For interfaces, which know what will be broadcast. */
  readonly signers: SignersAhead | undefined;
  /** Checked between the steps of long work: yields if others wait. */
  readonly yieldTurn: YieldTurn;
  /** Makes a place for many bytes outside of the memory. */
  readonly spool: () => Spool;
  readonly emulatesTre: boolean;
  readonly #networkUrl: string | undefined;
  readonly #controls: ControlObserver;
  readonly #built = new BuildTimes();
  /** Recent refusals of transactions. */
  readonly refusals: RecentRefusals;
  #instanceId: Hex;
  readonly #snapshots: Snapshots;

  private constructor(
    chain: Chain,
    snapshots: Snapshots,
    filters: NodeFilters,
    feed: Feed,
    refusals: RecentRefusals,
    options: NodeOptions,
  ) {
    this.#snapshots = snapshots;
    const { clock, witnessKeys, producer, signers, yieldTurn = () => undefined, controls = {} } = options;
    this.chain = chain;
    this.yieldTurn = yieldTurn;
    this.clock = clock;
    this.producer = new Producer(chain, clock, witnessKeys, producer);
    this.mining = new Mining(chain, clock, this.producer, yieldTurn, (...mined) => controls.mined?.(...mined));
    const followers: BranchFollowers = {
      cut: (height) => this.#snapshots.dropAbove(height),
      replaced: () => this.#chainReplaced(),
      firstBlocks: () => (options.firstBlocks ? options.firstBlocks(this) : this.producer.mineFirstBlocks()),
      branched: (how) => controls.branched?.(how),
    };
    this.spool = options.spool ?? (() => new Spool([]));
    this.branches = new Branches(chain, clock, this.producer, this.mining, followers);
    this.loader = new ChainLoader({
      ...{ chain, clock, producer: this.producer, mining: this.mining, branches: this.branches },
      ...{ branched: followers.branched, yieldTurn, signers, keep: options.keep },
    });
    const productionChanged = () => controls.productionChanged?.();
    const loggingSet = (on: boolean) => controls.loggingSet?.(on);
    const isAlone = () => this.mining.isAlone;
    this.operations = new Operations({ chain, clock, producer: this.producer, productionChanged, loggingSet, isAlone });
    chain.neededHeight = () => this.#snapshots.lowestHeight;
    this.filters = filters;
    this.refusals = refusals;
    this.feed = feed;
    this.signers = signers;
    this.emulatesTre = options.emulatesTre ?? false;
    this.#networkUrl = options.networkUrl;
    this.#controls = controls;
    this.calls = new ConstantCalls(options.constantEnergy, options.constantLimit);
    this.#instanceId = options.instance ?? chain.config.genesisId;
  }

  /** 32 bytes that change at every start and every `reset`, so that tools can invalidate caches. */
  get instanceId(): Hex {
    return this.#instanceId;
  }

  /** On a fork: its network, and the block before its first one. */
  get fork() {
    const { ledger, config } = this.chain;
    const { beginsAt: blockNumber, networkGenesisId: genesisId } = config;
    if (genesisId === undefined) return undefined;
    const block = { blockId: blockIdAt(ledger, blockNumber), timestampMs: blockTimeMs(ledger, blockNumber) ?? 0 };
    return { url: this.#networkUrl, genesisId, blockNumber, ...block };
  }

  static async open(options: NodeOptions): Promise<Node> {
    const { witnessKeys } = options;
    const signFor = (signer: Address, headerHash: Hex): Hex => {
      const key = witnessKeys.get(signer) ?? witnessKeys.values().next().value;
      if (key === undefined) throw new Error('a block of ours must be signed, and there is no key');
      return sign(headerHash, key);
    };
    const filterOptions = options.filters ?? repeatableFilters();
    const filters: NodeFilters = { full: new Filters(filterOptions), solid: new Filters(filterOptions) };
    const feed: Feed = new Feed(() => chain);
    const refusals = new RecentRefusals();
    const transactionsDropped: ChainObserver['transactionsDropped'] = (all) => {
      for (const { transaction, reason } of all) refusals.add(chain.ledger, transaction, reason, true);
    };
    const snapshots = new Snapshots((snapshot) => chain.back.reaches(snapshot));
    const storeRefused = (): void => {
      snapshots.dropUnreached();
      filters.full.storeRefused(chain.headNumber);
      filters.solid.storeRefused(chain.solidHeight);
    };
    const chain: Chain = await Chain.open({
      ...options.chain,
      observer: combineObservers(
        followingFilters(filters, () => chain.solidHeight),
        { storeRefused },
        feed.observer,
        { transactionsDropped },
        options.chain.observer ?? {},
      ),
      settings: { ...options.chain.settings, signFor },
    });
    options.clock.moveTo(chain.headTimeMs);
    return new Node(chain, snapshots, filters, feed, refusals, options);
  }

  /**
   * Adds a transaction to the pool; with instant mining makes its block at once and returns the result in it.
   *
   * @returns undefined for an ignored one
   * @throws JavaException the refusal
   */
  broadcast(transaction: SignedTransaction): AppliedTransaction | undefined {
    const pending = this.#accept(transaction);
    if (pending === undefined || this.producer.mode !== 'instant') return pending;
    const block = this.#minedFor(transaction);
    return block.transactions.find((mined) => mined.transaction.txId === transaction.txId) ?? pending;
  }

  /** A block that misses a row is reverted with its transaction; the caller repeats both. */
  #minedFor({ txId, ethereum }: SignedTransaction): AppliedBlock {
    try {
      return this.producer.mineNow(ethereum === undefined ? undefined : ETHEREUM_STEP_MS);
    } catch (thrown) {
      if (thrown instanceof MissingRow) this.chain.pool.withdraw(txId);
      throw thrown;
    }
  }

  #accept(transaction: SignedTransaction): AppliedTransaction | undefined {
    try {
      if (this.mining.isAlone) throw serverBusy();
      this.operations.refuseIfArranged();
      return this.chain.broadcast(transaction);
    } catch (error) {
      if (error instanceof JavaException) {
        this.refusals.add(this.chain.ledger, transaction, error, false);
        this.#controls.refused?.(transaction, error);
      }
      throw error;
    }
  }

  /** The timestamp of a transaction that is built for a client, unique above a block. */
  buildTimeMs(): bigint {
    return this.#built.next(this.chain.headId, this.clock.nowMs());
  }

  /**
   * Runs `work`, on a fork repeatedly until it misses no row (`with-rows.ts`). It builds the same transactions each
   * time: results do not depend on the number of fetches.
   */
  attempt<Result>(work: () => Result): Result {
    const before = this.#built.save();
    const reverted = (thrown: unknown, built: BuildTime | undefined): unknown => {
      // Work that failed with `OperationError` may have waited for a row. Others may have built transactions since.
      const isUndone = thrown instanceof MissingRow || thrown instanceof OperationError;
      if (isUndone && this.#built.save() === built) this.#built.restore(before);
      return thrown;
    };
    try {
      const result = work();
      const built = this.#built.save();
      return result instanceof Promise
        ? (result.catch((thrown: unknown) => Promise.reject(reverted(thrown, built))) as Result)
        : result;
    } catch (thrown) {
      throw reverted(thrown, this.#built.save());
    }
  }

  /** `mining.mine` at once, for a caller with exclusive access to the chain. */
  mine(count: number): void {
    atOnce(this.producer.mine(count));
  }

  /** Advances time at once, from now or from the head if that is later. */
  advance(byMs: bigint): void {
    this.clock.moveTo(this.chain.headTimeMs);
    atOnce(this.producer.passTo(this.clock.nowMs() + byMs));
  }

  /**
   * Saves height, state, pool, views, time, mining mode, filters and build times. Costs nothing until it is used.
   *
   * @throws OperationError above the maximum number
   */
  snapshot(): string {
    this.#snapshots.refuseIfFull();
    const id = this.#snapshots.add(this.#saved());
    this.#controls.snapshotTaken?.(id);
    return id;
  }

  /** Reports a request that was carried out with another value than the requested one. */
  warn(message: string): void {
    this.#controls.warned?.(message);
  }

  /** Ids of usable snapshots with the number of their head. */
  get snapshotHeights(): ReadonlyMap<string, number> {
    return this.#snapshots.heights;
  }

  /** Deletes a snapshot. @returns whether it existed */
  dropSnapshot(id: string): boolean {
    return this.#snapshots.drop(id);
  }

  /**
   * Reverts to a snapshot after earlier work is done; the snapshot and all later ones are then used up. Others get
   * turns on a long way. If the disk refuses it, nothing has happened but the part of a long way that was accepted.
   *
   * @throws UnknownSnapshotError
   */
  rollBackTo(id: string, requester?: Requester): Promise<void> {
    return this.branches.replacing({ name: 'revert', requester }, { kind: 'rollback' }, async (work) => {
      await this.branches.approach(this.#held(id).chain.height, work);
      const before = this.#saved();
      const untilDurable = this.chain.durability();
      const { snapshot, usedUp } = this.#revert(id);
      try {
        await untilDurable();
      } catch (refusal) {
        this.chain.back.snapshotRefused(snapshot.chain, before.chain);
        this.#restore(before);
        this.#snapshots.putBack(usedUp);
        this.#controls.productionChanged?.();
        throw refusal;
      }
      this.#controls.snapshotReverted?.(id);
    });
  }

  #held(id: string): NodeSnapshot {
    const snapshot = this.#snapshots.get(id);
    if (snapshot === undefined) throw new UnknownSnapshotError(id);
    return snapshot;
  }

  /** `rollBackTo` at once, for a caller with exclusive access to a chain in memory. @throws UnknownSnapshotError */
  revert(id: string): void {
    this.#revert(id);
    this.#controls.snapshotReverted?.(id);
  }

  #revert(id: string): { readonly snapshot: NodeSnapshot; readonly usedUp: HeldSnapshots } {
    const snapshot = this.#held(id);
    this.chain.back.toSnapshot(snapshot.chain);
    const usedUp = this.#snapshots.dropFrom(id);
    this.#restore(snapshot);
    return { snapshot, usedUp };
  }

  #saved(): NodeSnapshot {
    return {
      chain: this.chain.back.snapshot(),
      clock: this.clock.save(),
      mining: this.producer.settings,
      arranged: this.operations.arranged,
      built: this.#built.save(),
      queued: this.chain.pool.queued.save(),
      filters: { full: this.filters.full.save(), solid: this.filters.solid.save() },
    };
  }

  /** All but the chain. */
  #restore({ clock, mining, arranged, built, queued, filters }: NodeSnapshot): void {
    this.clock.restore(clock);
    this.producer.settings = mining;
    this.operations.arranged = arranged;
    this.#built.restore(built);
    this.chain.pool.queued.restore(queued);
    this.filters.full.restore(filters.full);
    this.filters.solid.restore(filters.solid);
  }

  #chainReplaced(): void {
    this.#instanceId = sha256OfHex(this.#instanceId);
    this.#snapshots.clear();
    this.#built.restore(undefined);
    this.chain.pool.queued.clear();
    this.operations.arranged = undefined;
  }

  async close(): Promise<void> {
    await this.mining.stop();
    await this.chain.close();
  }
}

/** Expires filters with every block, and informs them of blocks that are rolled back or leave the solidity view. */
function followingFilters({ full, solid }: NodeFilters, solidHeight: () => number): ChainObserver {
  const blockApplied = (): void => {
    full.blockApplied();
    solid.blockApplied();
  };
  const rollingBack = (height: number): void => {
    full.rollingBack(height);
    solid.rollingBack(height);
  };
  const viewMoved = (): void => solid.rollingBack(solidHeight());
  const ofView = { reverted: viewMoved, solidityLagChanged: viewMoved };
  return { blockApplied, emptyBlocksApplied: blockApplied, rollingBack, ...ofView };
}
