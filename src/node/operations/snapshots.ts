/** The snapshots: ids, contents, and which are used up. Reverting is in `node.ts` and in `chain/rollback.ts`. */

import { OperationError } from '../../errors/operation-error.js';
import type { Hex } from '../../primitives/hex.js';
import type { Filter } from '../chain/filters.js';
import type { SavedQueue } from '../chain/nonce-queue.js';
import { type ChainSnapshot, neededHeightOf } from '../chain/rollback.js';
import type { SavedClock } from '../clock/clock.js';
import type { MiningSettings } from '../clock/mining-settings.js';
import type { BuildTime } from '../production/build-times.js';
import type { ArrangedRefusals } from './operations.js';

/** Far above any test suite's need; each holds a kilobyte, and pending transactions by reference. */
const MAX_SNAPSHOTS = 10_000;

export interface NodeSnapshot {
  readonly chain: ChainSnapshot;
  readonly clock: SavedClock;
  readonly mining: MiningSettings;
  readonly arranged: ArrangedRefusals | undefined;
  readonly built: BuildTime | undefined;
  readonly queued: SavedQueue;
  readonly filters: { readonly full: ReadonlyMap<Hex, Filter>; readonly solid: ReadonlyMap<Hex, Filter> };
}

/** In order of creation. */
export type HeldSnapshots = readonly (readonly [id: string, snapshot: NodeSnapshot])[];

export class Snapshots {
  /** In order of creation. */
  readonly #held = new Map<string, NodeSnapshot>();
  #last = 0;

  /** @param isReached whether the chain can go back to it */
  constructor(private readonly isReached: (chain: ChainSnapshot) => boolean) {}

  /** @throws OperationError above the maximum number */
  refuseIfFull(): void {
    if (this.#held.size >= MAX_SNAPSHOTS)
      throw new OperationError(
        `there are already ${MAX_SNAPSHOTS} snapshots, the maximum. Remove one with tron_dropSnapshot, or use one with revert`,
      );
  }

  /** @returns its id: `0x1`, `0x2`, … An id is never reused. */
  add(snapshot: NodeSnapshot): string {
    const id = `0x${(++this.#last).toString(16)}`;
    this.#held.set(id, snapshot);
    return id;
  }

  get(id: string): NodeSnapshot | undefined {
    return this.#held.get(id);
  }

  /** The number of the snapshot's head, by id. */
  get heights(): ReadonlyMap<string, number> {
    return new Map([...this.#held].map(([id, { chain }]) => [id, chain.height]));
  }

  /** The lowest height whose state a revert needs. Infinity if there is none. */
  get lowestHeight(): number {
    return Math.min(...[...this.#held.values()].map(({ chain }) => neededHeightOf(chain)));
  }

  /** @returns whether it existed */
  drop(id: string): boolean {
    return this.#held.delete(id);
  }

  /** It and all later ones. @returns them */
  dropFrom(id: string): HeldSnapshots {
    const all = [...this.#held];
    const dropped = all.slice(all.findIndex(([known]) => known === id));
    for (const [known] of dropped) this.#held.delete(known);
    return dropped;
  }

  /** What {@link dropFrom} returned, and what was taken since. */
  putBack(dropped: HeldSnapshots): void {
    const byAge = [...this.#held, ...dropped].sort(([a], [b]) => Number(a) - Number(b));
    this.#held.clear();
    for (const [id, snapshot] of byAge) this.#held.set(id, snapshot);
    this.dropUnreached();
  }

  /** Those whose head was removed. */
  dropAbove(height: number): void {
    for (const [id, { chain }] of this.#held) if (chain.height > height) this.#held.delete(id);
  }

  /** What the disk has refused has not happened, nor snapshots of it: a later block with that number is another one. */
  dropUnreached(): void {
    for (const [id, { chain }] of this.#held) if (!this.isReached(chain)) this.#held.delete(id);
  }

  clear(): void {
    this.#held.clear();
  }
}
