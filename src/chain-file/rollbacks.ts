/**
 * Which steps of a file are on the chain at its end: each `goBack` removes steps before it. Keeps the places of
 * rollbacks and of operations, but no steps: a file may have millions.
 */

import type { BlockId } from '../primitives/ids.js';
import type { StepLine } from './step-of-line.js';

/** A place between two steps: after a block, and after some operations on it. */
interface Place {
  readonly block: number;
  readonly operations: number;
}

interface Rollback extends Place {
  /** The number of steps of the file before it. */
  readonly after: number;
  /** The id of the block. */
  readonly id: BlockId | undefined;
}

export interface GoBack extends Place {
  readonly id?: BlockId | undefined;
}

function isHigher(one: Place, other: Place): boolean {
  return one.block === other.block ? one.operations > other.operations : one.block > other.block;
}

/** Follows a file that is read for the first time. */
export class Rollbacks {
  #at: number;
  #steps = 0;
  /** Blocks with operations after them, in ascending order. */
  readonly #operated: { readonly block: number; operations: number }[] = [];
  /** Each goes back to a higher place than the one before: a later one to a lower place makes an earlier one needless. */
  readonly #rollbacks: Rollback[] = [];

  /** @param beginsAt the number of the block before the first step */
  constructor(readonly beginsAt: number) {
    this.#at = beginsAt;
  }

  /** The number of the head. */
  get at(): number {
    return this.#at;
  }

  /** The number of steps so far, removed ones included. */
  get steps(): number {
    return this.#steps;
  }

  get areNone(): boolean {
    return this.#rollbacks.length === 0;
  }

  /** @param blocks the number of its blocks; 0: an operation */
  step(blocks: number): void {
    this.#steps++;
    this.#at += blocks;
    if (blocks > 0) return;
    const last = this.#operated.at(-1);
    if (last?.block === this.#at) last.operations++;
    else this.#operated.push({ block: this.#at, operations: 1 });
  }

  /** @returns false if there is no such place */
  goBack({ block, operations, id }: GoBack): boolean {
    if (block > this.#at || block < this.beginsAt) return false;
    const lower = this.#operated.findLastIndex((one) => one.block <= block);
    const last = this.#operated[lower];
    const there = last?.block === block ? last.operations : 0;
    if (operations > there) return false;
    this.#operated.length = lower + 1;
    if (last?.block === block) last.operations = operations;
    this.#at = block;
    let first = id;
    for (let earlier = this.#rollbacks.at(-1); earlier !== undefined; earlier = this.#rollbacks.at(-1)) {
      if (isHigher({ block, operations }, earlier)) break;
      // A run that both cut short was cut by the earlier one.
      if (earlier.block === block) first = earlier.id;
      this.#rollbacks.pop();
    }
    this.#rollbacks.push({ block, operations, id: first, after: this.#steps });
    return true;
  }

  /** For a second reading of the same file. */
  remaining(): RemainingSteps {
    return new RemainingSteps(this.beginsAt, this.#rollbacks);
  }
}

/** A step that stays, and the number of the head after it. */
export interface RemainingStep {
  readonly line: StepLine;
  readonly to: number;
}

/** Follows the file again, and selects its steps. */
export class RemainingSteps {
  #at: number;
  #operations = 0;
  #steps = 0;
  /** The next rollback: of those that follow, it goes back the furthest. */
  #next = 0;

  constructor(
    beginsAt: number,
    private readonly rollbacks: readonly Rollback[],
  ) {
    this.#at = beginsAt;
  }

  /** @returns the step as it stays; undefined: it is removed later */
  step(line: StepLine, blocks: number): RemainingStep | undefined {
    while ((this.rollbacks[this.#next]?.after ?? Number.POSITIVE_INFINITY) <= this.#steps) this.#next++;
    this.#steps++;
    const from = this.#at;
    this.#at += blocks;
    this.#operations = blocks === 0 ? this.#operations + 1 : 0;
    const to = this.#at;
    const back = this.rollbacks[this.#next];
    if (back === undefined || !isHigher({ block: to, operations: this.#operations }, back)) return { line, to };
    if (from >= back.block) return undefined;
    // Of one step that produced many blocks, the first ones stay.
    return { line: { produceEmpty: { blocks: back.block - from, ...(back.id && { id: back.id }) } }, to: back.block };
  }

  goBack({ block, operations }: GoBack): void {
    this.#at = block;
    this.#operations = operations;
  }
}
