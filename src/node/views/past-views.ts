/**
 * The ledger as it was at a height: for reading, and for running calls in a dry run.
 *
 * Owns which views are kept, and what a height within a run of empty blocks is. What a view is: `state/views.ts`.
 */

import { emptyRunStart } from '../../ledger/blocks/empty-blocks.js';
import { Ledger } from '../../ledger/ledger.js';
import { mineEmptyRun } from '../../ledger/mine-empty-run.js';
import { RecentMap } from '../../primitives/recent-map.js';
import { endOfHeight } from '../../state/row-changes.js';
import { State } from '../../state/state.js';
import { View } from '../../state/views.js';
import type { Commit, Commits } from '../storage/commits.js';

const KEPT_VIEWS = 8;

export class PastViews {
  /** The one that was asked for last at the end. */
  readonly #views = new RecentMap<number, Ledger>(KEPT_VIEWS);

  constructor(
    private readonly ledger: Ledger,
    private readonly commits: Commits,
  ) {}

  /** Without what is pending, also at the head. What was asked for lately is kept with the rows that were read of it. */
  at(height: number): Ledger {
    const ledger = this.#views.get(height) ?? this.alone(height);
    this.#views.set(height, ledger);
    return ledger;
  }

  /** One that nobody else has: for work that lets others have their turn before it has taken back what it did. */
  alone(height: number): Ledger {
    // Within a run of empty blocks there are no pre-images: the part up to the height is made again, in closed form.
    const start = emptyRunStart(this.ledger, height);
    const base = start === undefined ? height : start - 1;
    const { state, config } = this.ledger;
    const { newest, changes } = this.commits;
    const view = new View(state, newest ?? changes, newest ?? this.commits, base, endOfHeight(base));
    const ledger = new Ledger(new State(view), config);
    if (base < height) mineEmptyRun(ledger, height - base);
    return ledger;
  }

  /** What is done after a block belongs to its height. */
  committed({ to, step }: Commit): void {
    if (!this.commits.keepsPast) this.clear();
    else if (step > 0) this.#views.delete(to);
  }

  /** The chain went back: heights may mean other blocks from here on. */
  clear(): void {
    this.#views.clear();
  }
}
