/**
 * The ledger as it was at a height: for reading, and for running calls in a dry run.
 *
 * Owns which views are kept and that each follows the chain as it grows. What a view is: `state/views.ts`.
 */

import { mineEmptyRun } from '../ledger/blocks/empty-blocks.js';
import { Ledger } from '../ledger/ledger.js';
import { State } from '../state/state.js';
import { View } from '../state/views.js';
import type { Commit, Commits } from './commits.js';

const KEPT_VIEWS = 8;

export class PastViews {
  readonly #views = new Map<number, { readonly view: View; readonly ledger: Ledger }>();

  constructor(
    private readonly ledger: Ledger,
    private readonly commits: Commits,
  ) {}

  /** The first time costs what lies between the height and the head. Without what is pending, also at the head. */
  at(height: number): Ledger {
    const known = this.#views.get(height);
    if (known !== undefined) return known.ledger;
    const view = new View(this.ledger.state);
    const commits = [...this.commits.down(height)];
    for (const commit of commits.toReversed()) view.fold(commit.images);
    const ledger = new Ledger(new State(view), this.ledger.config);
    // Within a run of empty blocks there are no pre-images: the part up to the height is made again, in closed form.
    const base = commits.at(-1)?.from ?? height;
    if (base < height) mineEmptyRun(ledger, height - base);
    this.#views.set(height, { view, ledger });
    if (this.#views.size > KEPT_VIEWS) this.#views.delete(this.#views.keys().next().value as number);
    return ledger;
  }

  /** The head has moved on: what is kept stays where it is. What is done after a block belongs to its height. */
  committed({ to, step, images }: Commit): void {
    if (step > 0) this.#views.delete(to);
    for (const { view } of this.#views.values()) view.fold(images);
  }

  /** The chain went back: heights may mean other blocks from here on. */
  clear(): void {
    this.#views.clear();
  }
}
