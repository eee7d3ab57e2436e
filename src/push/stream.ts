/** One client of `/sunup/events`: reads blocks at the client's speed, one at a time. */

import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Node } from '../node/node.js';
import { callerOf, turn } from '../platform/turns.js';
import type { BlockId, TxId } from '../primitives/ids.js';
import { type BlockOutline, getBlockNumberById, getBlockOutline, getBlockRows } from '../wallet/blocks.js';
import { fullContext } from '../wallet/context.js';
import type { EventName } from './event-names.js';
import { blockText, removedText, transactionText } from './events.js';

/** Source of a stream. */
export interface StreamSource {
  readonly node: Node;
  /** Events may be sent up to this block. */
  readonly readable: number;
  failed(error: unknown): void;
}

export interface StreamRequest {
  readonly events: ReadonlySet<EventName>;
  /** The last block that the client knows. */
  readonly after: number;
  /** The newest block of the client if it knows another chain. */
  readonly gone?: number;
}

/** Maximum unread events that are on no chain and cannot be read again. A client with more is disconnected. */
const MAX_QUEUED_EVENTS = 1_000;
/** Reconnection time for a disconnected client. */
const RETRY_LINE = 'retry: 1000\n\n';

interface Removal {
  readonly from: number;
  readonly to: number;
  /** With this id the client comes back. If the block was removed, too, it then learns of it. */
  readonly left: BlockId | undefined;
}

export class Stream {
  readonly #events: ReadonlySet<EventName>;
  /** The last block sent to the client. */
  #at: number;
  /** Sent blocks that were rolled back. */
  #removed: Removal | undefined;
  #queued: string[] = [];
  #isGoing = false;
  #ended = false;
  readonly #end = new AbortController();
  /** Not `writableNeedDrain`, which stays true for a reader in this process. */
  #isUnread = false;
  #wasUnread = false;
  #sentBefore = 0;
  /** Events so far. */
  #written = 0;

  constructor(
    private readonly from: StreamSource,
    private readonly response: ServerResponse,
    { events, after, gone }: StreamRequest,
  ) {
    this.#events = events;
    this.#at = after;
    if (gone !== undefined) this.#removed = { from: 0, to: gone, left: undefined };
    response.write(RETRY_LINE);
  }

  /** Sends all available events. */
  sendAvailable(): void {
    if (this.#isGoing || this.#ended) return;
    this.#isGoing = true;
    this.#tellAll()
      .catch((error: unknown) => {
        if (!this.#ended) this.from.failed(error);
        this.end();
      })
      .finally(() => {
        this.#isGoing = false;
        // Events that arrived while the last one was sent.
        if (this.#hasMore) this.sendAvailable();
      });
  }

  /** Events outside of blocks. */
  say(event: EventName, text: string): void {
    if (this.#ended || !this.#events.has(event)) return;
    this.#queued.push(text);
    if (this.#queued.length > MAX_QUEUED_EVENTS) this.end();
    else this.sendAvailable();
  }

  /**
   * Blocks from `first` on were removed.
   *
   * @param left the id of the block below, as the client knows it
   */
  removeFrom(first: number, left: BlockId | undefined): void {
    if (this.#at < first) return;
    // A large rollback comes in steps; a client that is busy with another block gets all of them at once.
    this.#removed = { from: first, to: this.#removed?.to ?? this.#at, left };
    this.#at = first - 1;
    this.sendAvailable();
  }

  /** Sends a heartbeat. A client that has read nothing since the last one is disconnected. */
  check(): void {
    // A reader in this process has no socket. An event is written only after the ones before it have left.
    const sent = (this.response.socket?.bytesWritten ?? 0) + this.#written;
    if (this.#isUnread && this.#wasUnread && sent === this.#sentBefore) this.response.destroy();
    else if (!this.#isUnread) this.#put(':\n\n');
    this.#wasUnread = this.#isUnread;
    this.#sentBefore = sent;
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#end.abort();
    this.response.end();
  }

  get #hasMore(): boolean {
    return !this.#ended && (this.#removed !== undefined || this.#queued.length > 0 || this.#at < this.from.readable);
  }

  async #tellAll(): Promise<void> {
    while (this.#hasMore) {
      if (this.#removed !== undefined) await this.#tellRemoved(this.#removed);
      else if (this.#queued.length > 0) await this.#write(this.#queued.shift() as string);
      else await this.#tellNext();
      await this.#turn();
    }
  }

  async #tellRemoved({ from, to, left }: Removal): Promise<void> {
    this.#removed = undefined;
    if (this.#events.has('removed')) await this.#write(removedText(from, to, left));
  }

  async #tellNext(): Promise<void> {
    const { node } = this.from;
    const [row] = getBlockRows(fullContext(node), this.#at + 1, this.from.readable);
    const last = row && getBlockOutline(fullContext(node), this.#at + row.count);
    if (row === undefined || last === undefined) throw new Error(`block ${this.#at + 1} may be read and is not there`);
    this.#at = last.number;
    // Those of the genesis block have no receipts, and so no events.
    const told = this.#events.has('transaction') && last.number > 0 ? last.transactionIds : [];
    if (this.#events.has('block')) await this.#write(blockText(last, row.count, told.length === 0));
    for (const [at, txId] of told.entries()) {
      const text = await this.#textOf(last, txId, at === told.length - 1 ? last.id : undefined);
      if (text !== undefined) await this.#write(text);
      await this.#turn();
    }
  }

  /** A rollback that the store refuses brings the block back, whose transactions could not be read meanwhile. */
  async #textOf({ number, id }: BlockOutline, txId: TxId, place: BlockId | undefined): Promise<string | undefined> {
    const { node } = this.from;
    for (;;) {
      const text = await transactionText(node, txId, place);
      if (text !== undefined || this.#ended || this.#at < number) return text;
      if (getBlockNumberById(fullContext(node), id) !== undefined) return transactionText(node, txId, place);
      // The store decides: either the removal is told, or the block is there again.
      await node.chain.durable().catch(() => {});
      await new Promise(setImmediate);
    }
  }

  #turn(): Promise<void> | undefined {
    return turn(callerOf(this.response));
  }

  async #write(text: string): Promise<void> {
    if (this.#ended) return;
    this.#written++;
    if (!this.#put(text)) await once(this.response, 'drain', { signal: this.#end.signal });
  }

  /** @returns whether the client has room for more */
  #put(text: string): boolean {
    if (this.response.write(text)) return true;
    if (!this.#isUnread) {
      this.#isUnread = true;
      this.response.once('drain', () => {
        this.#isUnread = false;
      });
    }
    return false;
  }
}
