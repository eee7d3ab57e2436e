/**
 * What the process keeps for clients: answers that they have not read yet, parts of those that are being made, and bodies
 * that have not come to their end. However many clients there are, it is a bounded amount: above it the one that most is
 * kept for is cut off.
 *
 * What is counted is what is kept. A long answer is kept as bytes ({@link heldForm}): a text that waits in a socket is there
 * three times, as it was made, joined with its header, and as the bytes that libuv could not write.
 */

import { constrainedMemory } from 'node:process';

const MOST_HELD_BYTES = 268_435_456;
/** So much of the memory that a container has; what is kept is not all that a process needs. */
const HELD_PART = 1 / 4;

/** Of all clients together. */
export const MAX_HELD_BYTES = maxHeldBytes(constrainedMemory());

/** @param memoryBytes what the process may have; 0: nobody has said */
export function maxHeldBytes(memoryBytes: number): number {
  return memoryBytes > 0 ? Math.min(MOST_HELD_BYTES, Math.floor(memoryBytes * HELD_PART)) : MOST_HELD_BYTES;
}
/** What is shorter is not counted: the kernel takes it. */
export const LONG_ANSWER_BYTES = 16_384;

/** What is kept for one client. */
export class Held {
  #bytes = 0;

  constructor(
    private readonly all: HeldAnswers,
    /** Ends whatever it is that is kept. */
    readonly cut: () => void,
  ) {}

  get bytes(): number {
    return this.#bytes;
  }

  /** Now so much. May cut off this one or others. */
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

/** Shared by all chains: they share the memory of the process. Holds counts, and nothing of what is kept. */
const heldAnswers = new HeldAnswers();

/** An answer as it is to be given to a socket. */
export function heldForm(answer: string): string | Buffer {
  return answer.length < LONG_ANSWER_BYTES ? answer : Buffer.from(answer);
}

/** @example const held = heldFor(() => socket.destroy()); held.set(answer.length); socket.once('close', () => held.set(0)) */
export function heldFor(cut: () => void): Held {
  return new Held(heldAnswers, cut);
}
