/**
 * A store in memory that forgets what no rule can read any more, so that memory does not grow with the length of a
 * run. It keeps the state, the ids of transactions until they expire, and the ids of blocks that transactions may
 * refer to. It keeps no history, because nothing is rolled back. The only older height that is read is the one before
 * the newest block (`assumptions.ts`).
 */

import type { BlockId } from '../../primitives/ids.js';
import { BlockHeader, Transaction } from '../../protocol/generated/tron.js';
import { MemoryStore } from '../../state/memory-store.js';
import { bytesOf, type RowBytes, type Store, type StoreRow, type StoreWrite } from '../../state/store.js';
import { TABLES } from '../../state/tables.js';

const { transactions, blocks, operations, operationCounts, emptyRuns, longs } = TABLES;
const HEAD_TIME = `${longs.prefix}latest_block_header_timestamp`;
/** Runs of empty blocks are resident. They are only read when a store is opened, and this one never is reopened. */
const NOT_ASKED_FOR = [operations.prefix, emptyRuns.prefix];
const NOTHING = new Uint8Array();
/** Of an old transaction only its existence is read. */
const WAS_SENT = transactions.encode({ blockNumber: 0, index: 0, transaction: NOTHING, info: NOTHING, charges: '' });

export class RecentStore implements Store {
  readonly keptBlocks = REFERRED_BLOCKS;
  readonly #state = new MemoryStore();
  readonly #sent = new SentTransactions();
  readonly #ids = new RecentBlockIds();
  /** The first block of the chain; on a fork, time counts from it. */
  #first: StoreWrite | undefined;
  /** The newest block outside runs of empty blocks: constant calls read its header. */
  #newest: StoreWrite | undefined;
  /** The transactions of that block, by their keys. */
  #newestTransactions: ReadonlyMap<string, RowBytes> = new Map();
  /** Keys of the number of operations after the head. */
  #counts: readonly string[] = [];

  get(key: string): Uint8Array | undefined {
    if (key.startsWith(transactions.prefix)) {
      const newest = this.#newestTransactions.get(key);
      if (newest !== undefined) return bytesOf(newest);
      return this.#sent.has(key) ? WAS_SENT : undefined;
    }
    if (!key.startsWith(blocks.prefix)) return this.#state.get(key);
    for (const block of [this.#newest, this.#first]) if (block?.key === key) return bytesOf(block.value as RowBytes);
    const id = this.#ids.get(blockNumber(key));
    return id && blocks.encode({ id, header: BlockHeader.empty, transactionIds: [], logIndex: NOTHING });
  }

  writeWithNext(batch: readonly StoreWrite[]): void {
    void this.write(batch);
  }

  deleteWithNext(keys: readonly string[]): void {
    this.#state.deleteWithNext(keys);
  }

  async write(batch: readonly StoreWrite[]): Promise<void> {
    const kept: StoreWrite[] = [];
    const counts: string[] = [];
    const sent = new Map<string, RowBytes>();
    for (const write of batch) {
      const { key, value } = write;
      if (value === undefined) kept.push(write);
      else if (key.startsWith(transactions.prefix)) {
        this.#sent.add(key, expirationOf(bytesOf(value)));
        sent.set(key, value);
      } else if (key.startsWith(blocks.prefix)) {
        this.#first ??= write;
        this.#newestTransactions = sent;
        this.#ids.add(blockNumber(key), blocks.decode(bytesOf(value)).id);
        this.#newest = write;
      } else if (!NOT_ASKED_FOR.some((prefix) => key.startsWith(prefix))) {
        kept.push(write);
        if (key === HEAD_TIME) this.#sent.forgetExpired(longs.decode(bytesOf(value)));
        else if (key.startsWith(operationCounts.prefix)) counts.push(key);
      }
    }
    // The number of operations after a block is read only while the block is the head.
    for (const key of this.#counts) if (!counts.includes(key)) kept.push({ key, value: undefined });
    this.#counts = counts;
    await this.#state.write(kept);
  }

  rows(prefix: string, options?: { reverse?: boolean; from?: string; limit?: number }): AsyncIterable<StoreRow> {
    return this.#state.rows(prefix, options);
  }

  close(): Promise<void> {
    return this.#state.close();
  }
}

const MINUTE_MS = 60_000n;

/** Transactions that are refused as duplicates, because they have not expired yet. */
class SentTransactions {
  readonly #all = new Set<string>();
  /** By minute of expiration. Most transactions expire after one minute, none later than a day. */
  readonly #minutes = new Map<bigint, string[]>();

  has(key: string): boolean {
    return this.#all.has(key);
  }

  add(key: string, expirationMs: bigint): void {
    this.#all.add(key);
    const minute = expirationMs / MINUTE_MS;
    const keys = this.#minutes.get(minute);
    if (keys === undefined) this.#minutes.set(minute, [key]);
    else keys.push(key);
  }

  forgetExpired(nowMs: bigint): void {
    for (const [minute, keys] of this.#minutes) {
      if ((minute + 1n) * MINUTE_MS > nowMs) continue;
      for (const key of keys) this.#all.delete(key);
      this.#minutes.delete(minute);
    }
  }
}

function expirationOf(row: Uint8Array): bigint {
  return Transaction.decode(transactions.decode(row).transaction).raw_data?.expiration ?? 0n;
}

/** Transactions refer to one of the last 65,536 blocks; contracts read fewer ids. */
const REFERRED_BLOCKS = 65_536;
const BLOCKS_PER_PAGE = 4_096;
const ID_BYTES = 32;

class RecentBlockIds {
  readonly #pages = new Map<number, Buffer>();

  get(number: number): BlockId | undefined {
    const at = (number % BLOCKS_PER_PAGE) * ID_BYTES;
    const id = this.#pages.get(Math.floor(number / BLOCKS_PER_PAGE))?.subarray(at, at + ID_BYTES);
    // No block id is all zeros.
    return id?.some((byte) => byte !== 0) ? (id.toString('hex') as BlockId) : undefined;
  }

  add(number: number, id: BlockId): void {
    const page = Math.floor(number / BLOCKS_PER_PAGE);
    if (!this.#pages.has(page)) {
      const oldest = Math.floor((number - REFERRED_BLOCKS) / BLOCKS_PER_PAGE);
      for (const old of this.#pages.keys()) if (old < oldest) this.#pages.delete(old);
      this.#pages.set(page, Buffer.alloc(BLOCKS_PER_PAGE * ID_BYTES));
    }
    this.#pages.get(page)?.write(id, (number % BLOCKS_PER_PAGE) * ID_BYTES, 'hex');
  }
}

function blockNumber(key: string): number {
  return Number.parseInt(key.slice(blocks.prefix.length), 16);
}
