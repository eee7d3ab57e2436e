/**
 * Limits unread replies of one connection. While they exceed the limit, further calls of the connection wait, so that a
 * client that never reads costs bounded memory.
 */

import { type Held, heldFor } from '../access/held-answers.js';

/** One reply is always allowed, of any size. */
export const MAX_UNREAD_BYTES = 16_777_216;

export class UnreadReplies {
  readonly #held: Held;
  #bytes = 0;
  readonly #waiting: (() => void)[] = [];

  /** @param cut ends the connection, if all connections together exceed the limit */
  constructor(cut: () => void) {
    this.#held = heldFor(cut);
  }

  /** Undefined: now. Otherwise resolves when there is room; the caller then calls {@link add} or {@link pass}. */
  turn(): Promise<void> | undefined {
    if (this.#bytes < MAX_UNREAD_BYTES && this.#waiting.length === 0) return undefined;
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Adds a sent reply. Returns the function to call when it was read, or cannot be read any more. */
  add(bytes: number): () => void {
    this.#change(bytes);
    this.pass();
    return () => {
      this.#change(-bytes);
      // Only after all calls of a closed connection have seen its end.
      setImmediate(() => this.pass());
    };
  }

  #change(bytes: number): void {
    this.#bytes += bytes;
    this.#held.set(this.#bytes);
  }

  /** Ends a turn without a reply. */
  pass(): void {
    if (this.#bytes < MAX_UNREAD_BYTES) this.#waiting.shift()?.();
  }
}
