/**
 * One WebSocket of a JSON-RPC client: its messages are answered like bodies of POST, and its subscriptions are served.
 * All buffers are bounded: reading pauses while too many messages are being answered or too many answers are unread,
 * and a client that does not read its subscriptions is disconnected.
 */

import { once } from 'node:events';
import type { WebSocket } from 'ws';
import { heldFor, heldForm, LONG_ANSWER_BYTES } from '../access/held-answers.js';
import type { Random } from '../platform/random.js';
import { type Caller, takeTurn } from '../platform/turns.js';
import { bytesToHex } from '../primitives/hex.js';
import type { Dialect } from './dialect.js';
import { limitExceeded } from './errors.js';
import { MAX_HELD, type Results, type Subscriptions, type SubscriptionTarget } from './subscriptions.js';
import { ClientGone, type Subscriber } from './table.js';

/** Close codes of RFC 6455 and of its registry. */
export const GOING_AWAY = 1001;
const INTERNAL_ERROR = 1011;
export const TRY_AGAIN_LATER = 1013;

const MAX_SUBSCRIPTIONS = 100;
/** Addresses and topics of all subscriptions. */
const MAX_CRITERIA = 10_000;
/** Maximum messages of one client that are answered concurrently; others wait. */
const MAX_ANSWERING = 8;
/** Maximum unread bytes of a client; above it, sending and answering pause. */
const MAX_UNREAD = 1_048_576;
/** Fixed cost of a queued notification. */
const NOTIFICATION = 100;
/** Number of notifications that are serialised between two turns of other work. */
const NOTIFICATIONS_A_TURN = 250;

export interface ConnectionOptions {
  readonly dialect: Dialect;
  readonly subscriptions: Subscriptions;
  readonly caller: Caller;
  /** For ids of subscriptions. */
  readonly random: Random;
  /** As `answerJsonRpc` does. */
  readonly answer: (message: string, subscriber: Subscriber) => string | Promise<string>;
  /** Called when a request begins. The result resolves when its changes would survive a crash; undefined: at once. */
  readonly durable: () => () => Promise<void> | undefined;
  readonly onInternalError: (error: unknown) => void;
}

interface Waiting {
  readonly id: string;
  readonly texts: Iterator<string>;
  readonly held: number;
  readonly of: object | undefined;
}

export class Connection {
  readonly #socket: WebSocket;
  readonly #options: ConnectionOptions;
  /** By id: how to end it, and its number of criteria. */
  readonly #open = new Map<string, { readonly end: () => void; readonly criteria: number }>();
  #criteria = 0;

  #received: Buffer[] = [];
  /** Bytes of an incomplete message. */
  #incompleteBytes = 0;
  #answering = 0;

  readonly #kept = heldFor(() => this.terminate());
  readonly #waiting: Waiting[] = [];
  #held = 0;
  /** Number of subscribers that wait for the same value. */
  readonly #shared = new Map<object, number>();
  /** Messages whose answer contains ids that the client must know first. */
  #unknownIds = 0;
  #resting = false;

  /** Since the last check: whether the client was heard, whether data were unread then, and the bytes sent by then. */
  #wasHeard = true;
  #wasUnread = false;
  #sentBefore = 0;
  #sent = 0;

  constructor(socket: WebSocket, options: ConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    socket.on('message', (data) => this.#receive(data as Buffer));
    socket.on('pong', () => {
      this.#wasHeard = true;
    });
    socket.on('close', () => this.#forget());
    // For an invalid or too long frame the library closes the connection with the reason.
    socket.on('error', () => {});
  }

  /** More bytes of a message have arrived. */
  comes(bytes: number): void {
    this.#incompleteBytes += bytes;
    if (this.#incompleteBytes >= LONG_ANSWER_BYTES) this.#count();
  }

  /** Closes it after the queued data. */
  close(code: number, reason: string): void {
    this.#socket.close(code, reason);
  }

  /** Resolves when it is closed. */
  get closed(): Promise<unknown> {
    return this.#socket.readyState === this.#socket.CLOSED ? Promise.resolve() : once(this.#socket, 'close');
  }

  terminate(): void {
    this.#socket.terminate();
  }

  /** Call it periodically: clients that have disappeared or stopped reading are disconnected. */
  check(): void {
    const isUnread = this.#socket.bufferedAmount > 0;
    const isStuck = isUnread && this.#wasUnread && this.#sent === this.#sentBefore;
    if (isStuck || !this.#wasHeard) {
      this.#socket.terminate();
      return;
    }
    this.#wasUnread = isUnread;
    this.#sentBefore = this.#sent;
    // While reading is paused, a client cannot be heard.
    if (this.#socket.isPaused || !this.#isOpen) return;
    this.#wasHeard = false;
    this.#socket.ping();
  }

  get #isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  #receive(message: Buffer): void {
    const wasCounted = this.#incompleteBytes >= LONG_ANSWER_BYTES;
    this.#incompleteBytes = 0;
    if (wasCounted) this.#count();
    this.#received.push(message);
    this.#resume();
  }

  /** Answers and sends as far as possible, and resumes reading when there is room. */
  #resume(): void {
    while (this.#received.length > 0 && this.#mayAnswer) {
      this.#answering++;
      const message = this.#received.shift() as Buffer;
      takeTurn(() => {
        void this.#answer(message).finally(() => {
          this.#answering--;
          this.#resume();
        });
      }, this.#options.caller);
    }
    this.#tell();
    if (!this.#isOpen) return;
    if (this.#received.length > 0) this.#socket.pause();
    else this.#socket.resume();
  }

  get #mayAnswer(): boolean {
    return this.#isOpen && this.#answering < MAX_ANSWERING && this.#socket.bufferedAmount < MAX_UNREAD;
  }

  async #answer(message: Buffer): Promise<void> {
    if (!this.#isOpen) return;
    let unknownIds = 0;
    const subscriber: Subscriber = {
      subscribe: (target) => {
        unknownIds++;
        this.#unknownIds++;
        return this.#subscribe(target);
      },
      unsubscribe: (id) => this.#unsubscribe(id),
    };
    const untilDurable = this.#options.durable();
    try {
      const answer = await this.#options.answer(message.toString('utf8'), subscriber);
      await untilDurable();
      // A line; here messages are apart without its end.
      if (answer !== '') this.#send(answer.trimEnd());
    } catch (error) {
      if (!this.#isOpen) return;
      if (error instanceof ClientGone) return this.terminate();
      this.#options.onInternalError(error);
      this.close(INTERNAL_ERROR, 'internal error');
    } finally {
      this.#unknownIds -= unknownIds;
    }
  }

  #subscribe(target: SubscriptionTarget): string {
    if (this.#open.size >= MAX_SUBSCRIPTIONS) throw limitExceeded(`exceed max subscriptions: ${MAX_SUBSCRIPTIONS}`);
    const criteria = criteriaCount(target);
    if (this.#criteria + criteria > MAX_CRITERIA) {
      throw limitExceeded(`exceed max addresses and topics of subscriptions: ${MAX_CRITERIA}`);
    }
    const { subscriptions, dialect, random } = this.#options;
    const id = `0x${bytesToHex(random.bytes(16))}`;
    const notify = (results: Results) => this.#notify(id, results);
    const end = subscriptions.open({ target, dialect, notify });
    this.#criteria += criteria;
    this.#open.set(id, { criteria, end });
    return id;
  }

  #unsubscribe(id: string): boolean {
    const subscription = this.#open.get(id);
    if (subscription === undefined) return false;
    this.#open.delete(id);
    this.#criteria -= subscription.criteria;
    subscription.end();
    return true;
  }

  #forget(): void {
    for (const id of [...this.#open.keys()]) this.#unsubscribe(id);
    this.#waiting.length = 0;
    this.#shared.clear();
    this.#received = [];
    this.#kept.set(0);
  }

  #notify(id: string, { texts, held, of }: Results): void {
    if (!this.#isOpen) return;
    this.#waiting.push({ id, texts: texts[Symbol.iterator](), held, of });
    this.#held += NOTIFICATION + this.#heldFor(of, held, 1);
    if (this.#held > MAX_HELD) {
      this.#forget();
      this.close(TRY_AGAIN_LATER, 'too slow: read on, and subscribe again');
    } else this.#rest();
    this.#count();
  }

  #tell(): void {
    for (let told = 0; this.#waiting.length > 0 && this.#mayTell; told++) {
      if (told === NOTIFICATIONS_A_TURN) {
        this.#rest();
        return;
      }
      const next = this.#waiting[0] as Waiting;
      const { done, value } = this.#open.has(next.id) ? next.texts.next() : { done: true, value: undefined };
      if (!done) {
        this.#send(
          `{"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":"${next.id}","result":${value}}}`,
        );
        continue;
      }
      this.#waiting.shift();
      this.#held -= NOTIFICATION + this.#heldFor(next.of, next.held, -1);
    }
  }

  /** Updates the size of queued data after a change of its waiters. */
  #heldFor(of: object | undefined, held: number, more: 1 | -1): number {
    if (of === undefined) return held;
    const before = this.#shared.get(of) ?? 0;
    if (before + more === 0) this.#shared.delete(of);
    else this.#shared.set(of, before + more);
    return before === 0 || before + more === 0 ? held : 0;
  }

  get #mayTell(): boolean {
    return this.#isOpen && !this.#resting && this.#unknownIds === 0 && this.#socket.bufferedAmount < MAX_UNREAD;
  }

  /** Continues when it has its turn. */
  #rest(): void {
    if (this.#resting) return;
    this.#resting = true;
    takeTurn(() => {
      this.#resting = false;
      this.#resume();
    }, this.#options.caller);
  }

  #send(text: string): void {
    if (!this.#isOpen) return;
    this.#socket.send(heldForm(text), { binary: false }, () => {
      this.#sent++;
      this.#count();
      if (this.#waiting.length > 0 || this.#received.length > 0) this.#resume();
    });
    this.#count();
  }

  /** A queued value that is not serialised yet is stored once for all waiters. */
  #count(): void {
    if (!this.#isOpen) return;
    this.#kept.set(this.#incompleteBytes + this.#socket.bufferedAmount + this.#waiting.length * NOTIFICATION);
  }
}

function criteriaCount(target: SubscriptionTarget): number {
  if (target.kind !== 'logs') return 0;
  const { addresses, topics } = target.criteria;
  return topics.reduce((sum, place) => sum + place.length, addresses.length);
}
