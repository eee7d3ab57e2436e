/** A reader of `/sunup/events`, which names removed blocks. It comes back with the id of the last event, as browsers do. */

import { blockIdAt } from '../../../../src/ledger/blocks/block-ids.js';
import { blockOutline } from '../../../../src/ledger/blocks/blocks.js';
import type { Ledger } from '../../../../src/ledger/ledger.js';
import { FollowedHeads } from './followed-chain.js';
import type { Hearing, Listener } from './listener.js';

type Open = (path: string, headers: Readonly<Record<string, string>>) => Promise<Response>;

interface BlockEvent {
  readonly number: number;
  readonly id: string;
  readonly parentId: string;
  readonly emptyBlocks?: number;
  readonly transactions: readonly string[];
}

/** What a `StreamedChain` reads. */
export const STREAMED = '/sunup/events?events=block,transaction,removed';

/** The chain as a reader of the stream knows it: of blocks made together only the last. */
export class StreamedChain {
  readonly #heads: FollowedHeads;
  readonly #transactions = new Map<number, string[]>();
  #text = '';
  /** Of the newest block: its id, and its transactions that are not told yet. */
  #telling: { readonly id: string; readonly due: string[] } | undefined;
  /** With which block a connection has begun, until its first event. */
  #resumesAt: number | undefined;
  /** Of the last event that has one. */
  lastId: string | undefined;

  /** @param heard called for each event @param forkedAt blocks up to this one are of a fork's network, and not told */
  constructor(
    head: number,
    private readonly heard: (event: string) => void = () => {},
    private readonly forkedAt = -1,
  ) {
    this.#heads = new FollowedHeads(head);
  }

  /** The newest block that it knows. */
  get head(): number {
    return this.#heads.head;
  }

  /** As it was told; undefined: it was not, or the block is gone. */
  idOf(number: number): string | undefined {
    return this.#heads.idOf(number);
  }

  newsAbove(height: number): (readonly [number, string])[] {
    return this.#heads.newsAbove(height);
  }

  /** A new connection begins with an event. What was told of a block in part is told again. */
  begin(): void {
    this.#text = '';
    this.#telling = undefined;
    if (this.lastId === undefined) return;
    // An id begins with the number of its block.
    this.#resumesAt = Number.parseInt(this.lastId.slice(0, 16), 16);
    this.#cut(this.#resumesAt);
  }

  /** @returns what is wrong with the events */
  read(text: string): string | undefined {
    this.#text += text;
    for (let end = this.#text.indexOf('\n\n'); end >= 0; end = this.#text.indexOf('\n\n')) {
      const lines = this.#text.slice(0, end).split('\n');
      this.#text = this.#text.slice(end + 2);
      const wrong = this.#event(lines);
      if (wrong !== undefined) return `the stream: ${wrong}`;
    }
    return undefined;
  }

  #event(lines: readonly string[]): string | undefined {
    const of = (field: string) => lines.find((line) => line.startsWith(`${field}: `))?.slice(field.length + 2);
    const name = of('event');
    if (name === undefined) return undefined;
    const data = of('data') ?? '{}';
    this.heard(`${name} ${data}`);
    const id = of('id');
    this.lastId = id ?? this.lastId;
    const resumesAt = this.#resumesAt;
    this.#resumesAt = undefined;
    if (name === 'transaction') return this.#transaction(JSON.parse(data).txid, id);
    return name === 'removed' ? this.#removed(JSON.parse(data), id, resumesAt) : this.#added(JSON.parse(data), id);
  }

  #cut(height: number): void {
    this.#heads.cut(height);
    for (const number of this.#transactions.keys()) if (number > height) this.#transactions.delete(number);
  }

  /** @param lastId of the block below, with which a reader comes back */
  #removed(
    { from, to }: { readonly from: number; readonly to: number },
    lastId: string | undefined,
    newest = this.#heads.head,
  ): string | undefined {
    const known = this.#heads.idOf(from - 1);
    if (lastId !== undefined && known !== undefined && lastId !== known)
      return `blocks from ${from} on are removed, and ${lastId} is left, not ${known}`;
    if (to !== newest) return `blocks up to ${to} are removed, and ${newest} was told`;
    this.#cut(from - 1);
    // A reader whose block is not known begins anew.
    if (from === 0) this.#heads.skip(this.forkedAt);
    // Those of a block that is gone need not be told.
    this.#telling = undefined;
    return undefined;
  }

  #added({ number, id, parentId, emptyBlocks = 1, transactions }: BlockEvent, lastId?: string): string | undefined {
    // Those of the genesis block are not told.
    const isOver = transactions.length === 0 || number === 0;
    if (lastId !== (isOver ? id : undefined))
      return `the event of block ${id} with ${transactions.length} transactions has the id ${lastId}`;
    const missing = this.#telling?.due ?? [];
    if (missing.length > 0) return `block ${id} is told before ${missing.join()} of ${this.#telling?.id}`;
    const before = number - emptyBlocks;
    if (before !== this.#heads.head)
      return `${emptyBlocks} blocks up to ${number} are told after block ${this.#heads.head}`;
    this.#telling = isOver ? undefined : { id, due: [...transactions] };
    this.#transactions.set(number, [...transactions]);
    return this.#heads.add(number, id, { parentId, blocks: emptyBlocks });
  }

  #transaction(txId: string, lastId: string | undefined): string | undefined {
    const { id, due } = this.#telling ?? { id: 'no block', due: [] };
    const at = due.indexOf(txId);
    if (at < 0) return `transaction ${txId} is told after ${id}, of which ${due.join()} is due`;
    // One is left out if its block is gone; a later one may be in the block that has come in its place.
    due.splice(at, 1);
    const isLast = this.#transactions.get(this.#heads.head)?.at(-1) === txId;
    if (lastId !== (isLast ? id : undefined)) return `transaction ${txId} of ${id} has the id ${lastId}`;
    return undefined;
  }

  /** @param idAt of the chain; undefined: no such block */
  difference(headNumber: number, idAt: (number: number) => string | undefined): string | undefined {
    if (this.head !== headNumber) return `the stream has told block ${this.head}, the head is ${headNumber}`;
    return this.#heads.difference(this.head, idAt);
  }

  /** Whether it was told all of this block, and nothing above. */
  knows(head: number, id: string): boolean {
    return this.head === head && this.idOf(head) === id && (this.#telling?.due.length ?? 0) === 0;
  }

  /** @param idsAt of a block's transactions */
  otherTransactions(idsAt: (number: number) => readonly string[] | undefined): string | undefined {
    const missing = this.#telling?.due ?? [];
    if (missing.length > 0) return `the stream has not told ${missing.join()} of ${this.#telling?.id}`;
    for (const [number, told] of this.#transactions)
      if (told.join() !== idsAt(number)?.join())
        return `the stream has told ${told.join()} of block ${number}, the chain has ${idsAt(number)?.join()}`;
    return undefined;
  }
}

/** A slow reader is given so many turns to catch up; so few if it may have nothing to read. */
const CATCH_UP_TURNS = 20_000;
const IDLE_TURNS = 200;

interface Reading {
  readonly headNow: () => number;
  readonly forkedAt: number | undefined;
  /** It reads only when somebody looks at what it was told: until then the node has to keep its place. */
  readonly isSlow?: boolean;
}

export class EventStreamListener implements Listener {
  #chain: StreamedChain;
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  /** Undefined: it reads. */
  #mayRead: Promise<void> | undefined;
  #read = () => {};

  constructor(
    private readonly open: Open,
    private readonly reading: Reading,
    private readonly hearing: Hearing,
  ) {
    this.#chain = this.#begun();
    if (reading.isSlow) this.#pause();
  }

  #begun(): StreamedChain {
    const { headNow, forkedAt } = this.reading;
    return new StreamedChain(headNow(), (event) => this.hearing.heard(event), forkedAt);
  }

  #pause(): void {
    this.#mayRead = new Promise((resolve) => {
      this.#read = () => {
        this.#mayRead = undefined;
        resolve();
      };
    });
  }

  async connect(): Promise<void> {
    const { lastId } = this.#chain;
    // Until it has an id, a browser begins anew, and knows of nothing that came between.
    if (lastId === undefined) this.#chain = this.#begun();
    const headers = lastId === undefined ? {} : { 'last-event-id': lastId };
    const { body } = await this.open(STREAMED, headers);
    if (body === null) return;
    this.#chain.begin();
    const reader = body.getReader();
    this.#reader = reader;
    this.#readAll(reader).catch((error: Error) => {
      if (this.#reader !== reader) return;
      this.#reader = undefined;
      // A node that is closed ends its streams, and those of readers who take nothing for half a minute.
      if (this.hearing.isServed() && !this.reading.isSlow) this.hearing.fail(`the stream was cut: ${error.message}`);
    });
  }

  async reconnect(meanwhile: () => Promise<unknown>): Promise<void> {
    if (this.#chain.lastId === undefined) return;
    const reader = this.#reader;
    this.#reader = undefined;
    void reader?.cancel();
    await meanwhile();
    if (this.hearing.isServed()) await this.connect();
  }

  async #readAll(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    for (;;) {
      if (this.#mayRead !== undefined) await this.#mayRead;
      const { done, value } = await reader.read();
      if (done && this.#reader === reader) this.#reader = undefined;
      if (done || this.#reader !== reader || !this.hearing.isServed()) return;
      const wrong = this.#chain.read(decoder.decode(value, { stream: true }));
      if (wrong !== undefined) this.hearing.fail(wrong);
    }
  }

  /** Reads all that is there. */
  async #catchUp({ headNumber, headId }: Ledger): Promise<void> {
    this.#read();
    for (let turns = 0; turns < CATCH_UP_TURNS && this.hearing.isServed(); turns++) {
      if (this.#reader === undefined) await this.connect();
      else if (this.#chain.knows(headNumber, headId)) break;
      // It was never told of the head: it began there.
      else if (turns >= IDLE_TURNS && this.#chain.head === headNumber && this.#chain.idOf(headNumber) === undefined)
        break;
      await new Promise(setImmediate);
    }
    this.#pause();
  }

  async difference(ledger: Ledger): Promise<string | undefined> {
    if (this.reading.isSlow) await this.#catchUp(ledger);
    return (
      this.#chain.difference(ledger.headNumber, (number) => blockIdAt(ledger, number)) ??
      this.#chain.otherTransactions((number) => blockOutline(ledger, number)?.transactionIds)
    );
  }
}
