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

/** Messages that ZeroMQ queues for each subscriber. */
const HIGH_WATER_MARK = 10_000;
/**
 * Subscribers send only topics, and the topics here have at most 20 bytes. ZeroMQ stores each topic while the
 * subscriber is connected, up to 50 MB for each; a subscriber that sends a longer one is disconnected.
 */
const LONGEST_WISH_BYTES = 256;
/** Time for the last messages to leave when the node closes. */
const LINGER_MS = 500;
/** Number of triggers between two turns of other work. */
const A_TURN = 250;
/** Maximum characters in the local queue. */
const MAX_HELD = 33_554_432;
/** Counted size of a queued run of empty blocks, whose triggers are made while they are sent. */
const EMPTY_ROW = 1_024;

export interface EventQueue {
  /** The endpoint as bound, with the chosen port. */
  readonly endpoint: string;
  close(): Promise<void>;
}

/** @throws ZeroMQ's error with a code if the endpoint cannot be bound */
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

/** Sends the triggers in order. */
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
      if (!this.#overflowed) this.log?.warn('the event queue cannot keep up: some triggers are dropped');
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
