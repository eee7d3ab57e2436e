/**
 * The ledger at a past height: for reading, and for dry runs of calls.
 *
 * Owns the cache of views, and heights within a run of empty blocks. `state/views.ts` implements a view.
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
  /** The most recently used view is the last. */
  readonly #views = new RecentMap<number, Ledger>(KEPT_VIEWS);

  constructor(
    private readonly ledger: Ledger,
    private readonly commits: Commits,
  ) {}

  /** Without pending transactions, also at the head. Recent views are cached with the rows that were read. */
  at(height: number): Ledger {
    const ledger = this.#views.get(height) ?? this.alone(height);
    this.#views.set(height, ledger);
    return ledger;
  }

  /** An unshared view, for work that yields to others before it has reverted its changes. */
  alone(height: number): Ledger {
    // Runs of empty blocks have no pre-images: the part up to the height is computed again, in closed form.
    const start = emptyRunStart(this.ledger, height);
    const base = start === undefined ? height : start - 1;
    const { state, config } = this.ledger;
    const { newest, changes } = this.commits;
    const view = new View(state, newest ?? changes, newest ?? this.commits, base, endOfHeight(base));
    const ledger = new Ledger(new State(view), config);
    if (base < height) mineEmptyRun(ledger, height - base);
    return ledger;
  }

  /** Operations after a block belong to its height. */
  committed({ to, step }: Commit): void {
    if (!this.commits.keepsPast) this.clear();
    else if (step > 0) this.#views.delete(to);
  }

  /** After a rollback, heights may mean other blocks. */
  clear(): void {
    this.#views.clear();
  }
}
