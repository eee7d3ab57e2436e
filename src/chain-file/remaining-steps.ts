/**
 * The steps of a file whose blocks are on the chain at the end: `goBack` removes the steps that it reverts. KeptStep as
 * text, because a decoded transaction takes four times as much memory.
 */

import type { BlockId } from '../primitives/ids.js';

interface KeptStep {
  readonly text: string;
  /** The number of its blocks. */
  readonly blocks: number;
}

export class RemainingSteps implements Iterable<KeptStep> {
  readonly #steps: KeptStep[] = [];
  #at: number;

  /** @param beginsAt the number of the block before the first step */
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

  [Symbol.iterator](): Iterator<KeptStep> {
    return this.#steps[Symbol.iterator]();
  }

  add(text: string, blocks: number): void {
    this.#steps.push({ text, blocks });
    this.#at += blocks;
  }

  /**
   * @param id the id of that block
   * @returns false if there is no such position
   */
  rollBackTo(block: number, operations: number, id: BlockId | undefined): boolean {
    if (block > this.#at || block < this.beginsAt) return false;
    while (this.#at > block) {
      const { blocks } = this.#steps.pop() as KeptStep;
      this.#at -= blocks;
      // Of one step that produced many blocks, keeps the first ones.
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
