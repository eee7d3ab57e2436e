/**
 * What a client has asked for and not yet read, on one connection. While it is more than a few megabytes, its further
 * calls wait: an answer that nobody takes is not made, so that a client that asks and never reads costs a bounded
 * amount of memory.
 */

import { type Held, heldFor } from '../access/held-answers.js';

/** One answer is always allowed, however long. */
export const MAX_UNREAD_BYTES = 16_777_216;

export class UnreadReplies {
  readonly #held: Held;
  #bytes = 0;
  readonly #waiting: (() => void)[] = [];

  /** @param cut ends the connection, when too much is kept for all of them together */
  constructor(cut: () => void) {
    this.#held = heldFor(cut);
  }

  /** Undefined: now. Otherwise when there is room; whoever has waited then calls {@link add} or {@link pass}. */
  turn(): Promise<void> | undefined {
    if (this.#bytes < MAX_UNREAD_BYTES && this.#waiting.length === 0) return undefined;
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** A reply that is sent now. Returns what is to be called when it has been read, or never will be. */
  add(bytes: number): () => void {
    this.#change(bytes);
    this.pass();
    return () => {
      this.#change(-bytes);
      // Not before all calls of a connection that ends have been told of its end.
      setImmediate(() => this.pass());
    };
  }

  #change(bytes: number): void {
    this.#bytes += bytes;
    this.#held.set(this.#bytes);
  }

  /** A turn that ends without a reply. */
  pass(): void {
    if (this.#bytes < MAX_UNREAD_BYTES) this.#waiting.shift()?.();
  }
}
