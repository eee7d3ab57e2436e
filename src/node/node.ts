/**
 * A node: a chain, the clock it lives by, and who makes its blocks. What surfaces and the library hold.
 *
 * Owns the choice of when a broadcast becomes a block, and what a snapshot of everything is. Knows no wire.
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
import { NonceQueue } from './chain/nonce-queue.js';
import { type ChainObserver, tellingAll } from './chain/observer.js';
import type { Clock } from './clock/clock.js';
import { type ControlObserver, UnknownSnapshotError } from './control.js';
import { Branches, type Hangers } from './operations/branches.js';
import { Mining, type YieldTurn } from './operations/mining.js';
import { Operations } from './operations/operations.js';
import { RecentRefusals } from './operations/recent-refusals.js';
import { type NodeSnapshot, Snapshots } from './operations/snapshots.js';
import type { Asker } from './operations/work.js';
import { type BuildTime, BuildTimes } from './production/build-times.js';
import { Producer, type ProducerOptions } from './production/producer.js';
import { atOnce } from './with-rows.js';

export interface NodeOptions {
  readonly chain: Omit<ChainOptions, 'settings'> & { readonly settings: NodeSettings };
  readonly producer: ProducerOptions;
  readonly clock: Clock;
  /** Private keys of witnesses, by the address they sign for. */
  readonly witnessKeys: ReadonlyMap<Address, Hex>;
  /** What a `reset` does on a chain that has begun anew; absent: `mineFirstBlocks`. */
  readonly firstBlocks?: (node: Node) => Promise<void>;
  /** Absent: ids in a repeatable sequence, and no filter expires. */
  readonly filters?: FilterOptions;
  readonly signers?: SignersAhead;
  /** Asked between the steps of long work whether others wait; absent: nobody does. */
  readonly yieldTurn?: YieldTurn;
  readonly controls?: ControlObserver;
  /** Energy that a call without a transaction may use; absent: as nodes of the main network allow. */
  readonly constantEnergy?: number;
  /** What it may do; absent: as much as a transaction. */
  readonly constantLimit?: WorkLimit | undefined;
  /** 32 bytes that no other node has; absent: the id of the genesis block. */
  readonly instance?: Hex;
  /** Of a fork: its network's address, for who asks the node about itself. */
  readonly networkUrl?: string | undefined;
  /** Methods of TRE keep TRE's rules where ours are others. */
  readonly standsInForTre?: boolean;
}

/** Recovers the signers of transactions that are about to be broadcast, so that the ledger finds them known. */
export interface SignersAhead {
  /** To be awaited before the broadcast; undefined when there is nothing to wait for. Never fails. */
  ahead(transaction: SignedTransaction): Promise<void> | undefined;
}

/** Filters of clients, one set for each view of the chain. */
export interface NodeFilters {
  readonly full: Filters;
  readonly solid: Filters;
}

/** Ethereum counts time in seconds, and its contracts and tests expect each block in another one. */
const ETHEREUM_STEP_MS = 1_000n;

export class Node {
  readonly chain: Chain;
  readonly clock: Clock;
  readonly producer: Producer;
  readonly mining: Mining;
  readonly operations: Operations;
  readonly branches: Branches;
  readonly filters: NodeFilters;
  /** What came through `/eth` before its turn. */
  readonly queued = new NonceQueue();
  /** For who follows the chain. */
  readonly feed: Feed;
  /** Runs every call that is no transaction. */
  readonly calls: ConstantCalls;
  /** For surfaces: nothing below them waits for anything. */
  readonly signers: SignersAhead | undefined;
  /** Asked between the steps of long work whether others wait. */
  readonly yieldTurn: YieldTurn;
  readonly standsInForTre: boolean;
  readonly #networkUrl: string | undefined;
  readonly #controls: ControlObserver;
  readonly #built = new BuildTimes();
  /** Why transactions are in no block. */
  readonly refusals: RecentRefusals;
  #instanceId: Hex;
  readonly #snapshots = new Snapshots();

  private constructor(chain: Chain, filters: NodeFilters, feed: Feed, refusals: RecentRefusals, options: NodeOptions) {
    const { clock, witnessKeys, producer, signers, yieldTurn = () => undefined, controls = {} } = options;
    this.chain = chain;
    this.yieldTurn = yieldTurn;
    this.clock = clock;
    this.producer = new Producer(chain, clock, witnessKeys, producer);
    this.mining = new Mining(chain, clock, this.producer, yieldTurn, (...mined) => controls.mined?.(...mined));
    const hangers: Hangers = {
      cut: (height) => this.#snapshots.dropAbove(height),
      begun: () => this.#begun(),
      firstBlocks: () => (options.firstBlocks ? options.firstBlocks(this) : this.producer.mineFirstBlocks()),
      branched: (how) => controls.branched?.(how),
    };
    this.branches = new Branches(chain, clock, this.producer, this.mining, hangers, yieldTurn);
    const paceChanged = () => controls.paceChanged?.();
    const loggingSet = (on: boolean) => controls.loggingSet?.(on);
    const isAlone = () => this.mining.isAlone;
    this.operations = new Operations({ chain, clock, producer: this.producer, paceChanged, loggingSet, isAlone });
    chain.neededHeight = () => this.#snapshots.lowestHeight;
    this.filters = filters;
    this.refusals = refusals;
    this.feed = feed;
    this.signers = signers;
    this.standsInForTre = options.standsInForTre ?? false;
    this.#networkUrl = options.networkUrl;
    this.#controls = controls;
    this.calls = new ConstantCalls(options.constantEnergy, options.constantLimit);
    this.#instanceId = options.instance ?? chain.config.genesisId;
  }

  /** 32 bytes; others after every start and every `reset`, so that tools know when what they remember holds no more. */
  get instanceId(): Hex {
    return this.#instanceId;
  }

  /** What it is a fork of, and the block that its first one follows. */
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
    const chain: Chain = await Chain.open({
      ...options.chain,
      observer: tellingAll(
        followingFilters(filters),
        feed.observer,
        { transactionsDropped },
        options.chain.observer ?? {},
      ),
      settings: { ...options.chain.settings, signFor },
    });
    options.clock.moveTo(chain.headTimeMs);
    return new Node(chain, filters, feed, refusals, options);
  }

  /**
   * Takes a transaction into the pool; with instant mining makes its block at once and answers what it did there.
   *
   * @returns undefined for one that is ignored
   * @throws JavaException the refusal
   */
  broadcast(transaction: SignedTransaction): AppliedTransaction | undefined {
    const pending = this.#accept(transaction);
    if (pending === undefined || this.producer.mode !== 'instant') return pending;
    const block = this.#minedFor(transaction);
    return block.transactions.find((mined) => mined.transaction.txId === transaction.txId) ?? pending;
  }

  /** A block that misses a row is not there, and what it was to be for has not come: the caller does it all again. */
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

  /** The timestamp of a transaction that is built for a client: no two above one block are the same. */
  buildTimeMs(): bigint {
    return this.#built.next(this.chain.headId, this.clock.nowMs());
  }

  /**
   * What `work` gives, on a fork. Where it misses a row it is done again (`with-rows.ts`), and builds the same transactions
   * then: what a client gets does not depend on how often a fork had to ask.
   */
  attempt<Result>(work: () => Result): Result {
    const before = this.#built.save();
    const takenBack = (thrown: unknown, built: BuildTime | undefined): unknown => {
      // What failed with `OperationError` may have waited for a row that could not be had. Others may have built since.
      const isUndone = thrown instanceof MissingRow || thrown instanceof OperationError;
      if (isUndone && this.#built.save() === built) this.#built.restore(before);
      return thrown;
    };
    try {
      const result = work();
      const built = this.#built.save();
      return result instanceof Promise
        ? (result.catch((thrown: unknown) => Promise.reject(takenBack(thrown, built))) as Result)
        : result;
    } catch (thrown) {
      throw takenBack(thrown, this.#built.save());
    }
  }

  /** `mining.mine` at once, for who has the chain to itself. */
  mine(count: number): void {
    atOnce(this.producer.mine(count));
  }

  /** Lets time pass at once, from now or from the head if that is later. */
  advance(byMs: bigint): void {
    this.clock.moveTo(this.chain.headTimeMs);
    atOnce(this.producer.passTo(this.clock.nowMs() + byMs));
  }

  /**
   * Remembers height, state, pending pool, views, time, mining mode, filters and what was built since the head. Costs
   * nothing until used.
   *
   * @throws OperationError when there are very many
   */
  snapshot(): string {
    this.#snapshots.refuseIfFull();
    const id = this.#snapshots.add({
      chain: this.chain.back.snapshot(),
      clock: this.clock.save(),
      mining: this.producer.settings,
      arranged: this.operations.arranged,
      built: this.#built.save(),
      queued: this.queued.save(),
      filters: { full: this.filters.full.save(), solid: this.filters.solid.save() },
    });
    this.#controls.snapshotTaken?.(id);
    return id;
  }

  /** Snapshots that can be gone back to, by id: the number of the head of then. */
  get snapshotHeights(): ReadonlyMap<string, number> {
    return this.#snapshots.heights;
  }

  /** Forgets a snapshot. @returns whether there was one */
  dropSnapshot(id: string): boolean {
    return this.#snapshots.drop(id);
  }

  /**
   * Goes back to a snapshot, which is then used up with all that came after it, when all that was asked for before is
   * done. Others are answered on a long way.
   *
   * @throws UnknownSnapshotError
   */
  goBack(id: string, asker?: Asker): Promise<void> {
    return this.mining.alone({ name: 'revert', asker }, async (work) => {
      await this.branches.approach(this.#reachable(id).chain.height, work);
      this.revert(id);
    });
  }

  #reachable(id: string): NodeSnapshot {
    const snapshot = this.#snapshots.get(id);
    // What the store had no room for has not happened, nor a snapshot that was taken of it.
    if (snapshot === undefined || !this.chain.back.reaches(snapshot.chain)) throw new UnknownSnapshotError(id);
    return snapshot;
  }

  /** `goBack` at once, for who has the chain to itself. @throws UnknownSnapshotError */
  revert(id: string): void {
    const snapshot = this.#reachable(id);
    this.#snapshots.dropFrom(id);
    this.chain.back.toSnapshot(snapshot.chain);
    this.clock.restore(snapshot.clock);
    this.producer.settings = snapshot.mining;
    this.operations.arranged = snapshot.arranged;
    this.#built.restore(snapshot.built);
    this.queued.restore(snapshot.queued);
    this.filters.full.restore(snapshot.filters.full);
    this.filters.solid.restore(snapshot.filters.solid);
    this.#controls.wentBack?.(id);
  }

  #begun(): void {
    this.#instanceId = sha256OfHex(this.#instanceId);
    this.#snapshots.clear();
    this.#built.restore(undefined);
    this.queued.clear();
    this.operations.arranged = undefined;
  }

  async close(): Promise<void> {
    await this.mining.stop();
    await this.chain.close();
  }
}

/** Lets filters grow old with every block, and take note of blocks that go. */
function followingFilters({ full, solid }: NodeFilters): ChainObserver {
  const blockApplied = (): void => {
    full.blockApplied();
    solid.blockApplied();
  };
  const takingBack = (height: number): void => {
    full.takingBack(height);
    solid.takingBack(height);
  };
  return { blockApplied, emptyBlocksApplied: blockApplied, takingBack };
}
