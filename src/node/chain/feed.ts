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
export type SendEvent = () => void;

export interface ChainListener {
  /** Blocks `first` … `last` are the view's newest. */
  blocksAdded?(first: number, last: number): SendEvent | undefined;
  /** Blocks `first` … `last`, the view's newest, are about to be rolled back. They can still be read. */
  blocksRemoved?(first: number, last: number): SendEvent | undefined;
  /** A transaction has entered the pool: only for the full view. */
  transactionPending?(applied: AppliedTransaction): SendEvent | undefined;
  /** Accepted transactions were dropped: only for the full view. */
  transactionsDropped?(dropped: readonly DroppedTransaction[]): SendEvent | undefined;
  /** The store refused the batch: the event did not happen, and will not be sent. */
  discarded?(): void;
}

type Heights = Readonly<Record<FollowedView, number>>;

/** An event that is not sent yet. */
interface PendingEvent {
  readonly events: readonly SendEvent[];
  /** Heads of the views after it. */
  readonly heights: Heights;
  accepted: boolean;
}

const VIEWS: readonly FollowedView[] = ['full', 'solid'];

export class Feed {
  readonly #listeners: Readonly<Record<FollowedView, Set<ChainListener>>> = { full: new Set(), solid: new Set() };
  /** Blocks up to which listeners were called, and have sent events. */
  #seen: Heights = { full: 0, solid: 0 };
  #sent: Heights = this.#seen;
  #waiting: PendingEvent[] = [];
  /** Events of blocks that are about to be rolled back, until they are. */
  #removals: readonly SendEvent[] = [];
  /** Undefined: no rollback is under way. */
  #rollsBackTo: Heights | undefined;

  /** @param chain the chain of the feed; read only after it was opened */
  constructor(private readonly chain: () => Chain) {}

  /** Called by the chain. */
  readonly observer: ChainObserver = {
    blockApplied: () => this.#advance([]),
    emptyBlocksApplied: () => this.#advance([]),
    // The solidified view may advance with it.
    transactionPending: (applied) =>
      this.#advance(this.#collect('full', (listener) => listener.transactionPending?.(applied))),
    transactionsDropped: (dropped) =>
      this.#advance(this.#collect('full', (listener) => listener.transactionsDropped?.(dropped))),
    rollingBack: (full, solid) => {
      const heights = { full, solid };
      this.#removals = VIEWS.flatMap((view) => this.#removalsAbove(view, heights[view]));
      this.#rollsBackTo = heights;
    },
    storeRefused: () => {
      // What the store did not accept has not happened, and was not sent.
      this.#waiting = [];
      this.#removals = [];
      this.#rollsBackTo = undefined;
      this.#seen = this.#sent;
      for (const view of VIEWS) for (const listener of this.#listeners[view]) listener.discarded?.();
    },
    reverted: () => {
      const events = this.#removals;
      this.#removals = [];
      this.#seen = lower(this.#seen, this.#rollsBackTo ?? this.#seen);
      this.#rollsBackTo = undefined;
      this.#advance(events);
    },
  };

  /** @returns ends the subscription */
  listen(view: FollowedView, listener: ChainListener): () => void {
    if (!this.#hasListeners) {
      this.#seen = this.#heights();
      this.#sent = this.#seen;
    }
    this.#listeners[view].add(listener);
    return () => {
      this.#listeners[view].delete(listener);
    };
  }

  get #hasListeners(): boolean {
    return VIEWS.some((view) => this.#listeners[view].size > 0);
  }

  #heights(): Heights {
    const { headNumber: full, solidHeight: solid } = this.chain();
    return { full, solid };
  }

  #collect(view: FollowedView, eventOf: (listener: ChainListener) => SendEvent | undefined): SendEvent[] {
    return [...this.#listeners[view]].flatMap((listener) => eventOf(listener) ?? []);
  }

  /** @param events events that precede the blocks */
  #advance(events: readonly SendEvent[]): void {
    if (!this.#hasListeners) return;
    const heights = this.#heights();
    const hasChanged = events.length > 0 || VIEWS.some((view) => heights[view] !== this.#seen[view]);
    if (!hasChanged) return;
    // Somebody has made the lag of the solidified view longer.
    const hidden = this.#rollsBackTo === undefined ? this.#removalsAbove('solid', heights.solid) : [];
    const added = VIEWS.flatMap((view) => {
      const first = this.#seen[view] + 1;
      const last = heights[view];
      return last < first ? [] : this.#collect(view, (listener) => listener.blocksAdded?.(first, last));
    });
    this.#seen = heights;
    this.#enqueue([...events, ...hidden, ...added]);
  }

  #removalsAbove(view: FollowedView, height: number): SendEvent[] {
    const last = this.#seen[view];
    return last <= height ? [] : this.#collect(view, (listener) => listener.blocksRemoved?.(height + 1, last));
  }

  #enqueue(events: readonly SendEvent[]): void {
    const event: PendingEvent = { events, heights: this.#seen, accepted: false };
    this.#waiting.push(event);
    this.chain()
      .durable()
      .then(
        () => {
          event.accepted = true;
          this.#flush();
        },
        () => {
          this.#waiting = this.#waiting.filter((other) => other !== event);
        },
      );
  }

  #flush(): void {
    for (let next = this.#waiting[0]; next?.accepted; next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#sent = next.heights;
      for (const send of next.events) send();
    }
  }
}

function lower(one: Heights, other: Heights): Heights {
  return { full: Math.min(one.full, other.full), solid: Math.min(one.solid, other.solid) };
}
