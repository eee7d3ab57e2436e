/**
 * The running chain: head, pending pool, block making and taking, durability, older views, going back.
 *
 * Owns the one live state and the order in which things happen to it. Every change of the chain is synchronous; what is
 * asynchronous is only the store's acceptance of a batch (`durable`). Does not own time (`clock.ts`, `producer.ts`
 * decide when), the rules (`ledger/`) or any wire.
 */

import { JavaException } from '../errors/java-exception.js';
import { checkNextSlot } from '../ledger/admission/checks.js';
import { contractValidateException, serverBusy } from '../ledger/admission/refusals.js';
import { type AppliedBlock, type DroppedTransaction, importBlock, produceBlock } from '../ledger/apply-block.js';
import { type AppliedTransaction, applyTransaction, PENDING } from '../ledger/apply-transaction.js';
import { mineEmptyRun, solidifiedAfterRun } from '../ledger/blocks/empty-blocks.js';
import { applyGenesis, configOfGenesis, type Genesis, genesisBlock } from '../ledger/blocks/genesis.js';
import type { ChainConfig, NodeSettings } from '../ledger/config.js';
import { BLOCK_INTERVAL_MS, Ledger } from '../ledger/ledger.js';
import type { Hex } from '../primitives/hex.js';
import type { Address, BlockId, TxId } from '../primitives/ids.js';
import type { BlockHeader } from '../protocol/generated/tron.js';
import type { SignedTransaction } from '../protocol/transaction.js';
import {
  decodePreImages,
  encodePreImages,
  type PreImage,
  preImageKey,
  preImagesOf,
  restorePreImages,
  rowWrites,
} from '../state/pre-images.js';
import { State } from '../state/state.js';
import type { Store, StoreWrite } from '../state/store.js';
import { StoreSource } from '../state/store-source.js';
import type { TableSpec } from '../state/table.js';
import { FORMAT_VERSION, TABLES } from '../state/tables.js';
import { View } from '../state/views.js';
import { consoleLines } from './console-log.js';
import { Pool, type PooledTransaction } from './pool.js';
import { type SolidityLag, type SolidityLayers, SolidityView } from './solidity-view.js';

const PENDING_LIFETIME_MS = 60_000n;
const KEPT_VIEWS = 8;
/** What queries about the last few blocks need without reading and decoding them again. */
const RECENT_COMMITS = 16;

export interface ChainOptions {
  readonly genesis: Genesis;
  readonly store: Store;
  /** `node.maxTransactionPendingSize`: a pool of more than this many refuses with SERVER_BUSY. */
  readonly poolSize: number;
  readonly solidityLag: SolidityLag;
  readonly settings: NodeSettings & Pick<ChainConfig, 'signFor'>;
  readonly observer?: ChainObserver;
}

/** What happens to a chain, told in order and synchronously, after it happened. */
export interface ChainObserver {
  blockApplied?(block: AppliedBlock): void;
  /** Blocks without transactions that were made many at once, by the first and the last number. */
  emptyBlocksApplied?(first: number, last: number): void;
  transactionPending?(applied: AppliedTransaction): void;
  transactionsDropped?(dropped: readonly DroppedTransaction[]): void;
  /** A contract that was called without a transaction said something to `console.log`. */
  consoleLogged?(lines: readonly string[]): void;
  /** The chain went back to `head`. */
  reverted?(head: number): void;
}

/** A database that belongs to another chain or another version of Sunup. */
export class IncompatibleDatabaseError extends Error {
  override readonly name = 'IncompatibleDatabaseError';
  constructor(
    message: string,
    /** What the person can do about it. */
    readonly hint: string,
  ) {
    super(message);
  }
}

/** A place to go back to: everything that the chain itself holds. */
export interface ChainSnapshot {
  readonly height: number;
  readonly headId: BlockId;
  readonly pending: readonly PooledTransaction[];
  readonly solidity: SolidityLayers;
}

/** A block, or a run of empty ones, with the rows it changed and the values from before. */
export interface Commit {
  /** Height before. */
  readonly from: number;
  /** Height after. */
  readonly to: number;
  readonly images: readonly PreImage[];
}

export class Chain {
  readonly pool = new Pool();
  /** Head plus pending transactions: what `/wallet` reads. */
  readonly ledger: Ledger;
  readonly genesisHeader: Uint8Array;
  #solidity: SolidityView;
  #durable: Promise<void> = Promise.resolve();
  #failure: unknown;
  /** The flag is a row like others; it is set inside the block that needs it, so that going back takes it back. */
  #relaxing = false;
  readonly #recent = new Map<number, Commit>();
  readonly #views = new Map<number, { readonly view: View; readonly ledger: Ledger }>();

  private constructor(
    private readonly state: State,
    readonly config: ChainConfig,
    private readonly options: ChainOptions,
    genesisHeader: Uint8Array,
  ) {
    this.genesisHeader = genesisHeader;
    this.ledger = new Ledger(state, config);
    this.#solidity = new SolidityView(this.ledger.headNumber, Number(this.ledger.long('LATEST_SOLIDIFIED_BLOCK_NUM')));
  }

  /**
   * Opens the chain of `options.store`, or begins one when the store is empty.
   *
   * @throws IncompatibleDatabaseError when the store holds another chain or format
   */
  static async open(options: ChainOptions): Promise<Chain> {
    const block = genesisBlock(options.genesis);
    const config: ChainConfig = { ...configOfGenesis(options.genesis, block.id), ...options.settings };
    const state = new State(await StoreSource.open(options.store));
    const format = state.tables.meta.get('format');
    if (format === undefined) {
      const chain = new Chain(begin(state, config, options.genesis, block), config, options, block.header);
      chain.#commit(0);
      await chain.durable();
      return chain;
    }
    if (format !== String(FORMAT_VERSION)) {
      throw new IncompatibleDatabaseError(
        `the database has format ${format}, this Sunup reads format ${FORMAT_VERSION}`,
        'Use the Sunup version that wrote it, or another --db directory.',
      );
    }
    const genesisId = state.tables.meta.get('genesis');
    if (genesisId !== block.id) {
      throw new IncompatibleDatabaseError(
        `the database belongs to the chain with genesis ${genesisId}, the options give ${block.id}`,
        'Start with the options the chain was begun with (genesis file, time, accounts, parameters), or use another --db directory.',
      );
    }
    return new Chain(state, config, options, block.header);
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

  /** Settles when the store has accepted everything that happened so far: only then is a client told of it. */
  async durable(): Promise<void> {
    await this.#durable;
    if (this.#failure !== undefined)
      throw new Error('the chain could not be written to its store', { cause: this.#failure });
  }

  /** Hands on what a constant call printed; what a transaction printed comes with its block. */
  reportConsole(calls: readonly Hex[]): void {
    if (calls.length > 0) this.options.observer?.consoleLogged?.(consoleLines(calls));
  }

  /**
   * Takes a transaction into the pool, with java-tron's checks in java-tron's order (ledger.md 2.1).
   *
   * @throws JavaException the refusal; the state is as before
   */
  broadcast(transaction: SignedTransaction): AppliedTransaction {
    if (this.pool.size > this.options.poolSize) throw serverBusy();
    if (transaction.raw.contract.length === 0) throw contractValidateException('No contract!');
    checkNextSlot(this.ledger, transaction);
    const mark = this.state.mark();
    try {
      const applied = applyTransaction(this.ledger, PENDING, withoutRet(this.ledger, transaction), this.pool.size);
      this.#solidity.transactionProcessed();
      this.pool.add({ transaction: applied.transaction, receivedMs: this.headTimeMs });
      this.options.observer?.transactionPending?.(applied);
      return applied;
    } catch (error) {
      this.state.revert(mark);
      if (error instanceof JavaException && !error.javaClass.endsWith('.ValidateSignatureException')) {
        this.#solidity.transactionProcessed();
      }
      throw error;
    }
  }

  /** Makes the next block out of the pool. */
  produce(plan: { timestampMs: bigint; producer: Address; sign: (headerHash: Hex) => Hex }): AppliedBlock {
    const candidates = this.#takePending();
    let block: AppliedBlock;
    try {
      const transactions = candidates.map(({ transaction }) => transaction);
      block = this.#atomically(() => produceBlock(this.ledger, plan, transactions));
    } catch (error) {
      // A block that could not be made, for want of a signature say, has taken nothing out of the pool.
      this.#repush(candidates);
      throw error;
    }
    this.#blockApplied(block, true);
    if (block.dropped.length > 0) this.options.observer?.transactionsDropped?.(block.dropped);
    return block;
  }

  /** Makes empty blocks many at once (`emptyRunLength` says how many may be). Nothing may be pending. */
  produceEmptyRun(count: number): void {
    const from = this.headNumber;
    const solidBefore = solidifiedAfterRun(this.ledger, count - 1);
    this.#atomically(() => mineEmptyRun(this.ledger, count));
    this.#commit(from);
    this.#solidity.runApplied(from + count, solidBefore, Number(this.ledger.long('LATEST_SOLIDIFIED_BLOCK_NUM')));
    this.options.observer?.emptyBlocksApplied?.(from + 1, from + count);
  }

  /** Takes over a block made elsewhere; what is pending and not in it stays pending if it is still valid. */
  import(header: BlockHeader, transactions: readonly SignedTransaction[]): AppliedBlock {
    const pending = this.#takePending();
    try {
      const block = this.#atomically(() => importBlock(this.ledger, header, transactions));
      this.#blockApplied(block, false);
      return block;
    } finally {
      this.#repush(pending);
    }
  }

  /** Takes one transaction out of the pool; the others stay as far as they are valid without it. */
  dropPending(txId: TxId): boolean {
    if (this.pool.get(txId) === undefined) return false;
    this.#repush(this.#takePending().filter(({ transaction }) => transaction.txId !== txId));
    return true;
  }

  /** The ledger as it was at a height: for reading, and for running calls in a dry run. */
  ledgerAt(height: number): Ledger {
    const head = this.headNumber;
    if (height === head && this.pool.size === 0) return this.ledger;
    const known = this.#views.get(height);
    if (known !== undefined) return known.ledger;
    const view = new View(this.state);
    const commits: Commit[] = [];
    let base = head;
    while (base > height) {
      const commit = this.#readCommit(base);
      commits.push(commit);
      base = commit.from;
    }
    for (const commit of commits.reverse()) view.fold(commit.images);
    const ledger = new Ledger(new State(view), this.config);
    // Within a run of empty blocks there are no pre-images: the part up to the height is made again, in closed form.
    if (base < height) mineEmptyRun(ledger, height - base);
    this.#views.set(height, { view, ledger });
    if (this.#views.size > KEPT_VIEWS) this.#views.delete(this.#views.keys().next().value as number);
    return ledger;
  }

  /** The blocks that changed a row, from the head down, with the value before each. Reads every block on the way. */
  *changesOf(table: keyof typeof TABLES, key: string): Iterable<{ readonly number: number; readonly before: unknown }> {
    for (const { to, images } of this.commits()) {
      const change = images.find((image) => image.table === table && image.key === key);
      if (change !== undefined) yield { number: to, before: change.before };
    }
  }

  /** What was committed, from the head down to the first block. The newest are in memory, the others are read. */
  *commits(): Iterable<Commit> {
    for (let to = this.headNumber; to > 0; ) {
      const commit = this.#readCommit(to);
      yield commit;
      to = commit.from;
    }
  }

  /** The highest block that a network node would have merged out of its open layers (http-api.md 7). */
  get mergedHeight(): number {
    return this.#solidity.height;
  }

  /**
   * Keys of the rows of a table that blocks above `height` and pending transactions have written, in the order of the
   * first write: so java-tron puts them into a map when it scans its open layers.
   */
  keysWrittenSince(height: number, table: keyof typeof TABLES): ReadonlySet<string> {
    const commits: Commit[] = [];
    for (let to = this.headNumber; to > height; to = (commits.at(-1) as Commit).from)
      commits.push(this.#readCommit(to));
    const keys = new Set<string>();
    for (const { images } of commits.reverse())
      for (const image of images) if (image.table === table) keys.add(image.key);
    for (const key of this.state.journal.changedKeys(this.state.tables[table] as never)) keys.add(key);
    return keys;
  }

  /** What `/walletsolidity` reads. */
  get solidLedger(): Ledger {
    return this.ledgerAt(this.options.solidityLag === 'none' ? this.headNumber : this.#solidity.height);
  }

  snapshot(): ChainSnapshot {
    return {
      height: this.headNumber,
      headId: this.headId,
      pending: this.pool.members(),
      solidity: this.#solidity.save(),
    };
  }

  /** Goes back, over committed blocks too; on the disk in one batch with the head. */
  revert(snapshot: ChainSnapshot): void {
    this.#takePending();
    const touched = new Map<string, { table: keyof typeof TABLES; key: string }>();
    const writes: StoreWrite[] = [];
    for (let to = this.headNumber; to > snapshot.height; ) {
      const commit = this.#readCommit(to);
      restorePreImages(this.state, commit.images);
      for (const { table, key } of commit.images) touched.set(`${table}:${key}`, { table, key });
      writes.push({ key: preImageKey(to), value: undefined });
      this.#recent.delete(to);
      to = commit.from;
    }
    if (this.headId !== snapshot.headId) {
      throw new Error(`revert: height ${snapshot.height} is ${this.headId}, the snapshot was of ${snapshot.headId}`);
    }
    for (const { table, key } of touched.values()) {
      const spec = TABLES[table] as TableSpec<unknown>;
      const value = this.state.tables[table].get(key);
      writes.push({ key: spec.prefix + key, value: value === undefined ? undefined : spec.encode(value) });
    }
    if (writes.length > 0) this.#write(writes);
    this.#views.clear();
    for (const member of snapshot.pending) this.#applyPending(member);
    this.#solidity.restore(snapshot.solidity);
    this.options.observer?.reverted?.(this.headNumber);
  }

  async close(): Promise<void> {
    await this.#durable;
    await this.options.store.close();
  }

  /** Transactions by account and the like are read from the store, in order of keys. */
  get store(): Store {
    return this.options.store;
  }

  /** Takes pending effects out of the state and the transactions out of the pool. */
  #takePending(): readonly PooledTransaction[] {
    this.state.revert(0);
    return this.pool.drain();
  }

  #repush(members: readonly PooledTransaction[]): void {
    for (const member of members) {
      if (this.headTimeMs - member.receivedMs > PENDING_LIFETIME_MS) {
        const reason = new JavaException('sunup.PendingTimeout', 'pending for more than 60 s of chain time');
        this.options.observer?.transactionsDropped?.([{ transaction: member.transaction, reason }]);
      } else if (!this.state.tables.transactions.has(member.transaction.txId)) this.#applyPending(member);
    }
  }

  #applyPending(member: PooledTransaction): void {
    const mark = this.state.mark();
    try {
      applyTransaction(this.ledger, PENDING, member.transaction, this.pool.size);
      this.pool.add(member);
    } catch (error) {
      this.state.revert(mark);
      if (!(error instanceof JavaException)) throw error;
      this.options.observer?.transactionsDropped?.([{ transaction: member.transaction, reason: error }]);
    }
  }

  #atomically<Result>(work: () => Result): Result {
    try {
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
    this.#commit(block.number - 1);
    const solid = Number(this.ledger.long('LATEST_SOLIDIFIED_BLOCK_NUM'));
    this.#solidity.blockApplied(block.number, solid, produced, block.transactions.length + block.dropped.length > 0);
    this.options.observer?.blockApplied?.(block);
  }

  #commit(from: number): void {
    const rows = this.state.journal.seal();
    const writes = rowWrites(rows);
    const images = preImagesOf(rows);
    const to = this.headNumber;
    if (to > 0) {
      const head = Buffer.alloc(6);
      head.writeUIntBE(from, 0, 6);
      writes.push({ key: preImageKey(to), value: Buffer.concat([head, encodePreImages(images)]) });
      this.#recent.set(to, { from, to, images });
      if (this.#recent.size > RECENT_COMMITS) this.#recent.delete(this.#recent.keys().next().value as number);
      for (const { view } of this.#views.values()) view.fold(images);
    }
    this.#write(writes);
    this.state.trim();
  }

  #readCommit(to: number): Commit {
    const recent = this.#recent.get(to);
    if (recent !== undefined) return recent;
    const bytes = this.options.store.get(preImageKey(to));
    if (bytes === undefined) throw new Error(`no pre-images for block ${to}`);
    const from = Buffer.from(bytes.buffer, bytes.byteOffset, 6).readUIntBE(0, 6);
    return { from, to, images: decodePreImages(bytes.subarray(6)) };
  }

  #write(writes: readonly StoreWrite[]): void {
    const written = this.options.store.write(writes);
    this.#durable = written.catch((error: unknown) => {
      this.#failure ??= error;
    });
  }
}

/** With the VM on, results that a client sends along are thrown away (ledger.md 2.1 row 6). */
function withoutRet(ledger: Ledger, transaction: SignedTransaction): SignedTransaction {
  return ledger.vmOn && transaction.ret.length > 0 ? transaction.withRet([]) : transaction;
}

function begin(state: State, config: ChainConfig, genesis: Genesis, block: ReturnType<typeof genesisBlock>): State {
  applyGenesis(new Ledger(state, config), genesis, block);
  // Slots count from the genesis, and every network of today wants whole multiples of a slot: from such a genesis no
  // block is valid there.
  if (genesis.timestampMs % BLOCK_INTERVAL_MS !== 0n) state.tables.meta.set('relaxed', 'yes');
  return state;
}
