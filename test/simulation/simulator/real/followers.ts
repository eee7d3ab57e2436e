/**
 * Listeners of a real node, one for each way to be told of blocks: the stream `/sunup/events`, `eth_subscribe` over
 * WebSockets, java-tron's event queue over ZeroMQ, the lines of the command. Each keeps the chain as it was told.
 */

import { get, type IncomingMessage } from 'node:http';
import { Subscriber } from 'zeromq';
import { SocketClient } from '../../../wire/socket-client.js';
import { STREAMED, StreamedChain } from '../listeners/event-stream.js';
import type { CommandProcess, OutputLine, ReadyEvent } from './command-process.js';

export interface Follower {
  readonly name: string;
  /** What it was told wrongly. */
  readonly wrong: string | undefined;
  /** The newest block that it was told of; undefined: none yet. */
  readonly newest: number | undefined;
  /** As it was told; undefined: it was not, or the block is gone. */
  idOf(number: number): string | undefined;
  /** Blocks that it was told above this one, and that are not gone. */
  newsAbove(height: number): Iterable<readonly [number, string]>;
  /** @param idAt of the chain, up to its head @returns what is wrong with what it was told */
  difference(head: number, idAt: (number: number) => string | undefined): string | undefined;
  /** Somebody has asked for a chain without its newest blocks: they may be replaced, or stay. */
  mayGoBack(): void;
  close(): void;
}

/** Blocks in order, each once. After a request that replaces blocks they may begin again at a lower one. */
export class ToldBlocks {
  readonly #ids = new Map<number, string>();
  #newest: number | undefined;
  #oldest = Number.POSITIVE_INFINITY;
  /** So many times: the news of a request may come after the next one. */
  #mayGoBack = 0;
  wrong: string | undefined;

  constructor(readonly name: string) {}

  get newest(): number | undefined {
    return this.#newest;
  }

  idOf(number: number): string | undefined {
    return this.#ids.get(number);
  }

  newsAbove(height: number): (readonly [number, string])[] {
    return [...this.#ids].filter(([number]) => number > height);
  }

  add(number: number, id: string, parentId?: string): void {
    if (this.#newest !== undefined && number !== this.#newest + 1) {
      if (this.#mayGoBack === 0) this.fail(`block ${number} is announced after block ${this.#newest}`);
      else this.#mayGoBack--;
      for (const later of this.#ids.keys()) if (later >= number) this.#ids.delete(later);
    }
    const parent = this.#ids.get(number - 1);
    if (parentId !== undefined && parent !== undefined && parent !== parentId)
      this.fail(`block ${number} follows ${parentId}, and ${parent} was announced`);
    this.#ids.set(number, id);
    this.#newest = number;
    this.#oldest = Math.min(this.#oldest, number);
  }

  /** It is taken back in so many words. */
  remove(number: number, id: string): void {
    if (this.#ids.size === 0) return;
    const known = this.#ids.get(number);
    if (known !== id) this.fail(`block ${number} ${id} is taken back, and ${known} was announced`);
    this.#ids.delete(number);
    this.#newest = number - 1;
  }

  fail(what: string): void {
    this.wrong ??= `${this.name}: ${what}`;
  }

  mayGoBack(): void {
    this.#mayGoBack++;
  }

  difference(head: number, idAt: (number: number) => string | undefined): string | undefined {
    if (this.#newest === undefined) return undefined;
    // A rollback is told with the next block.
    if (this.#newest < head || (this.#newest > head && this.#mayGoBack === 0))
      return `${this.name} has told block ${this.#newest}, the head is ${head}`;
    for (let number = this.#oldest; number <= head; number++) {
      const id = this.#ids.get(number);
      if (id !== idAt(number))
        return `${this.name} has told ${id ?? 'nothing'} as block ${number}, the chain has ${idAt(number)}`;
    }
    return undefined;
  }
}

/** @param onNews called after each event */
export async function followStream({ http }: ReadyEvent, head: number, onNews: () => void): Promise<Follower> {
  const chain = new StreamedChain(head);
  let wrong: string | undefined;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${http.url}${STREAMED}`, { agent: false }, resolve).on('error', reject);
  });
  response.setEncoding('utf8').on('data', (text: string) => {
    wrong ??= chain.read(text);
    onNews();
  });
  // Its end is the process's; whether that may end, others decide.
  response.on('error', () => {});
  return {
    name: 'the stream',
    get wrong() {
      return wrong;
    },
    get newest() {
      return chain.head;
    },
    idOf: (number) => chain.idOf(number),
    newsAbove: (height) => chain.newsAbove(height),
    difference: (at, idAt) => chain.difference(at, idAt),
    mayGoBack: () => {},
    close: () => response.destroy(),
  };
}

interface ShownHead {
  readonly number: string;
  readonly hash: string;
  readonly parentHash: string;
}

export async function followSocket({ http }: ReadyEvent, path: string, onNews: () => void): Promise<Follower> {
  const blocks = new ToldBlocks(`eth_subscribe on ${path}`);
  const client = await SocketClient.connect(`${http.url}${path}`);
  client.socket.on('error', () => {});
  await client.ask('eth_subscribe', 'newHeads');
  client.socket.on('message', () => {
    for (const { result } of client.notifications.splice(0)) {
      const { number, hash, parentHash } = result as ShownHead;
      blocks.add(Number(number), hash.slice(2), parentHash.slice(2));
    }
    onNews();
  });
  return followerOf(blocks, () => client.socket.terminate());
}

interface Trigger {
  readonly triggerName: string;
  readonly blockNumber: number;
  readonly blockHash: string;
  readonly transactionList: readonly string[];
  readonly transactionId: string;
  readonly removed?: boolean;
}

/** Of each block first the block, then its transactions. */
export function followQueue({ eventQueue }: ReadyEvent, onNews: () => void): Follower {
  const blocks = new ToldBlocks('the event queue');
  const socket = new Subscriber({ receiveHighWaterMark: 0, linger: 0 });
  socket.connect(eventQueue);
  socket.subscribe('blockTrigger', 'transactionTrigger');
  let expected: string[] = [];
  let before: string | undefined;
  void (async () => {
    for await (const [, text] of socket) {
      const trigger = JSON.parse(String(text)) as Trigger;
      if (trigger.triggerName === 'blockTrigger') {
        if (expected.length > 0) blocks.fail(`transactions of ${before} are missing: ${expected.join()}`);
        before = `block ${trigger.blockNumber} ${trigger.blockHash}${trigger.removed === true ? ', taken back,' : ''}`;
        if (trigger.removed === true) blocks.remove(trigger.blockNumber, trigger.blockHash);
        else blocks.add(trigger.blockNumber, trigger.blockHash);
        expected = [...trigger.transactionList];
        // Their order in a block that is taken back is of no consequence.
      } else if (before !== undefined) {
        const at = expected.indexOf(trigger.transactionId);
        if (at < 0) blocks.fail(`transaction ${trigger.transactionId} is announced twice, or outside of its block`);
        else expected.splice(at, 1);
      }
      onNews();
    }
  })();
  return followerOf(blocks, () => socket.close());
}

/** The lines of blocks with `--json`. Of blocks that are made together, the last has one. */
export function followLines(process: CommandProcess, onBlock: () => void): Follower {
  let newest: number | undefined;
  let wrong: string | undefined;
  const ids = new Map<number, string>();
  process.onLine = (line) => {
    const { event, number, id } = line as OutputLine & { readonly number?: number; readonly id?: string };
    if (event === 'reverted' || event === 'branched') {
      newest = undefined;
      ids.clear();
    }
    if (event !== 'block' || number === undefined || id === undefined) return;
    if (newest !== undefined && number <= newest)
      wrong ??= `the lines of the command: block ${number} after block ${newest}`;
    newest = number;
    for (const later of ids.keys()) if (later >= number) ids.delete(later);
    ids.set(number, id);
    onBlock();
  };
  return {
    name: 'the lines of the command',
    get wrong() {
      return wrong;
    },
    newest: undefined,
    idOf: (number) => ids.get(number),
    newsAbove: (height) => [...ids].filter(([number]) => number > height),
    difference: () => undefined,
    // The lines themselves say when blocks were replaced, but after their removal.
    mayGoBack: () => {
      newest = undefined;
    },
    close: () => {},
  };
}

function followerOf(blocks: ToldBlocks, close: () => void): Follower {
  return {
    name: blocks.name,
    get wrong() {
      return blocks.wrong;
    },
    get newest() {
      return blocks.newest;
    },
    idOf: (number) => blocks.idOf(number),
    newsAbove: (height) => blocks.newsAbove(height),
    difference: (head, idAt) => blocks.difference(head, idAt),
    mayGoBack: () => blocks.mayGoBack(),
    close,
  };
}
