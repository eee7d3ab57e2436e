/**
 * The snapshots that there are: their ids, what each holds, and which are used up. What going back to one means is the
 * node's (`node.ts`), and the chain's (`ways-back.ts`).
 */

import { OperationError } from '../../errors/operation-error.js';
import type { Hex } from '../../primitives/hex.js';
import type { Filter } from '../chain/filters.js';
import type { SavedQueue } from '../chain/nonce-queue.js';
import type { ChainSnapshot } from '../chain/rollback.js';
import type { SavedClock } from '../clock/clock.js';
import type { MiningSettings } from '../clock/mining-settings.js';
import type { BuildTime } from '../production/build-times.js';
import type { ArrangedRefusals } from './operations.js';

/** Far more than any suite has before it goes back; each holds a kilobyte, and what is pending by reference. */
const MOST_SNAPSHOTS = 10_000;

export interface NodeSnapshot {
  readonly chain: ChainSnapshot;
  readonly clock: SavedClock;
  readonly mining: MiningSettings;
  readonly arranged: ArrangedRefusals | undefined;
  readonly built: BuildTime | undefined;
  readonly queued: SavedQueue;
  readonly filters: { readonly full: ReadonlyMap<Hex, Filter>; readonly solid: ReadonlyMap<Hex, Filter> };
}

export class Snapshots {
  /** In the order in which they were taken. */
  readonly #held = new Map<string, NodeSnapshot>();
  #last = 0;

  /** @throws OperationError when there are very many */
  refuseIfFull(): void {
    if (this.#held.size >= MOST_SNAPSHOTS)
      throw new OperationError(
        `there are already ${MOST_SNAPSHOTS} snapshots, the maximum. Remove one with tron_dropSnapshot, or use one with revert`,
      );
  }

  /** @returns its id: `0x1`, `0x2`, … An id is given once, whatever is gone back to. */
  add(snapshot: NodeSnapshot): string {
    const id = `0x${(++this.#last).toString(16)}`;
    this.#held.set(id, snapshot);
    return id;
  }

  get(id: string): NodeSnapshot | undefined {
    return this.#held.get(id);
  }

  /** The number of the head of then, by id. */
  get heights(): ReadonlyMap<string, number> {
    return new Map([...this.#held].map(([id, { chain }]) => [id, chain.height]));
  }

  /** Infinity where there is none. */
  get lowestHeight(): number {
    return Math.min(...[...this.#held.values()].map(({ chain }) => chain.height));
  }

  /** @returns whether there was one */
  drop(id: string): boolean {
    return this.#held.delete(id);
  }

  /** It, and all that were taken after it. */
  dropFrom(id: string): void {
    let reached = false;
    for (const known of [...this.#held.keys()]) {
      reached ||= known === id;
      if (reached) this.#held.delete(known);
    }
  }

  /** Those of heads that are no more. */
  dropAbove(height: number): void {
    for (const [id, { chain }] of this.#held) if (chain.height > height) this.#held.delete(id);
  }

  clear(): void {
    this.#held.clear();
  }
}
