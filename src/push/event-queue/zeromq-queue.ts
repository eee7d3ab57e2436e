/**
 * java-tron's native event queue: a ZeroMQ publisher, two frames a trigger (topic, JSON). Loaded when an option asks for
 * it. A slow subscriber delays nobody: ZeroMQ drops what it does not take (high-water mark).
 */

import { Publisher } from 'zeromq';
import type { Node } from '../../node/node.js';
import type { Log } from '../../platform/log.js';
import type { Subscription } from './subscription.js';
import { TriggerSource } from './trigger-source.js';
import type { Trigger } from './triggers.js';

/** Messages that ZeroMQ keeps for each subscriber. */
const HIGH_WATER_MARK = 10_000;
/**
 * All that a subscriber sends is topics, of which ours have at most 20 bytes. ZeroMQ keeps each of them while the
 * subscriber is there, 50 MB of one that has as many; whoever sends a longer one is disconnected.
 */
const LONGEST_WISH_BYTES = 256;
/** How long what was said last may take to leave when the node is closed. */
const LINGER_MS = 500;
/** Triggers between which others have their turn. */
const A_TURN = 250;
/** Characters that may wait here. */
const MAX_HELD = 33_554_432;
/** What a row of empty blocks takes while it waits, whose triggers are made as they are sent. */
const EMPTY_ROW = 1_024;

export interface EventQueue {
  /** As it is bound: with the port that was free. */
  readonly endpoint: string;
  close(): Promise<void>;
}

/** @throws an error of ZeroMQ's, with a code, for an endpoint that cannot be had */
export async function openEventQueue(
  node: Node,
  endpoint: string,
  subscription: Subscription,
  log: Log | undefined,
): Promise<EventQueue> {
  const socket = new Publisher({
    sendHighWaterMark: HIGH_WATER_MARK,
    linger: LINGER_MS,
    maxMessageSize: LONGEST_WISH_BYTES,
  });
  try {
    await socket.bind(endpoint);
  } catch (error) {
    socket.close();
    throw error;
  }
  const line = new Line(socket, log);
  const source = new TriggerSource(node, subscription, (triggers) => line.add(triggers));
  return {
    endpoint: socket.lastEndpoint ?? endpoint,
    close: async () => {
      source.end();
      await line.sent();
      socket.close();
    },
  };
}

/** Sends one trigger after the other. */
class Line {
  readonly #waiting: { readonly triggers: Iterable<Trigger>; readonly held: number }[] = [];
  #held = 0;
  #isSending = false;
  #sending: Promise<void> | undefined;
  #overflowed = false;

  constructor(
    private readonly socket: Publisher,
    private readonly log: Log | undefined,
  ) {}

  add(triggers: Iterable<Trigger>): void {
    const held = Array.isArray(triggers) ? triggers.reduce((sum, { text }) => sum + text.length, 0) : EMPTY_ROW;
    if (this.#held + held > MAX_HELD) {
      if (!this.#overflowed) this.log?.warn('the event queue cannot keep up: triggers are left out');
      this.#overflowed = true;
      return;
    }
    this.#waiting.push({ triggers, held });
    this.#held += held;
    if (this.#isSending) return;
    this.#isSending = true;
    this.#sending = this.#send();
  }

  async sent(): Promise<void> {
    await this.#sending;
  }

  async #send(): Promise<void> {
    let sent = 0;
    try {
      for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
        for (const { topic, text } of next.triggers) {
          await this.socket.send([topic, text]);
          if (++sent % A_TURN === 0) await new Promise((resolve) => setImmediate(resolve));
        }
        this.#held -= next.held;
      }
      this.#overflowed = false;
    } catch (error) {
      this.#waiting.length = 0;
      this.#held = 0;
      this.log?.error('the event queue failed', error);
    } finally {
      this.#isSending = false;
    }
  }
}
