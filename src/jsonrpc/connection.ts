/**
 * One WebSocket of a client of JSON-RPC: its messages are answered as bodies of POST are, and what it has subscribed to
 * is told to it. Everything that is kept for it has an end: it is not read from while enough of its messages are being
 * answered or its answers are not read, and who does not read what it has subscribed to is disconnected.
 */

import { once } from 'node:events';
import type { WebSocket } from 'ws';
import { heldFor, heldForm, LONG_ANSWER_BYTES } from '../access/held-answers.js';
import { systemRandom } from '../platform/random.js';
import { type Caller, takeTurn } from '../platform/turns.js';
import { bytesToHex } from '../primitives/hex.js';
import type { Dialect } from './dialect.js';
import { limitExceeded } from './errors.js';
import { MAX_HELD, type Results, type Subscriptions, type Wanted } from './subscriptions.js';
import { ClientGone, type Subscriber } from './table.js';

/** Codes of RFC 6455 and of the registry that it has begun. */
export const GOING_AWAY = 1001;
const INTERNAL_ERROR = 1011;
export const TRY_AGAIN_LATER = 1013;

const MAX_SUBSCRIPTIONS = 100;
/** Addresses and topics of all of them together. */
const MAX_CRITERIA = 10_000;
/** Messages of one client that are being answered at once; others of it wait. */
const MAX_ANSWERING = 8;
/** Bytes that a client has not read yet while it is sent, and answered, no more. */
const MAX_UNREAD = 1_048_576;
/** What it costs to keep a notification, whatever it says. */
const NOTIFICATION = 100;
/** Notifications that are put into words before others have their turn. */
const NOTIFICATIONS_A_TURN = 250;

export interface ConnectionOptions {
  readonly dialect: Dialect;
  readonly subscriptions: Subscriptions;
  readonly caller: Caller;
  /** As `answerJsonRpc` does. */
  readonly answer: (message: string, subscriber: Subscriber) => string | Promise<string>;
  /** Settles when what was answered cannot be undone by a crash. */
  readonly durable: () => Promise<void>;
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
  /** By id: what ends it, and how much it asks for. */
  readonly #open = new Map<string, { readonly end: () => void; readonly criteria: number }>();
  #criteria = 0;

  #received: Buffer[] = [];
  /** Bytes of a message that has not come to its end. */
  #coming = 0;
  #answering = 0;

  readonly #kept = heldFor(() => this.terminate());
  readonly #waiting: Waiting[] = [];
  #held = 0;
  /** How many wait for the same. */
  readonly #shared = new Map<object, number>();
  /** Messages whose answer tells the client ids that it has to know first. */
  #unknownIds = 0;
  #resting = false;

  /** Since the last check: whether it was heard, whether something was left unread then, and what was sent by then. */
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
    // What is no frame, and what is too long: the library closes the connection and says why.
    socket.on('error', () => {});
  }

  /** So much more of a message has come. */
  comes(bytes: number): void {
    this.#coming += bytes;
    if (this.#coming >= LONG_ANSWER_BYTES) this.#count();
  }

  /** Ends it, after what was sent before. */
  close(code: number, reason: string): void {
    this.#socket.close(code, reason);
  }

  /** Resolves when it is gone. */
  get closed(): Promise<unknown> {
    return this.#socket.readyState === this.#socket.CLOSED ? Promise.resolve() : once(this.#socket, 'close');
  }

  terminate(): void {
    this.#socket.terminate();
  }

  /** To be called from time to time: who has gone without a word, or has stopped reading, is given up. */
  check(): void {
    const isUnread = this.#socket.bufferedAmount > 0;
    const isStuck = isUnread && this.#wasUnread && this.#sent === this.#sentBefore;
    if (isStuck || !this.#wasHeard) {
      this.#socket.terminate();
      return;
    }
    this.#wasUnread = isUnread;
    this.#sentBefore = this.#sent;
    // A client that is not read from cannot be heard.
    if (this.#socket.isPaused || !this.#isOpen) return;
    this.#wasHeard = false;
    this.#socket.ping();
  }

  get #isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  #receive(message: Buffer): void {
    const wasCounted = this.#coming >= LONG_ANSWER_BYTES;
    this.#coming = 0;
    if (wasCounted) this.#count();
    this.#received.push(message);
    this.#goOn();
  }

  /** Answers what may be answered, tells what may be told, and reads on when there is room for more. */
  #goOn(): void {
    while (this.#received.length > 0 && this.#mayAnswer) {
      this.#answering++;
      const message = this.#received.shift() as Buffer;
      takeTurn(() => {
        void this.#answer(message).finally(() => {
          this.#answering--;
          this.#goOn();
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
      subscribe: (wanted) => {
        unknownIds++;
        this.#unknownIds++;
        return this.#subscribe(wanted);
      },
      unsubscribe: (id) => this.#unsubscribe(id),
    };
    try {
      const answer = await this.#options.answer(message.toString('utf8'), subscriber);
      await this.#options.durable();
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

  #subscribe(wanted: Wanted): string {
    if (this.#open.size >= MAX_SUBSCRIPTIONS) throw limitExceeded(`exceed max subscriptions: ${MAX_SUBSCRIPTIONS}`);
    const criteria = criteriaIn(wanted);
    if (this.#criteria + criteria > MAX_CRITERIA) {
      throw limitExceeded(`exceed max addresses and topics of subscriptions: ${MAX_CRITERIA}`);
    }
    const id = `0x${bytesToHex(systemRandom.bytes(16))}`;
    const { subscriptions, dialect } = this.#options;
    const tell = (results: Results) => this.#notify(id, results);
    const end = subscriptions.open({ wanted, dialect, tell });
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

  /** What is kept more or less, now that one more or less waits for it. */
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

  /** Goes on when it is its turn. */
  #rest(): void {
    if (this.#resting) return;
    this.#resting = true;
    takeTurn(() => {
      this.#resting = false;
      this.#goOn();
    }, this.#options.caller);
  }

  #send(text: string): void {
    if (!this.#isOpen) return;
    this.#socket.send(heldForm(text), { binary: false }, () => {
      this.#sent++;
      this.#count();
      if (this.#waiting.length > 0 || this.#received.length > 0) this.#goOn();
    });
    this.#count();
  }

  /** What waits and is not put into words is kept once for all who wait for it. */
  #count(): void {
    if (!this.#isOpen) return;
    this.#kept.set(this.#coming + this.#socket.bufferedAmount + this.#waiting.length * NOTIFICATION);
  }
}

function criteriaIn(wanted: Wanted): number {
  if (wanted.kind !== 'logs') return 0;
  const { addresses, topics } = wanted.criteria;
  return topics.reduce((sum, place) => sum + place.length, addresses.length);
}
