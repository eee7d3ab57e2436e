/** A reader of `/sunup/events`, which names removed blocks. It comes back with the id of the last event, as browsers do. */

import { blockIdAt } from '../../../../src/ledger/blocks/block-ids.js';
import type { Ledger } from '../../../../src/ledger/ledger.js';
import { FollowedHeads } from './followed-chain.js';
import type { Hearing, Listener } from './listener.js';

type Open = (path: string, headers: Readonly<Record<string, string>>) => Promise<Response>;

interface BlockEvent {
  readonly number: number;
  readonly id: string;
  readonly parentId: string;
  readonly emptyBlocks?: number;
}

export class EventStreamListener implements Listener {
  #heads: FollowedHeads;
  #lastId: string | undefined;
  #text = '';
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;

  constructor(
    private readonly open: Open,
    headNow: number,
    private readonly hearing: Hearing,
  ) {
    this.#heads = new FollowedHeads(headNow);
  }

  async connect(): Promise<void> {
    const headers = this.#lastId === undefined ? {} : { 'last-event-id': this.#lastId };
    const { body } = await this.open('/sunup/events?events=block,removed', headers);
    if (body === null) return;
    this.#text = '';
    const reader = body.getReader();
    this.#reader = reader;
    this.#read(reader).catch((error: Error) => {
      // A node that is closed ends its streams.
      if (this.#reader === reader && this.hearing.isServed()) this.hearing.fail(`the stream was cut: ${error.message}`);
    });
  }

  async reconnect(meanwhile: () => Promise<unknown>): Promise<void> {
    // Until it has an id, a browser begins anew, and knows of nothing that came between.
    if (this.#lastId === undefined) return;
    const reader = this.#reader;
    this.#reader = undefined;
    void reader?.cancel();
    await meanwhile();
    if (this.hearing.isServed()) await this.connect();
  }

  async #read(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    for (;;) {
      const { done, value } = await reader.read();
      if (done || this.#reader !== reader || !this.hearing.isServed()) return;
      this.#text += decoder.decode(value, { stream: true });
      for (let end = this.#text.indexOf('\n\n'); end >= 0; end = this.#text.indexOf('\n\n')) {
        const lines = this.#text.slice(0, end).split('\n');
        this.#text = this.#text.slice(end + 2);
        this.#event(lines);
      }
    }
  }

  #event(lines: readonly string[]): void {
    const of = (field: string) => lines.find((line) => line.startsWith(`${field}: `))?.slice(field.length + 2);
    const name = of('event');
    if (name === undefined) return;
    const data = of('data') ?? '{}';
    this.hearing.heard(`${name} ${data}`);
    this.#lastId = of('id') ?? this.#lastId;
    const wrong = name === 'removed' ? this.#removed(JSON.parse(data)) : this.#added(JSON.parse(data));
    if (wrong !== undefined) this.hearing.fail(`the stream: ${wrong}`);
  }

  #removed({ from, to }: { readonly from: number; readonly to: number }): string | undefined {
    if (to > this.#heads.head) return `blocks up to ${to} are removed, and ${this.#heads.head} was told`;
    this.#heads.cut(from - 1);
    return undefined;
  }

  #added({ number, id, parentId, emptyBlocks = 1 }: BlockEvent): string | undefined {
    const before = number - emptyBlocks;
    if (before !== this.#heads.head)
      return `${emptyBlocks} blocks up to ${number} are told after block ${this.#heads.head}`;
    return this.#heads.add(number, id, { parentId, blocks: emptyBlocks });
  }

  difference(ledger: Ledger): string | undefined {
    const { head } = this.#heads;
    if (head !== ledger.headNumber) return `the stream has told block ${head}, the head is ${ledger.headNumber}`;
    return this.#heads.difference(head, (number) => blockIdAt(ledger, number));
  }
}
