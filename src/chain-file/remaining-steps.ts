/**
 * The steps of a file whose blocks are still on the chain at its end: a step `goBack` takes those before it out. Kept as
 * text, because a transaction takes four times as much when it is decoded.
 */

import type { BlockId } from '../primitives/ids.js';

interface Kept {
  readonly text: string;
  /** How many blocks it makes. */
  readonly blocks: number;
}

export class RemainingSteps implements Iterable<Kept> {
  readonly #steps: Kept[] = [];
  #at: number;

  /** @param beginsAt the block before the first step */
  constructor(private readonly beginsAt: number) {
    this.#at = beginsAt;
  }

  /** The number of the head. */
  get at(): number {
    return this.#at;
  }

  get length(): number {
    return this.#steps.length;
  }

  [Symbol.iterator](): Iterator<Kept> {
    return this.#steps[Symbol.iterator]();
  }

  add(text: string, blocks: number): void {
    this.#steps.push({ text, blocks });
    this.#at += blocks;
  }

  /**
   * @param id of the block
   * @returns false where there is no such place
   */
  goBack(block: number, operations: number, id: BlockId | undefined): boolean {
    if (block > this.#at || block < this.beginsAt) return false;
    while (this.#at > block) {
      const { blocks } = this.#steps.pop() as Kept;
      this.#at -= blocks;
      // Of blocks that were made many at once, the first ones stay.
      if (this.#at < block)
        this.add(JSON.stringify({ produceEmpty: { blocks: block - this.#at, id } }), block - this.#at);
    }
    let after = 0;
    while (this.#steps[this.#steps.length - 1 - after]?.blocks === 0) after++;
    if (operations > after) return false;
    this.#steps.length -= after - operations;
    return true;
  }
}
