/**
 * A store in memory that forgets what no rule can ask for any more, so that a long run takes no more memory than a short
 * one: values from before (nothing goes back), receipts, transactions that could not be sent again anyway, and of old
 * blocks all but what transactions may refer to. The state itself is kept.
 */

import { Transaction } from '../protocol/generated/tron.js';
import { MemoryStore } from '../state/memory-store.js';
import { CHANGES_PREFIX } from '../state/row-changes.js';
import { bytesOf, type Store, type StoreRow, type StoreWrite } from '../state/store.js';
import { numberKey, TABLES } from '../state/tables.js';

const { transactions, blocks, operations, operationCounts, longs } = TABLES;
const HEAD_TIME = `${longs.prefix}latest_block_header_timestamp`;
const NOT_ASKED_FOR = ['pre:', CHANGES_PREFIX, operations.prefix];
/** Transactions refer to one of so many blocks; contracts ask for the ids of fewer. */
const REFERRED_BLOCKS = 65_536 + 256;
/** A look at a transaction costs a microsecond; most of them last a minute. */
const BLOCKS_BETWEEN_LOOKS = 32;

interface Sent {
  readonly block: number;
  readonly keys: readonly string[];
}

export class RecentStore implements Store {
  readonly #rows = new MemoryStore();
  /** Of each block, the oldest first: transactions that may still have to be known. */
  readonly #waiting: Sent[] = [];
  #lastForgotten = 0;

  get(key: string): Uint8Array | undefined {
    return this.#rows.get(key);
  }

  async write(batch: readonly StoreWrite[]): Promise<void> {
    const kept: StoreWrite[] = [];
    const sent: string[] = [];
    let block: number | undefined;
    let nowMs: bigint | undefined;
    for (const write of batch) {
      const { key, value } = write;
      if (NOT_ASKED_FOR.some((prefix) => key.startsWith(prefix))) continue;
      if (key.startsWith(transactions.prefix)) sent.push(key);
      else if (key.startsWith(blocks.prefix)) block = Number.parseInt(key.slice(blocks.prefix.length), 16);
      else if (key === HEAD_TIME && value !== undefined) nowMs = longs.decode(bytesOf(value));
      kept.push(write);
    }
    if (block !== undefined) {
      if (sent.length > 0) this.#waiting.push({ block, keys: sent });
      this.#forget(block, nowMs ?? 0n, kept);
    }
    await this.#rows.write(kept);
  }

  rows(prefix: string, options?: { reverse?: boolean; from?: string; limit?: number }): AsyncIterable<StoreRow> {
    return this.#rows.rows(prefix, options);
  }

  close(): Promise<void> {
    return this.#rows.close();
  }

  /** @param writes is added to */
  #forget(head: number, nowMs: bigint, writes: StoreWrite[]): void {
    while ((this.#waiting[0]?.block ?? head) <= head - BLOCKS_BETWEEN_LOOKS) {
      const { block, keys } = this.#waiting.shift() as Sent;
      const lasting = keys.filter((key) => {
        const isOver = this.#isOver(key, nowMs);
        if (isOver) writes.push({ key, value: undefined });
        return !isOver;
      });
      if (lasting.length > 0) this.#waiting.push({ block: head, keys: lasting });
      else this.#withoutTransactions(block, writes);
    }
    for (; this.#lastForgotten < head - REFERRED_BLOCKS; this.#lastForgotten++) {
      const number = numberKey(this.#lastForgotten + 1);
      writes.push({ key: blocks.prefix + number, value: undefined });
      writes.push({ key: operationCounts.prefix + number, value: undefined });
    }
  }

  /** Whether a transaction has expired, and would be refused for that. */
  #isOver(key: string, nowMs: bigint): boolean {
    const row = this.#rows.get(key);
    if (row === undefined) return true;
    const { expiration = 0n } = Transaction.decode(transactions.decode(row).transaction).raw_data ?? {};
    return expiration <= nowMs;
  }

  #withoutTransactions(block: number, writes: StoreWrite[]): void {
    const key = blocks.prefix + numberKey(block);
    const row = this.#rows.get(key);
    if (row === undefined) return;
    const { id, header } = blocks.decode(row);
    const bare = { id, header, transactionIds: [], logFilter: new Uint8Array() };
    writes.push({ key, value: blocks.encode(bare) });
  }
}
