/**
 * What happens to a chain, for whoever follows it: blocks that came, blocks that were taken back, transactions that wait
 * for one. Any number of listeners, on either view, at any time.
 *
 * A listener is called twice. At once, while the chain still is as it is told, to read what it wants to know: a moment
 * later a block may be gone. Then, when the store has accepted what it is about, what it returned is called, to tell it
 * on; all in the order in which things happened.
 */

import type { DroppedTransaction } from '../../ledger/apply-block.js';
import type { AppliedTransaction } from '../../ledger/apply-transaction.js';
import type { Chain } from './chain.js';
import type { ChainObserver } from './observer.js';

/** The head, or what is solidified. */
export type FollowedView = 'full' | 'solid';

/** Tells what was read. Must not throw. */
export type Tell = () => void;

export interface ChainListener {
  /** Blocks `first` … `last` have become the view's newest. */
  blocksCame?(first: number, last: number): Tell | undefined;
  /** Blocks `first` … `last`, the view's newest, are about to be taken out of it. They can be read still. */
  blocksGo?(first: number, last: number): Tell | undefined;
  /** A transaction has entered the pool: the full view only. */
  transactionPending?(applied: AppliedTransaction): Tell | undefined;
  /** Transactions that were accepted will be in no block: the full view only. */
  transactionsDropped?(dropped: readonly DroppedTransaction[]): Tell | undefined;
  /** The store refused: what the listener was going to tell has not happened, and it is not called to tell it. */
  untold?(): void;
}

type Heights = Readonly<Record<FollowedView, number>>;

/** Something that happened and is not told yet. */
interface Telling {
  readonly tells: readonly Tell[];
  /** Of the views, after it. */
  readonly heights: Heights;
  accepted: boolean;
}

const VIEWS: readonly FollowedView[] = ['full', 'solid'];

export class Feed {
  readonly #listeners: Readonly<Record<FollowedView, Set<ChainListener>>> = { full: new Set(), solid: new Set() };
  /** Up to where listeners have been called, and have told. */
  #seen: Heights = { full: 0, solid: 0 };
  #told: Heights = this.#seen;
  #waiting: Telling[] = [];
  /** What tells of blocks that are about to go, until they are gone. */
  #going: readonly Tell[] = [];

  /** @param chain Whose feed this is; asked for when something happens, which is after it was opened. */
  constructor(private readonly chain: () => Chain) {}

  /** To be called by the chain. */
  readonly observer: ChainObserver = {
    blockApplied: () => this.#cameOn([]),
    emptyBlocksApplied: () => this.#cameOn([]),
    // The view of what is solidified may go on with it, too.
    transactionPending: (applied) =>
      this.#cameOn(this.#ask('full', (listener) => listener.transactionPending?.(applied))),
    transactionsDropped: (dropped) =>
      this.#cameOn(this.#ask('full', (listener) => listener.transactionsDropped?.(dropped))),
    takingBack: (full, solid) => {
      const heights = { full, solid };
      this.#going = VIEWS.flatMap((view) => this.#goes(view, heights[view]));
    },
    storeRefused: () => {
      // What it did not accept has not happened, and nobody was told.
      this.#waiting = [];
      this.#going = [];
      this.#seen = this.#told;
      for (const view of VIEWS) for (const listener of this.#listeners[view]) listener.untold?.();
    },
    reverted: () => {
      const tells = this.#going;
      this.#going = [];
      this.#cameOn(tells);
    },
  };

  /** @returns what ends it. @example const end = feed.listen('full', { blocksCame: (first, last) => () => tell(last) }) */
  listen(view: FollowedView, listener: ChainListener): () => void {
    if (!this.#isHeard) {
      this.#seen = this.#heights();
      this.#told = this.#seen;
    }
    this.#listeners[view].add(listener);
    return () => {
      this.#listeners[view].delete(listener);
    };
  }

  get #isHeard(): boolean {
    return VIEWS.some((view) => this.#listeners[view].size > 0);
  }

  #heights(): Heights {
    const { headNumber: full, solidHeight: solid } = this.chain();
    return { full, solid };
  }

  #ask(view: FollowedView, question: (listener: ChainListener) => Tell | undefined): Tell[] {
    return [...this.#listeners[view]].flatMap((listener) => question(listener) ?? []);
  }

  /** @param tells of what else has happened, before the blocks */
  #cameOn(tells: readonly Tell[]): void {
    if (!this.#isHeard) return;
    const heights = this.#heights();
    const isNews = tells.length > 0 || VIEWS.some((view) => heights[view] !== this.#seen[view]);
    if (!isNews) return;
    const came = VIEWS.flatMap((view) => {
      const first = this.#seen[view] + 1;
      const last = heights[view];
      return last < first ? [] : this.#ask(view, (listener) => listener.blocksCame?.(first, last));
    });
    this.#seen = heights;
    this.#wait([...tells, ...came]);
  }

  #goes(view: FollowedView, height: number): Tell[] {
    const last = this.#seen[view];
    return last <= height ? [] : this.#ask(view, (listener) => listener.blocksGo?.(height + 1, last));
  }

  #wait(tells: readonly Tell[]): void {
    const telling: Telling = { tells, heights: this.#seen, accepted: false };
    this.#waiting.push(telling);
    this.chain()
      .durable()
      .then(
        () => {
          telling.accepted = true;
          this.#tell();
        },
        () => {
          this.#waiting = this.#waiting.filter((other) => other !== telling);
        },
      );
  }

  #tell(): void {
    for (let next = this.#waiting[0]; next?.accepted; next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#told = next.heights;
      for (const tell of next.tells) tell();
    }
  }
}
