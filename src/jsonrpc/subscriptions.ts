/**
 * Events of `eth_subscribe` for one view of the chain (protocol/devnet-methods.md), built once for all subscribers: for
 * each block its head, then its logs; for rolled-back blocks their logs in reverse order.
 *
 * Owns the events and their order. `node/chain/feed.ts` determines the time, `connection.ts` the delivery.
 */

import type { ChainListener, FollowedView, SendEvent } from '../node/chain/feed.js';
import type { LogSubscription } from '../node/chain/filters.js';
import type { Node } from '../node/node.js';
import type { TxId } from '../primitives/ids.js';
import { type BlockOutline, type BlockRow, getBlockRows } from '../wallet/blocks.js';
import { fullContext } from '../wallet/context.js';
import { type FoundLog, logMatcher, logsOfBlock } from '../wallet/logs.js';
import type { Dialect } from './dialect.js';
import { limitExceeded } from './errors.js';
import { shownHash, shownHead, shownLog, shownTransactionById } from './objects.js';

/** What a client can subscribe to. */
export type SubscriptionTarget =
  | { readonly kind: 'newHeads' }
  | { readonly kind: 'logs'; readonly criteria: LogSubscription['criteria'] }
  | { readonly kind: 'newPendingTransactions'; readonly whole: boolean }
  /** Sends `false` once. */
  | { readonly kind: 'syncing' };

/** Results that are sent together, in order. */
export interface Results {
  /** JSON. May be built while it is read, and may be read more than once. */
  readonly texts: Iterable<string>;
  /** Stored characters until they are read. Above {@link MAX_HELD}, the texts are incomplete. */
  readonly held: number;
  /** Data that are stored once for all subscriptions of a client. */
  readonly of?: object;
}

export interface Subscription {
  readonly target: SubscriptionTarget;
  readonly dialect: Dialect;
  readonly notify: (results: Results) => void;
}

/** Maximum queued characters for one client; further ones are not collected. */
export const MAX_HELD = 16_777_216;
/** Of all clients together. */
const MAX_SUBSCRIPTIONS = 10_000;
/** Each log of a block is compared with all of them. */
const MAX_LOG_SUBSCRIPTIONS = 2_000;
/** Stored size of a queued log, without its data. */
const LOG = 700;
/** Stored size of a queued run of empty blocks, whose heads are built when they are read. */
const EMPTY_ROW = 1_024;

const NOT_SYNCING: Results = { texts: ['false'], held: 0 };

interface Follower {
  readonly subscription: Subscription;
  readonly meets: (log: FoundLog) => boolean;
}

export class Subscriptions {
  readonly #heads = new Set<Subscription>();
  readonly #logs = new Set<Follower>();
  readonly #pending = new Set<Subscription>();
  #stopListening: (() => void) | undefined;

  constructor(
    private readonly node: Node,
    private readonly view: FollowedView,
  ) {}

  /**
   * Starts with the next block.
   *
   * @returns a function that ends it.
   * @throws JsonRpcError if there are too many subscriptions
   */
  open(subscription: Subscription): () => void {
    const { target } = subscription;
    if (this.#size >= MAX_SUBSCRIPTIONS)
      throw limitExceeded(`exceed max subscriptions of all clients: ${MAX_SUBSCRIPTIONS}, try again later`);
    if (target.kind === 'logs' && this.#logs.size >= MAX_LOG_SUBSCRIPTIONS)
      throw limitExceeded(`exceed max log subscriptions of all clients: ${MAX_LOG_SUBSCRIPTIONS}, try again later`);
    switch (target.kind) {
      case 'newHeads':
        return this.#joined(this.#heads, subscription);
      case 'newPendingTransactions':
        return this.#joined(this.#pending, subscription);
      case 'logs':
        return this.#joined(this.#logs, { subscription, meets: logMatcher(target.criteria) });
      case 'syncing':
        subscription.notify(NOT_SYNCING);
        return () => {};
    }
  }

  get #size(): number {
    return this.#heads.size + this.#logs.size + this.#pending.size;
  }

  #joined<Member>(members: Set<Member>, member: Member): () => void {
    this.#stopListening ??= this.node.feed.listen(this.view, this.#listener);
    members.add(member);
    return () => {
      members.delete(member);
      if (this.#size > 0) return;
      this.#stopListening?.();
      this.#stopListening = undefined;
    };
  }

  readonly #listener: ChainListener = {
    blocksAdded: (first, last) => {
      const events = [...getBlockRows(fullContext(this.node), first, last)].flatMap((row) => [
        ...this.#headsOf(row),
        ...this.#logsOf(row),
      ]);
      return inOrder(events);
    },
    blocksRemoved: (first, last) => (this.#logs.size === 0 ? undefined : inOrder(this.#logsRolledBack(first, last))),
    transactionPending: ({ transaction }) => inOrder(this.#pendingOne(transaction.txId)),
  };

  #headsOf({ count, outlines }: BlockRow): SendEvent[] {
    const wallet = fullContext(this.node);
    const shown = (dialect: Dialect, outline: BlockOutline) => JSON.stringify(shownHead(wallet, dialect, outline));
    const inDialect = new Map<Dialect, Results>();
    const resultsIn = (dialect: Dialect): Results => {
      if (count > 1) return { texts: mapLazily(outlines, (outline) => shown(dialect, outline)), held: EMPTY_ROW };
      return textsOf([...outlines].map((outline) => shown(dialect, outline)));
    };
    return [...this.#heads].map(({ dialect, notify }) => {
      const results = inDialect.get(dialect) ?? resultsIn(dialect);
      inDialect.set(dialect, results);
      return () => notify(results);
    });
  }

  #logsOf({ count, outlines }: BlockRow): SendEvent[] {
    if (this.#logs.size === 0 || count > 1) return [];
    const logs = [...outlines]
      .flatMap((outline) => logsOfBlock(fullContext(this.node), outline))
      .map((log) => serialisedLog(log));
    if (logs.length === 0) return [];
    const held = logs.reduce((sum, { log }) => sum + LOG + log.data.length, 0);
    // Matched on delivery: with thousands of subscriptions, a block with many logs would be delayed.
    return [...this.#logs].map(({ subscription, meets }) => {
      const texts = mapLazily(logs, (one) => (meets(one.log) ? one.text(subscription.dialect) : undefined));
      return () => subscription.notify({ texts, held, of: logs });
    });
  }

  /** Newest block first, and in a block the last log first. */
  #logsRolledBack(first: number, last: number): SendEvent[] {
    const wallet = fullContext(this.node);
    const rows = [...getBlockRows(wallet, first, last)].reverse();
    function* logs(): Generator<FoundLog> {
      for (const { count, outlines } of rows) {
        if (count === 1) for (const outline of outlines) yield* logsOfBlock(wallet, outline).reverse();
      }
    }
    return this.#deliver(logs());
  }

  #deliver(logs: Iterable<FoundLog>): SendEvent[] {
    const deliveries = [...this.#logs].map((follower) => ({ ...follower, texts: [] as string[], held: 0 }));
    for (const log of logs) {
      const removed = serialisedLog(log, true);
      for (const one of deliveries) {
        if (one.held > MAX_HELD || !one.meets(log)) continue;
        const text = removed.text(one.subscription.dialect);
        one.held += text.length;
        one.texts.push(text);
      }
    }
    return deliveries.flatMap(({ subscription, texts, held }) =>
      texts.length === 0 ? [] : () => subscription.notify({ texts, held }),
    );
  }

  #pendingOne(txId: TxId): SendEvent[] {
    return [...this.#pending].map(({ target, dialect, notify }) => {
      const whole = target.kind === 'newPendingTransactions' && target.whole;
      const wallet = fullContext(this.node);
      const shown = whole ? shownTransactionById(wallet, dialect, txId) : shownHash(wallet, dialect, txId);
      const results = textsOf([JSON.stringify(shown)]);
      return () => notify(results);
    });
  }
}

function inOrder(events: readonly SendEvent[]): SendEvent | undefined {
  if (events.length === 0) return undefined;
  return () => {
    for (const send of events) send();
  };
}

function textsOf(texts: readonly string[]): Results {
  return { texts, held: texts.reduce((sum, text) => sum + text.length, 0) };
}

/** Serialised for the first subscriber. Dialects differ in the transaction's hash. */
function serialisedLog(
  log: FoundLog,
  isRemoved = false,
): { readonly log: FoundLog; readonly text: (dialect: Dialect) => string } {
  const texts = new Map<boolean, string>();
  return {
    log,
    text: (dialect) => {
      const text = texts.get(dialect.ethereum) ?? JSON.stringify(shownLog(dialect, log, isRemoved));
      texts.set(dialect.ethereum, text);
      return text;
    },
  };
}

/** Maps lazily, and omits undefined results. */
function mapLazily<From, To>(items: Iterable<From>, made: (item: From) => To | undefined): Iterable<To> {
  return {
    *[Symbol.iterator]() {
      for (const item of items) {
        const one = made(item);
        if (one !== undefined) yield one;
      }
    },
  };
}
