/**
 * The listeners of `/sunup/events`, and the block up to which events may be sent. Loaded with the first listener.
 * Every stream reads the chain from its own position, so a slow client, or one that reconnects after an hour, costs
 * its position and no queue.
 */

import type { ServerResponse } from 'node:http';
import type { ChainListener } from '../node/chain/feed.js';
import type { Node } from '../node/node.js';
import { type MachineClock, repeatedly } from '../platform/machine.js';
import { getBlockOutline } from '../wallet/blocks.js';
import { fullContext } from '../wallet/context.js';
import { droppedText, pendingText } from './events.js';
import { Stream, type StreamRequest, type StreamSource } from './stream.js';

const MAX_STREAMS = 1_000;
/** Proxies close connections without data after a minute. */
const CHECK_MS = 15_000;

export class Streams implements StreamSource {
  readonly #streams = new Set<Stream>();
  #stopListening: (() => void) | undefined;
  #stopChecks: (() => void) | undefined;
  /** The newest block that the store has accepted. */
  #told = 0;
  /** First numbers of blocks that are being rolled back and not reported yet. */
  #going: number[] = [];

  constructor(
    readonly node: Node,
    private readonly clock: MachineClock,
    private readonly onInternalError: ((error: unknown, path: string) => void) | undefined,
  ) {}

  get isFull(): boolean {
    return this.#streams.size >= MAX_STREAMS;
  }

  get readable(): number {
    return Math.min(this.#told, ...this.#going.map((first) => first - 1));
  }

  open(response: ServerResponse, wanted: StreamRequest): void {
    if (this.#streams.size === 0) {
      this.#told = this.node.chain.headNumber;
      this.#stopListening = this.node.feed.listen('full', this.#listener);
      this.#stopChecks = repeatedly(this.clock, CHECK_MS, () => this.#each((stream) => stream.check()));
    }
    const stream = new Stream(this, response, wanted);
    this.#streams.add(stream);
    response.once('close', () => {
      stream.end();
      this.#streams.delete(stream);
      if (this.#streams.size > 0) return;
      this.#stopListening?.();
      this.#stopChecks?.();
    });
    stream.sendAvailable();
  }

  close(): void {
    this.#each((stream) => stream.end());
  }

  failed(error: unknown): void {
    this.onInternalError?.(error, '/sunup/events');
  }

  #each(work: (stream: Stream) => void): void {
    for (const stream of this.#streams) work(stream);
  }

  readonly #listener: ChainListener = {
    blocksAdded: (_, last) => () => {
      this.#told = last;
      this.#each((stream) => stream.sendAvailable());
    },
    blocksRemoved: (first) => {
      this.#going.push(first);
      // Read now: when it is told, the block may be gone as well, and another be there.
      const left = getBlockOutline(fullContext(this.node), first - 1)?.id;
      return () => {
        this.#going.shift();
        this.#told = first - 1;
        this.#each((stream) => stream.removeFrom(first, left));
      };
    },
    transactionPending: (applied) => {
      const text = pendingText(this.node, applied);
      return () => this.#each((stream) => stream.say('pending', text));
    },
    transactionsDropped: (dropped) => {
      const texts = dropped.map(droppedText);
      return () => {
        for (const text of texts) this.#each((stream) => stream.say('dropped', text));
      };
    },
    discarded: () => {
      this.#going = [];
    },
  };
}
