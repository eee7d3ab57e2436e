/**
 * Commits: all changes since the last commit go from the journal to the store as one atomic batch, with their
 * pre-images, and can be read back from the head down.
 *
 * Owns batches, durability and the pre-images, the newest of them in memory. `chain.ts` decides when to commit;
 * `past-views.ts` and `revert-rows.ts` use the pre-images.
 */

import { OperationError } from '../../errors/operation-error.js';
import { PastStateError } from '../../errors/past-state-error.js';
import { emptyRunEnd } from '../../ledger/blocks/empty-blocks.js';
import type { HistoryEndpoint } from '../../ledger/history/record-block.js';
import type { Ledger } from '../../ledger/ledger.js';
import { operationsAfter } from '../../ledger/operations/operation.js';
import type { TxId } from '../../primitives/ids.js';
import { RecentMap } from '../../primitives/recent-map.js';
import { NewestChange } from '../../state/newest-change.js';
import {
  decodePreImages,
  encodePreImages,
  type PreImage,
  preImageKey,
  preImagesOf,
  restorePreImages,
  rowWrites,
  StoredPreImages,
  WrittenRows,
} from '../../state/pre-images.js';
import {
  type ChangePlace,
  changePlace,
  endOfHeight,
  heightOfPlace,
  type RowChanges,
  stepOfPlace,
} from '../../state/row-changes.js';
import { LazyBytes, type RowBytes, type Store, type StoreWrite } from '../../state/store.js';
import type { TableSpec } from '../../state/table-spec.js';
import { type StoredTransaction, TABLES } from '../../state/tables.js';
import { tallyChanges } from '../../state/tallies.js';

/** For queries about the last few blocks without reading and decoding. */
const RECENT_COMMITS = 16;
/** The memory limit for pre-images that older views have read, in bytes. */
const KEPT_BYTES = 16_777_216;

/** A block, a run of empty ones, or an operation after one, with the changed rows and their previous values. */
export interface Commit {
  /** Height before. */
  readonly from: number;
  /** Height after; for an operation the height before, too. */
  readonly to: number;
  /** The number of the operation after block `to`; 0: the block itself. */
  readonly step: number;
  readonly images: readonly PreImage[];
  /** Keys of its rows in the history index; undefined: no longer in memory. */
  readonly historyKeys?: readonly string[];
}

/** The disk is full: the chain can be read, but not changed. */
export class NoRoomError extends OperationError {
  override readonly name = 'NoRoomError';
  override readonly httpStatus = 503;
  /** @param left what the work has done */
  constructor({ cause }: ErrorOptions, left = 'Nothing is changed') {
    const why = isNoSpace(cause) ? 'the disk is full' : 'its disk cannot be written';
    super(`the chain is stopped because ${why}. ${left}, and queries still work. See the log`);
    this.cause = cause;
  }
}

/** LevelDB's error, inside of the package's error. */
export function isNoSpace(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false;
  return /no space left|disk quota/i.test(cause.message) || isNoSpace(cause.cause);
}

/** The row with the oldest block whose state is readable; absent: the genesis. Not a part of the state. */
export const STATE_FROM_KEY = 'kept:from';
/** The number of commits that are deleted with each new one, after the retention was reduced. */
const FORGOTTEN_AT_ONCE = 1_000;

/** The retention of past states. */
export interface Keeping {
  /** The number of blocks below the head. */
  readonly blocks: number;
  /** The oldest height that snapshots still need. */
  readonly needed: () => number;
}

/** What undoes a batch: the changed rows with their previous values, or all that a reset has replaced. */
type Undo = readonly PreImage[] | (() => void);

/** What undoes a batch that has earlier changes, too. */
function together(earlier: Undo | undefined, later: readonly PreImage[] | undefined): Undo | undefined {
  if (earlier === undefined) return later;
  // A reset, of which the genesis is a part.
  if (typeof earlier === 'function' || later === undefined) return earlier;
  const rowOf = ({ table, key }: PreImage) => `${table}:${key}`;
  const known = new Set(earlier.map(rowOf));
  return [...earlier, ...later.filter((image) => !known.has(rowOf(image)))];
}

export class Commits {
  readonly #recent = new RecentMap<string, Commit>(RECENT_COMMITS);
  readonly #written = new WrittenRows();
  /** Older commits from which single rows were read; the most recently used is the last. */
  readonly #asked = new Map<ChangePlace, StoredPreImages>();
  #askedBytes = 0;
  #stateFrom: number;
  #newest: NewestChange | undefined;
  #durable: Promise<void> = Promise.resolve();
  /** Batches that the store has not answered yet. */
  #underWay = 0;
  /** What undoes each batch that the store has not accepted yet, the oldest first. */
  #unaccepted: Undo[] = [];
  /** Of changes that the next batch will have. */
  #undoWithNext: Undo | undefined;
  #refusal: NoRoomError | undefined;
  #refusals = 0;
  /** Those who wait until the store accepts batches again. */
  readonly #waiting: (() => void)[] = [];

  /** @param refused called with the first batch that the store refuses; it must call `revertUnaccepted` */
  constructor(
    private readonly ledger: Ledger,
    private readonly store: Store,
    /** The index of changes by row. */
    readonly changes: RowChanges,
    /** Undefined: keep everything. */
    private readonly keeping: Keeping | undefined,
    private readonly refused: (refusal: NoRoomError) => void = () => {},
  ) {
    this.#stateFrom = this.#readStateFrom();
  }

  /**
   * Passes all changes since the last commit to the store. The genesis has no pre-images: there is no rollback beyond
   * it.
   *
   * @param history rows of the history index: written with the block, but not a part of the state
   */
  commit(from: number, history: readonly HistoryEndpoint[] = []): Commit {
    const { state, headNumber: to } = this.ledger;
    const step = from === to ? operationsAfter(this.ledger, to) : 0;
    tallyChanges(state);
    const rows = state.journal.seal();
    const commit: Commit = { from, to, step, images: preImagesOf(rows), historyKeys: history.map(({ key }) => key) };
    const writes = rowWrites(rows);
    for (const row of history) writes.push(row);
    const isGenesis = to === this.ledger.config.beginsAt && step === 0;
    if (!isGenesis && this.keepsPast) {
      const key = preImageKey(to, step);
      writes.push({ key, value: commitBytes(commit, this.#written.before(commit.images)) });
      this.#written.keep(rows, writes);
      this.#recent.set(key, commit);
      this.#forget(to, writes);
      const oldest = endOfHeight(this.stateFrom);
      const place = changePlace(to, step);
      for (const { table, key: row } of commit.images) {
        const { prefix, bornAt } = TABLES[table] as TableSpec<unknown>;
        if (bornAt === undefined) this.changes.add(prefix, row, place, oldest, writes);
      }
    }
    if (!isGenesis && !this.keepsPast) this.#newest = new NewestChange(from, changePlace(to, step), commit.images);
    this.write(writes, isGenesis ? undefined : commit.images);
    state.trim();
    return commit;
  }

  /** The oldest block whose state is readable, and the limit of rollback. */
  get stateFrom(): number {
    return this.keepsPast ? this.#stateFrom : (this.#newest?.from ?? this.ledger.headNumber);
  }

  /** The values before the newest commit, if older ones are not kept. */
  get newest(): NewestChange | undefined {
    return this.#newest;
  }

  /** Whether past states are readable and rollback is possible, as far as `keeping` says. */
  get keepsPast(): boolean {
    return this.store.keptBlocks === undefined;
  }

  #readStateFrom(): number {
    const stored = this.store.get(STATE_FROM_KEY);
    return stored === undefined ? this.ledger.config.beginsAt : Number(Buffer.from(stored).toString('latin1'));
  }

  /** @throws PastStateError for a height whose state is not kept */
  requireState(height: number): void {
    const { stateFrom } = this;
    if (height < stateFrom) throw new PastStateError(height, stateFrom, this.ledger.config.beginsAt);
  }

  /** Deletes pre-images beyond the retention. */
  #forget(head: number, writes: StoreWrite[]): void {
    if (this.keeping === undefined) return;
    const target = Math.min(head - this.keeping.blocks, this.keeping.needed());
    const { ledger, stateFrom } = this;
    let from = stateFrom;
    for (let left = FORGOTTEN_AT_ONCE; from < target && left > 0; left--) {
      const next = emptyRunEnd(ledger, from + 1);
      if (next > target) break;
      for (let step = operationsAfter(ledger, from); step > 0; step--)
        writes.push({ key: preImageKey(from, step), value: undefined });
      writes.push({ key: preImageKey(next), value: undefined });
      from = next;
    }
    if (from === stateFrom) return;
    this.#stateFrom = from;
    writes.push({ key: STATE_FROM_KEY, value: Buffer.from(String(from), 'latin1') });
  }

  /**
   * Deletes all commits for a reset, with the commit of the genesis, which comes next: a store that refuses that batch has
   * the chain of before.
   *
   * @param rows the keys of all rows of the store
   */
  startOver(rows: readonly string[]): void {
    this.#recent.clear();
    this.#written.clear();
    this.#forgetAsked();
    const undo = [this.ledger.state.startOver(), this.changes.startOver()];
    this.#stateFrom = this.ledger.config.beginsAt;
    this.#undoWithNext = () => {
      this.#written.clear();
      for (const bringBack of undo) bringBack();
    };
    this.store.deleteWithNext(rows);
  }

  /**
   * The commits from the head down to the first block above `height`, and the operations after block `height` beyond
   * the first `steps`. The newest are in memory; the others are read.
   */
  *down(height = -1, steps = Number.POSITIVE_INFINITY): Iterable<Commit> {
    if (!this.keepsPast) return;
    for (let to = this.ledger.headNumber; to >= height; ) {
      const kept = to === height ? steps : 0;
      for (let step = operationsAfter(this.ledger, to); step > kept; step--) yield this.#read(to, step);
      if (to <= height || to <= this.stateFrom) return;
      const commit = this.#read(to, 0);
      yield commit;
      to = commit.from;
    }
  }

  /** The commits up to a height that changed a row, in descending order, with the value before each. */
  *changesOf<Value>(
    spec: TableSpec<Value>,
    key: string,
    height: number,
  ): Iterable<{ readonly number: number; readonly before: Value | undefined }> {
    const row = spec.prefix + key;
    for (const place of this.changes.downFrom(row, endOfHeight(height))) {
      const number = heightOfPlace(place);
      this.requireState(number - 1);
      yield { number, before: this.rowBefore(place, spec, key) };
    }
    if (this.changes.isCut(row)) this.requireState(this.ledger.config.beginsAt);
  }

  /** The value of a row after the commit at `place`, without a view of the whole state. @throws PastStateError */
  rowAfter<Value>(place: ChangePlace, spec: TableSpec<Value>, key: string): Value | undefined {
    this.requireState(heightOfPlace(place));
    const next = this.changes.firstAfter(spec.prefix + key, place);
    if (next !== undefined) return this.rowBefore(next, spec, key);
    return this.ledger.state.readSealed<Value>(spec.name as keyof typeof TABLES, key);
  }

  /** The value of a row before the commit at `place`, which changed it. */
  rowBefore<Value>(place: ChangePlace, spec: TableSpec<Value>, key: string): Value | undefined {
    const preImages = this.#asked.get(place) ?? this.#preImagesAt(place);
    this.#asked.delete(place);
    this.#asked.set(place, preImages);
    return preImages.before(spec, key);
  }

  #preImagesAt(place: ChangePlace): StoredPreImages {
    const bytes = this.#stored(heightOfPlace(place), stepOfPlace(place)).subarray(HEAD_BYTES);
    const preImages = new StoredPreImages(bytes);
    this.#askedBytes += preImages.size;
    for (const [oldest, { size }] of this.#asked) {
      if (this.#askedBytes <= KEPT_BYTES) break;
      this.#asked.delete(oldest);
      this.#askedBytes -= size;
    }
    return preImages;
  }

  /**
   * Keys of a table that blocks above `height` and pending transactions have written, in the order of the first write:
   * java-tron's order when it scans its open layers.
   */
  keysWrittenSince(height: number, table: keyof typeof TABLES): ReadonlySet<string> {
    const keys = new Set<string>();
    for (const { images } of [...this.down(height)].reverse())
      for (const image of images) if (image.table === table) keys.add(image.key);
    const { state } = this.ledger;
    for (const key of state.journal.changedKeys(state.tables[table] as never)) keys.add(key);
    return keys;
  }

  /** Removes a commit in the caller's batch. @returns the write that deletes it */
  removal({ to, step }: Commit): StoreWrite {
    const key = preImageKey(to, step);
    this.#recent.delete(key);
    this.#forgetAsked();
    return { key, value: undefined };
  }

  /** Changes that the store accepts or refuses with the next batch. */
  writeWithNext(writes: readonly StoreWrite[], images: readonly PreImage[]): void {
    this.#undoWithNext = images;
    this.store.writeWithNext(writes);
  }

  /** @param images previous values; undefined for the genesis */
  write(writes: readonly StoreWrite[], images: readonly PreImage[] | undefined): void {
    const batches = this.#unaccepted;
    const undo = together(this.#undoWithNext, images);
    this.#undoWithNext = undefined;
    if (undo !== undefined) batches.push(undo);
    this.#underWay++;
    this.#durable = this.store.write(writes).then(
      () => {
        this.#underWay--;
        if (undo !== undefined) batches.shift();
      },
      (error: unknown) => {
        this.#underWay--;
        // Later batches are refused with it, and are already rolled back.
        if (undo === undefined || (batches === this.#unaccepted && batches.length > 0)) this.#refuse(error);
      },
    );
  }

  /**
   * Resolves when the store has accepted everything so far: only then clients learn of it.
   *
   * @param refusals their number when the work began; by default now
   * @throws NoRoomError if the store has refused a part of it since: that part has not happened
   */
  async durable(refusals = this.#refusals): Promise<void> {
    await this.#durable;
    this.checkWhole();
    this.checkNothingRefused(refusals);
  }

  /** @throws NoRoomError if a part of the work that began with so many refusals is gone */
  checkNothingRefused(refusals: number): void {
    if (this.#refusals !== refusals) throw this.#refusal ?? new NoRoomError({});
  }

  /** Whether {@link durable} would return at once. */
  isDurable(refusals: number): boolean {
    return this.#underWay === 0 && this.store.damage === undefined && this.#refusals === refusals;
  }

  /** How often the store has refused a batch. */
  get refusals(): number {
    return this.#refusals;
  }

  /** @throws DamagedStoreError if the store is damaged: nothing may be derived from it */
  checkWhole(): void {
    if (this.store.damage !== undefined) throw this.store.damage;
  }

  /** False while the disk is full. */
  get isAccepting(): boolean {
    return this.#refusal === undefined;
  }

  /** @throws NoRoomError, DamagedStoreError if nothing can be written now */
  checkWritable(): void {
    this.checkWhole();
    if (this.#refusal !== undefined) throw this.#refusal;
  }

  /** Ends all writing without further attempts: the directory of the store is gone. */
  endWriting(cause: Error): void {
    this.#refusal = new NoRoomError({ cause });
  }

  /** Whether the store accepts batches again. Call it when there may be space. */
  async retry(): Promise<boolean> {
    if (this.#refusal === undefined) return true;
    if (!((await this.store.retry?.()) ?? true)) return false;
    this.#refusal = undefined;
    for (const goOn of this.#waiting.splice(0)) goOn();
    return true;
  }

  /** Resolves when the store accepts batches again: somebody has to {@link retry}. */
  accepting(): Promise<void> {
    if (this.isAccepting) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /**
   * Restores the rows that the store holds. The pool must be empty.
   *
   * @returns the transactions of the removed blocks, in order
   */
  revertUnaccepted(): readonly StoredTransaction[] {
    const { state } = this.ledger;
    const lost: StoredTransaction[] = [];
    for (const undo of this.#unaccepted) {
      if (typeof undo === 'function') continue;
      for (const { table, key, before } of undo) {
        const stored =
          table === 'transactions' && before === undefined ? state.tables.transactions.get(key as TxId) : undefined;
        if (stored !== undefined) lost.push(stored);
      }
    }
    for (const undo of this.#unaccepted.toReversed())
      if (typeof undo === 'function') undo();
      else restorePreImages(state, undo);
    this.#unaccepted = [];
    this.#recent.clear();
    this.#forgetAsked();
    this.changes.forgetUnwritten();
    this.store.forgetRefused?.();
    state.fetchedLost();
    state.snapshotReverted();
    this.#stateFrom = this.#readStateFrom();
    return lost;
  }

  #refuse(cause: unknown): void {
    this.#refusals++;
    this.#refusal = new NoRoomError({ cause });
    if (this.#unaccepted.length > 0) this.#takeBack(this.#refusal);
  }

  #takeBack(refusal: NoRoomError): void {
    try {
      this.refused(refusal);
    } catch (error) {
      // What was refused cannot be taken back: the damage ends the node.
      if (this.store.damage === undefined) throw error;
    }
  }

  /**
   * The disk has refused what is no commit: rows that a fork has fetched, or the file of a kept chain. The chain waits as
   * for a commit, and nothing is accepted meanwhile.
   */
  diskRefused(cause: unknown): void {
    // Commits that are under way are refused as well, and are reverted with their own refusal.
    if (this.#refusal !== undefined || this.#unaccepted.length > 0 || this.store.damage !== undefined) return;
    this.#refusal = new NoRoomError({ cause });
    this.#takeBack(this.#refusal);
  }

  /** Resolves when the store has answered all batches. */
  settled(): Promise<void> {
    return this.#durable;
  }

  #forgetAsked(): void {
    this.#asked.clear();
    this.#askedBytes = 0;
  }

  #read(to: number, step: number): Commit {
    const recent = this.#recent.get(preImageKey(to, step));
    return recent ?? decodeCommit(to, step, this.#stored(to, step));
  }

  #stored(to: number, step: number): Uint8Array {
    const bytes = this.store.get(preImageKey(to, step));
    if (bytes === undefined) throw new Error(`no pre-images for block ${to}${step === 0 ? '' : `, operation ${step}`}`);
    return bytes;
  }
}

/** The length of a commit's start height, which precedes its pre-images. */
const HEAD_BYTES = 6;

function commitBytes({ from, images }: Commit, before: readonly (RowBytes | undefined)[]): LazyBytes {
  return new LazyBytes(() => {
    const head = Buffer.alloc(HEAD_BYTES);
    head.writeUIntBE(from, 0, HEAD_BYTES);
    return Buffer.concat([head, encodePreImages(images, before)]);
  });
}

function decodeCommit(to: number, step: number, bytes: Uint8Array): Commit {
  const from = Buffer.from(bytes.buffer, bytes.byteOffset, HEAD_BYTES).readUIntBE(0, HEAD_BYTES);
  return { from, to, step, images: decodePreImages(bytes.subarray(HEAD_BYTES)) };
}
