/** One hash over everything that happened: questions, answers, blocks, faults. Two runs with the same digest did the same. */

import { createHash, type Hash } from 'node:crypto';

export class Digest {
  readonly #hash: Hash = createHash('sha256');

  /** @param kind `ask`, `answer`, `block`, `fault`, … */
  add(kind: string, text: string): void {
    this.#hash.update(`${kind} ${text.length} ${text}\n`);
  }

  /** So far. */
  get hex(): string {
    return this.#hash.copy().digest('hex');
  }
}
