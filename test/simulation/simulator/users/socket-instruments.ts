/** Subscriptions over a WebSocket of one's own: what has ended counts no more, and is not heard again. */

import type { WebSocket } from 'ws';
import { MemorySockets } from '../network/memory-sockets.js';
import type { Dialect } from './asker.js';
import { asked, type Instrument } from './instruments.js';
import type { Host } from './user.js';

interface Message {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
  readonly params?: { readonly subscription: string };
}

/** Three subscriptions of 4,000 topics are more than a connection may have at once. */
const TOPICS_IN_A_PLACE = 1_000;
const PLACES = 4;
const ROUNDS = 3;

/** A client of one connection. */
class Subscriber {
  readonly #socket: WebSocket;
  readonly #asked = new Map<number, (message: Message) => void>();
  /** Subscriptions that were heard. */
  readonly heard: unknown[] = [];

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data) => {
      const message = JSON.parse(String(data)) as Message;
      if (message.params !== undefined) this.heard.push(message.params.subscription);
      this.#asked.get(message.id ?? -1)?.(message);
    });
    socket.on('error', () => {});
  }

  static async open({ world }: Host, dialect: Dialect): Promise<Subscriber> {
    const socket = new MemorySockets(world.process.server).open(dialect);
    const subscriber = new Subscriber(socket);
    await new Promise((ready) => socket.once('open', ready));
    return subscriber;
  }

  ask(method: string, params: readonly unknown[]): Promise<Message> {
    const id = this.#asked.size;
    const answer = new Promise<Message>((resolve) => {
      this.#asked.set(id, resolve);
      // Closed without an answer.
      this.#socket.once('close', (code) => resolve({ id, error: { message: `closed with ${code}` } }));
    });
    this.#socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return answer;
  }

  close(): void {
    this.#socket.close();
  }
}

const topics = Array.from({ length: PLACES }, (_, place) =>
  Array.from(
    { length: TOPICS_IN_A_PLACE },
    (_, at) => `0x${(place * TOPICS_IN_A_PLACE + at).toString(16).padStart(64, '0')}`,
  ),
);

/** @returns what is wrong */
async function subscribeAndLeave(subscriber: Subscriber): Promise<string | undefined> {
  for (let round = 0; round < ROUNDS; round++) {
    const { result: id, error } = await subscriber.ask('eth_subscribe', ['logs', { topics }]);
    if (typeof id !== 'string') return `subscription ${round} after others that had ended: ${error?.message}`;
    const { result } = await subscriber.ask('eth_unsubscribe', [id]);
    if (result !== true) return `the end of ${id} was ${result}`;
  }
  return undefined;
}

/** @returns the subscription */
async function followAndLeave(subscriber: Subscriber): Promise<unknown> {
  const { result } = await subscriber.ask('eth_subscribe', ['newHeads']);
  await subscriber.ask('eth_unsubscribe', [result]);
  return result;
}

export const SOCKET_INSTRUMENTS: readonly Instrument[] = [
  {
    name: 'subscriptions that end',
    use: async (host) => {
      const { world } = host;
      const dialect = world.choices.of(['/eth', '/jsonrpc', '/tre'] as const);
      const settled = async <Value>(work: Promise<Value>): Promise<Value | undefined> => {
        const outcome = await world.settle(work, { what: 'a WebSocket' });
        if ('refusal' in outcome) throw outcome.refusal;
        return 'value' in outcome ? outcome.value : undefined;
      };
      const subscriber = await settled(Subscriber.open(host, dialect));
      const wrong = subscriber && (await settled(subscribeAndLeave(subscriber)));
      if (subscriber === undefined || wrong !== undefined || !world.isRunning) return wrong;
      const ended = await settled(followAndLeave(subscriber));
      if (world.isRunning) await asked(host, 'evm_mine');
      if (world.isRunning) await settled(subscriber.ask('eth_blockNumber', []));
      subscriber.close();
      return subscriber.heard.includes(ended) ? 'a subscription was heard after its end' : undefined;
    },
  },
];
