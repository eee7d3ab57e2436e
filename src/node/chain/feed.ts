/**
 * Chain events for followers: new blocks, rolled back blocks, pending transactions. Any number of listeners, on either
 * view, at any time. A listener is called in two phases. First synchronously, to read what it needs: soon afterwards
 * the block may be rolled back. Later, when the store has accepted the change, the returned function is called to send
 * the event; all in order.
 */

import type { DroppedTransaction } from '../../ledger/apply-block.js';
import type { AppliedTransaction } from '../../ledger/apply-transaction.js';
import type { Chain } from './chain.js';
import type { ChainObserver } from './observer.js';

/** The head, or the solidified block. */
export type FollowedView = 'full' | 'solid';

/** Sends the event. Must not throw. */
export type Tell = () => void;

export interface ChainListener {
  /** Blocks `first` … `last` are the view's newest. */
  blocksCame?(first: number, last: number): Tell | undefined;
  /** Blocks `first` … `last`, the view's newest, are about to be rolled back. They can still be read. */
  blocksGo?(first: number, last: number): Tell | undefined;
  /** A transaction has entered the pool: only for the full view. */
  transactionPending?(applied: AppliedTransaction): Tell | undefined;
  /** Accepted transactions were dropped: only for the full view. */
  transactionsDropped?(dropped: readonly DroppedTransaction[]): Tell | undefined;
  /** The store refused the batch: the event did not happen, and will not be sent. */
  untold?(): void;
}

type Heights = Readonly<Record<FollowedView, number>>;

/** An event that is not sent yet. */
interface Telling {
  readonly tells: readonly Tell[];
  /** Heads of the views after it. */
  readonly heights: Heights;
  accepted: boolean;
}

const VIEWS: readonly FollowedView[] = ['full', 'solid'];

export class Feed {
  readonly #listeners: Readonly<Record<FollowedView, Set<ChainListener>>> = { full: new Set(), solid: new Set() };
  /** Blocks up to which listeners were called, and have sent events. */
  #seen: Heights = { full: 0, solid: 0 };
  #told: Heights = this.#seen;
  #waiting: Telling[] = [];
  /** Events of blocks that are about to be rolled back, until they are. */
  #going: readonly Tell[] = [];

  /** @param chain the chain of the feed; read only after it was opened */
  constructor(private readonly chain: () => Chain) {}

  /** Called by the chain. */
  readonly observer: ChainObserver = {
    blockApplied: () => this.#cameOn([]),
    emptyBlocksApplied: () => this.#cameOn([]),
    // The solidified view may advance with it.
    transactionPending: (applied) =>
      this.#cameOn(this.#ask('full', (listener) => listener.transactionPending?.(applied))),
    transactionsDropped: (dropped) =>
      this.#cameOn(this.#ask('full', (listener) => listener.transactionsDropped?.(dropped))),
    takingBack: (full, solid) => {
      const heights = { full, solid };
      this.#going = VIEWS.flatMap((view) => this.#goes(view, heights[view]));
    },
    storeRefused: () => {
      // What the store did not accept has not happened, and was not sent.
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

  /**
   * @returns ends the subscription. @example const end = feed.listen('full', { blocksCame: (first, last) => () =>
   * tell(last) })
   */
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

  /** @param tells events that precede the blocks */
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
