/**
 * Blocks of the network below a fork's first one, with transactions and receipts: fetched on read, and cached. No row
 * of a state depends on them, so they are not rows: dropped ones are fetched again.
 */

import pLimit from 'p-limit';
import type { Hex } from '../../primitives/hex.js';
import type { BlockId, TxId } from '../../primitives/ids.js';
import type { BlockHeader } from '../../protocol/generated/tron.js';
import { MissingRow } from '../missing-row.js';
import type { WantedRow } from '../remote-rows.js';
import { numberKey, type StoredTransaction } from '../tables.js';
import { type CallerDeadline, Turns } from './turns.js';

export interface EarlierBlock {
  readonly number: number;
  readonly id: BlockId;
  readonly header: BlockHeader;
  readonly transactions: readonly EarlierTransaction[];
}

export interface EarlierTransaction {
  readonly txId: TxId;
  /** `protocol.Transaction` as in the block. */
  readonly transaction: Uint8Array;
  /** `protocol.TransactionInfo`; empty if it has none. */
  readonly info: Uint8Array;
}

/** The source of these blocks. */
export interface RemoteBlocks {
  /** @returns undefined without a network connection @throws Error with the remote, the block and advice */
  block(number: number): Promise<EarlierBlock | undefined>;
  /** The block of a transaction; undefined if no block contains it. @throws Error */
  blockOf(txId: TxId): Promise<number | undefined>;
  /** Logs in a range of blocks that match criteria, in order; none without a network connection. @throws Error */
  logs(query: EarlierLogQuery): Promise<readonly EarlierLog[]>;
  /**
   * A page of a list of `/v1`.
   *
   * @param question path and query
   * @returns undefined if the node has no `/v1`, or without a network connection @throws Error
   */
  history(question: string): Promise<HistoryPage | undefined>;
}

export interface EarlierLogQuery {
  readonly from: number;
  readonly to: number;
  /** Of one of these contracts, 20 bytes each; none: of any. */
  readonly addresses: readonly Hex[];
  /** At each position one of these; none: any. */
  readonly topics: readonly (readonly Hex[])[];
}

export interface EarlierLog {
  /** 20 bytes. */
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  readonly blockNumber: number;
  readonly blockId: BlockId;
  readonly blockTimestampMs: bigint;
  readonly txId: TxId;
  /** The transaction's Ethereum hash, if it came through `/eth`. */
  readonly ethereumHash?: Hex | undefined;
  readonly transactionIndex: number;
  /** Index within the whole block. */
  readonly logIndex: number;
}

export interface HistoryPage {
  /** As answered. */
  readonly data: readonly unknown[];
  /** Cursor of the next page. */
  readonly fingerprint: string | undefined;
}

/** Limit of the cache in bytes, except for the newest answer. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_IDS = 20_000;
/** Limit of cached logs, except for the newest answer: a node returns at most ten thousand. */
const MAX_LOGS = 40_000;
const MAX_QUERIES = 100;
/** Blocks of one range, so that others get their turn. */
const BLOCKS_AT_ONCE = 4;
/** Cost of a block, in rows. */
const ROWS_OF_A_BLOCK = 10;

export class EarlierBlocks {
  /** Number of reads, to detect use of the network's blocks. */
  reads = 0;
  /** In the order of the last read. */
  readonly #blocks = new Map<number, { readonly block: EarlierBlock | undefined; readonly bytes: number }>();
  #bytes = 0;
  readonly #logs = new Map<string, readonly EarlierLog[]>();
  #logsHeld = 0;
  readonly #turns: Turns;
  readonly #blockOf = new Map<TxId, number | undefined>();

  constructor(
    private readonly remote: RemoteBlocks,
    /** The block before the fork's first one. */
    readonly last: number,
    deadline?: CallerDeadline,
  ) {
    this.#turns = new Turns(deadline);
  }

  has(number: number): boolean {
    return number >= 0 && number <= this.last;
  }

  /** @throws MissingRow */
  block(number: number): EarlierBlock | undefined {
    if (!this.has(number)) return undefined;
    this.reads++;
    const known = this.#blocks.get(number);
    if (known === undefined) throw this.#missing([number]);
    this.#blocks.delete(number);
    this.#blocks.set(number, known);
    return known.block;
  }

  /** Fetches all blocks of a range together, so that they are not missed one by one. @throws MissingRow */
  require(first: number, last: number): void {
    const unknown: number[] = [];
    for (let number = Math.max(0, first); number <= Math.min(last, this.last); number++)
      if (!this.#blocks.has(number)) unknown.push(number);
    if (unknown.length > 0) throw this.#missing(unknown);
  }

  /** @throws MissingRow */
  transaction(txId: TxId): StoredTransaction | undefined {
    // Clients ask for anything; an invalid id needs no request.
    if (!/^[0-9a-f]{64}$/.test(txId)) return undefined;
    if (!this.#blockOf.has(txId))
      throw new MissingRow([{ table: 'transactions', key: txId }], (wanted) =>
        this.#turns.take(wanted, 1, async () => {
          if (!this.#blockOf.has(txId)) this.#know(txId, await this.remote.blockOf(txId));
        }),
      );
    const number = this.#blockOf.get(txId);
    const block = number === undefined ? undefined : this.block(number);
    const index = block?.transactions.findIndex((one) => one.txId === txId) ?? -1;
    const found = block?.transactions[index];
    if (block === undefined || found === undefined) return undefined;
    return { blockNumber: block.number, index, transaction: found.transaction, info: found.info, charges: '[]' };
  }

  /** The network's part of the range. @throws MissingRow */
  logs({ from, to, addresses, topics }: EarlierLogQuery): readonly EarlierLog[] {
    const query = { from: Math.max(0, from), to: Math.min(to, this.last), addresses, topics };
    if (query.from > query.to) return [];
    this.reads++;
    const key = JSON.stringify(query);
    const known = this.#logs.get(key);
    if (known !== undefined) return known;
    throw new MissingRow([{ table: 'blocks', key: numberKey(query.from) }], (wanted) =>
      this.#turns.take(wanted, 1, async () => {
        if (!this.#logs.has(key)) this.#keepLogs(key, await this.remote.logs(query));
      }),
    );
  }

  /** As {@link RemoteBlocks.history}; pages are not cached, because they change. */
  history(question: string): Promise<HistoryPage | undefined> {
    return this.#turns.take('its history', 1, () => this.remote.history(question));
  }

  #keepLogs(key: string, logs: readonly EarlierLog[]): void {
    if (this.#logs.size >= MAX_QUERIES || this.#logsHeld + logs.length > MAX_LOGS) {
      this.#logs.clear();
      this.#logsHeld = 0;
    }
    this.#logs.set(key, logs);
    this.#logsHeld += logs.length;
  }

  #know(txId: TxId, number: number | undefined): void {
    if (this.#blockOf.size >= MAX_IDS) this.#blockOf.clear();
    // Later blocks of the network are not part of this chain.
    this.#blockOf.set(txId, number !== undefined && this.has(number) ? number : undefined);
  }

  #missing(numbers: readonly number[]): MissingRow {
    const [first, ...others] = numbers.map((number): WantedRow => ({ table: 'blocks', key: numberKey(number) }));
    return new MissingRow([first as WantedRow, ...others], (wanted) =>
      this.#turns.take(wanted, numbers.length * ROWS_OF_A_BLOCK, () => this.#read(numbers)),
    );
  }

  async #read(numbers: readonly number[]): Promise<void> {
    // Others may have fetched some during the wait.
    const unknown = numbers.filter((number) => !this.#blocks.has(number));
    const limit = pLimit(BLOCKS_AT_ONCE);
    const blocks = await Promise.all(unknown.map((number) => limit(() => this.remote.block(number))));
    const kept = new Set(numbers);
    for (const [i, number] of unknown.entries()) this.#keep(number, blocks[i]);
    for (const [number, { bytes }] of this.#blocks) {
      if (this.#bytes <= MAX_BYTES) break;
      if (kept.has(number)) continue;
      this.#blocks.delete(number);
      this.#bytes -= bytes;
    }
  }

  #keep(number: number, block: EarlierBlock | undefined): void {
    this.#bytes -= this.#blocks.get(number)?.bytes ?? 0;
    let bytes = 1_000;
    for (const { transaction, info } of block?.transactions ?? []) bytes += 300 + transaction.length + info.length;
    this.#blocks.set(number, { block, bytes });
    this.#bytes += bytes;
    for (const { txId } of block?.transactions ?? []) this.#know(txId, number);
  }
}
