/**
 * Memory limit for data held for clients: unread answers, partial answers, and incomplete bodies. The total is bounded
 * for any number of clients: above it, the client with the most data is disconnected. Counts are of held memory. A
 * long answer is held as bytes ({@link heldForm}): a text in a socket would exist three times, as made, joined with
 * its header, and as bytes that libuv could not write.
 */

import { constrainedMemory } from 'node:process';

const HELD_BYTES_CEILING = 268_435_456;
/** Fraction of a container's memory; the process needs the rest. */
const HELD_PART = 1 / 4;

/** For all clients together. */
export const MAX_HELD_BYTES = maxHeldBytes(constrainedMemory());

/** @param memoryBytes the process's memory limit; 0: unknown */
export function maxHeldBytes(memoryBytes: number): number {
  return memoryBytes > 0 ? Math.min(HELD_BYTES_CEILING, Math.floor(memoryBytes * HELD_PART)) : HELD_BYTES_CEILING;
}
/** Shorter answers are not counted: the kernel buffers them. */
export const LONG_ANSWER_BYTES = 16_384;

/** Data held for one client. */
export class Held {
  #bytes = 0;

  constructor(
    private readonly all: HeldAnswers,
    /** Disconnects the client. */
    readonly cut: () => void,
  ) {}

  get bytes(): number {
    return this.#bytes;
  }

  /** Sets the size. May disconnect this or another client. */
  set(bytes: number): void {
    const counted = bytes < LONG_ANSWER_BYTES ? 0 : bytes;
    const more = counted - this.#bytes;
    if (more === 0) return;
    this.#bytes = counted;
    this.all.changed(this, more);
  }
}

class HeldAnswers {
  readonly #held = new Set<Held>();
  #bytes = 0;

  changed(held: Held, more: number): void {
    this.#bytes += more;
    if (held.bytes === 0) this.#held.delete(held);
    else this.#held.add(held);
    while (this.#bytes > MAX_HELD_BYTES) {
      const largest = this.#largest();
      largest.set(0);
      largest.cut();
    }
  }

  #largest(): Held {
    return [...this.#held].reduce((most, held) => (held.bytes > most.bytes ? held : most));
  }
}

/** Shared by all chains: they share the memory of the process. Holds only counts. */
const heldAnswers = new HeldAnswers();

/** An answer in the form for a socket. */
export function heldForm(answer: string): string | Buffer {
  return answer.length < LONG_ANSWER_BYTES ? answer : Buffer.from(answer);
}

/** @example const held = heldFor(() => socket.destroy()); held.set(answer.length); socket.once('close', () => held.set(0)) */
export function heldFor(cut: () => void): Held {
  return new Held(heldAnswers, cut);
}
