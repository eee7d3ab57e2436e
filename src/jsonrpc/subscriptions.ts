/**
 * What `eth_subscribe` tells of one view of the chain (protocol/devnet-methods.md), made once for all who have
 * subscribed to it: for each block its head and then its logs, for blocks that are taken back their logs the other way
 * round.
 *
 * Owns what is told and in which order. Does not own when (`node/chain/feed.ts`) nor how it gets to a client (`connection.ts`).
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

/** What can be subscribed to. */
export type Wanted =
  | { readonly kind: 'newHeads' }
  | { readonly kind: 'logs'; readonly criteria: LogSubscription['criteria'] }
  | { readonly kind: 'newPendingTransactions'; readonly whole: boolean }
  /** Told once that it is not. */
  | { readonly kind: 'syncing' };

/** What is told at once, in its order. */
export interface Results {
  /** JSON. May be made as it is read, and read more than once. */
  readonly texts: Iterable<string>;
  /** Characters that are kept until they are read. Above {@link MAX_HELD} not all of them are there. */
  readonly held: number;
  /** What is kept once, for however many subscriptions of a client it is told. */
  readonly of?: object;
}

export interface Subscription {
  readonly wanted: Wanted;
  readonly dialect: Dialect;
  readonly tell: (results: Results) => void;
}

/** What may wait for one client, in characters; more is not even collected. */
export const MAX_HELD = 16_777_216;
/** Of all clients together. */
const MAX_SUBSCRIPTIONS = 10_000;
/** Each log of a block is compared with each of them. */
const MAX_LOG_SUBSCRIPTIONS = 2_000;
/** What a log takes while it waits, besides its data. */
const LOG = 700;
/** What a row of empty blocks takes while it waits, whose heads are made as they are read. */
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

  /** From the next block on. @returns what ends it. @throws JsonRpcError for more than all clients may subscribe to */
  open(subscription: Subscription): () => void {
    const { wanted } = subscription;
    if (this.#size >= MAX_SUBSCRIPTIONS)
      throw limitExceeded(`exceed max subscriptions of all clients: ${MAX_SUBSCRIPTIONS}, try again later`);
    if (wanted.kind === 'logs' && this.#logs.size >= MAX_LOG_SUBSCRIPTIONS)
      throw limitExceeded(`exceed max log subscriptions of all clients: ${MAX_LOG_SUBSCRIPTIONS}, try again later`);
    switch (wanted.kind) {
      case 'newHeads':
        return this.#joined(this.#heads, subscription);
      case 'newPendingTransactions':
        return this.#joined(this.#pending, subscription);
      case 'logs':
        return this.#joined(this.#logs, { subscription, meets: logMatcher(wanted.criteria) });
      case 'syncing':
        subscription.tell(NOT_SYNCING);
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
      return inTurn(events);
    },
    blocksRemoved: (first, last) => (this.#logs.size === 0 ? undefined : inTurn(this.#logsTakenBack(first, last))),
    transactionPending: ({ transaction }) => inTurn(this.#pendingOne(transaction.txId)),
  };

  #headsOf({ count, outlines }: BlockRow): SendEvent[] {
    const wallet = fullContext(this.node);
    const shown = (dialect: Dialect, outline: BlockOutline) => JSON.stringify(shownHead(wallet, dialect, outline));
    const inDialect = new Map<Dialect, Results>();
    const resultsIn = (dialect: Dialect): Results => {
      if (count > 1) return { texts: mapped(outlines, (outline) => shown(dialect, outline)), held: EMPTY_ROW };
      return textsOf([...outlines].map((outline) => shown(dialect, outline)));
    };
    return [...this.#heads].map(({ dialect, tell }) => {
      const results = inDialect.get(dialect) ?? resultsIn(dialect);
      inDialect.set(dialect, results);
      return () => tell(results);
    });
  }

  #logsOf({ count, outlines }: BlockRow): SendEvent[] {
    if (this.#logs.size === 0 || count > 1) return [];
    const logs = [...outlines]
      .flatMap((outline) => logsOfBlock(fullContext(this.node), outline))
      .map((log) => worded(log));
    if (logs.length === 0) return [];
    const held = logs.reduce((sum, { log }) => sum + LOG + log.data.length, 0);
    // Compared when they are told: with thousands of followers a block of many logs would be held up by it.
    return [...this.#logs].map(({ subscription, meets }) => {
      const texts = mapped(logs, (one) => (meets(one.log) ? one.text(subscription.dialect) : undefined));
      return () => subscription.tell({ texts, held, of: logs });
    });
  }

  /** The newest block first, and of a block the last log: as they came, backwards. */
  #logsTakenBack(first: number, last: number): SendEvent[] {
    const wallet = fullContext(this.node);
    const rows = [...getBlockRows(wallet, first, last)].reverse();
    function* logs(): Generator<FoundLog> {
      for (const { count, outlines } of rows) {
        if (count === 1) for (const outline of outlines) yield* logsOfBlock(wallet, outline).reverse();
      }
    }
    return this.#reportedTo(logs());
  }

  #reportedTo(logs: Iterable<FoundLog>): SendEvent[] {
    const told = [...this.#logs].map((follower) => ({ ...follower, texts: [] as string[], held: 0 }));
    for (const log of logs) {
      const removed = worded(log, true);
      for (const one of told) {
        if (one.held > MAX_HELD || !one.meets(log)) continue;
        const text = removed.text(one.subscription.dialect);
        one.held += text.length;
        one.texts.push(text);
      }
    }
    return told.flatMap(({ subscription, texts, held }) =>
      texts.length === 0 ? [] : () => subscription.tell({ texts, held }),
    );
  }

  #pendingOne(txId: TxId): SendEvent[] {
    return [...this.#pending].map(({ wanted, dialect, tell }) => {
      const whole = wanted.kind === 'newPendingTransactions' && wanted.whole;
      const wallet = fullContext(this.node);
      const shown = whole ? shownTransactionById(wallet, dialect, txId) : shownHash(wallet, dialect, txId);
      const results = textsOf([JSON.stringify(shown)]);
      return () => tell(results);
    });
  }
}

function inTurn(events: readonly SendEvent[]): SendEvent | undefined {
  if (events.length === 0) return undefined;
  return () => {
    for (const tell of events) tell();
  };
}

function textsOf(texts: readonly string[]): Results {
  return { texts, held: texts.reduce((sum, text) => sum + text.length, 0) };
}

/** Put into words for the first who is told of it. Dialects differ in the name of the transaction. */
function worded(
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

/** What is made undefined is left out. */
function mapped<From, To>(items: Iterable<From>, made: (item: From) => To | undefined): Iterable<To> {
  return {
    *[Symbol.iterator]() {
      for (const item of items) {
        const one = made(item);
        if (one !== undefined) yield one;
      }
    },
  };
}
