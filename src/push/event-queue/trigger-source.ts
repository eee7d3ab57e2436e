/**
 * Turns chain events into triggers (protocol/events.md). Of a block: first logs and events of contracts, then the
 * block, then its transactions, as in java-tron; then triggers of solidified blocks, which java-tron sends before the
 * block.
 */

import type { ChainListener, FollowedView, SendEvent } from '../../node/chain/feed.js';
import type { Node } from '../../node/node.js';
import { isSince, type Release } from '../../primitives/release.js';
import { type BlockOutline, type BlockRow, getBlockRows, solidifiedNumber } from '../../wallet/blocks.js';
import { fullContext, type WalletContext } from '../../wallet/context.js';
import type { HistoricTransaction } from '../../wallet/history/transactions.js';
import { energyPrice } from '../../wallet/prices.js';
import { type TriggerLog, triggerLogs, triggerTransactions } from '../../wallet/triggers.js';
import type { Subscription, TriggerKind } from './subscription.js';
import {
  blockTrigger,
  eventTrigger,
  type LogMoment,
  logTrigger,
  type Moment,
  solidityTrigger,
  type Trigger,
  transactionTrigger,
} from './triggers.js';

/** Triggers, made while they are read; can be read once. */
export type Publish = (triggers: Iterable<Trigger>) => void;

/** From this release on, triggers of blocks and transactions have `removed`, too (java-tron's pull request 6833). */
const BLOCKS_TAKEN_BACK: Release = '4.8.2';
/** Number of empty blocks that are reversed at a time. */
const SLICE = 1_000;

export class TriggerSource {
  readonly #ends: readonly (() => void)[];
  /** `latestSolidifiedBlockNumber` before the block, as java-tron's contract triggers have it. */
  #solidified: number;
  /** The value of `removed` for a new block; undefined: omitted. */
  readonly #there: { readonly removed?: boolean };

  constructor(
    private readonly node: Node,
    private readonly subscription: Subscription,
    private readonly publish: Publish,
  ) {
    this.#solidified = solidifiedNumber(fullContext(node));
    this.#there = isSince(BLOCKS_TAKEN_BACK, node.chain.config.release) ? { removed: false } : {};
    this.#ends = [node.feed.listen('full', this.#listener('full')), node.feed.listen('solid', this.#listener('solid'))];
  }

  end(): void {
    for (const end of this.#ends) end();
  }

  #listener(view: FollowedView): ChainListener {
    return {
      blocksAdded: (first, last) => this.#sending(this.#came(view, first, last)),
      blocksRemoved: (first, last) => (view === 'full' ? this.#sending(this.#gone(first, last)) : undefined),
      // What was solidified with blocks that the disk has refused is not.
      discarded: () => {
        this.#solidified = solidifiedNumber(fullContext(this.node));
      },
    };
  }

  #sending(triggers: readonly Iterable<Trigger>[]): SendEvent | undefined {
    if (triggers.length === 0) return undefined;
    return () => {
      for (const some of triggers) this.publish(some);
    };
  }

  #came(view: FollowedView, first: number, last: number): Iterable<Trigger>[] {
    const context = fullContext(this.node);
    const newest = solidifiedNumber(context);
    // Triggers of a run are made when they are sent, and the chain has gone on by then.
    const before = this.#solidified;
    const triggers: Iterable<Trigger>[] = [];
    for (const row of getBlockRows(context, first, last)) {
      // In a run of empty blocks each was solidified with the same distance as the last.
      const solidifiedAt = (number: number) => Math.max(before, newest - (last - number));
      triggers.push(view === 'full' ? this.#ofFull(context, row, solidifiedAt) : this.#ofSolid(context, row, newest));
    }
    if (view === 'full') this.#solidified = newest;
    return triggers;
  }

  #ofFull(context: WalletContext, row: BlockRow, solidifiedAt: (number: number) => number): Iterable<Trigger> {
    if (row.count > 1) {
      if (!this.#wants('block') || this.#whenSolid('block')) return [];
      return mapped(row.outlines, (block) =>
        blockTrigger({ block, solidified: solidifiedAt(block.number), ...this.#there }),
      );
    }
    return [...row.outlines].flatMap((block) => {
      const moment = { block, solidified: solidifiedAt(block.number), ...this.#there };
      return [
        ...this.#ofLogs(context, { block, solidified: this.#solidified }, 'contract', false),
        ...(this.#wants('block') && !this.#whenSolid('block') ? [blockTrigger(moment)] : []),
        ...(this.#whenSolid('transaction') ? [] : this.#ofTransactions(context, moment)),
      ];
    });
  }

  #ofSolid(context: WalletContext, row: BlockRow, newest: number): Iterable<Trigger> {
    if (row.count > 1) {
      return flat(row.outlines, (block) => [
        ...(this.#wants('solidity') ? [solidityTrigger(block)] : []),
        ...(this.#whenSolid('block') ? [blockTrigger({ block, solidified: newest, ...this.#there })] : []),
      ]);
    }
    return [...row.outlines].flatMap((block) => {
      const moment = { block, solidified: newest, ...this.#there };
      return [
        ...this.#ofLogs(context, moment, 'solidity', false),
        ...(this.#wants('solidity') ? [solidityTrigger(block)] : []),
        ...(this.#whenSolid('block') ? [blockTrigger(moment)] : []),
        ...(this.#whenSolid('transaction') ? this.#ofTransactions(context, moment) : []),
      ];
    });
  }

  /** Newest block first, and within a block the first log first. */
  #gone(first: number, last: number): Iterable<Trigger>[] {
    const context = fullContext(this.node);
    this.#solidified = Math.min(this.#solidified, first - 1);
    const solidified = this.#solidified;
    const triggers: Iterable<Trigger>[] = [];
    const tellsBlocks = this.#there.removed === false;
    for (let end = last; end >= first; end -= SLICE) {
      for (const { count, outlines } of [...getBlockRows(context, Math.max(first, end - SLICE + 1), end)].reverse()) {
        const wanted = tellsBlocks && this.#wants('block') && !this.#whenSolid('block');
        const asGone = (block: BlockOutline) => blockTrigger({ block, solidified, removed: true });
        if (count > 1) triggers.push(wanted ? reversed(outlines, asGone) : []);
        else for (const block of outlines) triggers.push(this.#ofGone(context, block, wanted ? [asGone(block)] : []));
      }
    }
    return triggers;
  }

  #ofGone(context: WalletContext, block: BlockOutline, asBlock: readonly Trigger[]): Trigger[] {
    const moment = { block, solidified: this.#solidified };
    const tellsTransactions = this.#there.removed === false && !this.#whenSolid('transaction');
    return [
      ...this.#ofLogs(context, moment, 'contract', true),
      ...asBlock,
      ...(tellsTransactions ? this.#ofTransactions(context, { ...moment, removed: true }) : []),
    ];
  }

  #ofLogs(context: WalletContext, moment: Moment, view: 'contract' | 'solidity', removed: boolean): Trigger[] {
    const { wanted } = this.subscription;
    const events = wanted.has(`${view}event`);
    const logs = wanted.get(`${view}log`);
    if (!events && logs === undefined) return [];
    return triggerTransactions(context, moment.block).flatMap((transaction) => {
      const at: LogMoment = { ...moment, transaction, removed };
      return triggerLogs(context, transaction)
        .filter((log) => this.#passes(log))
        .flatMap((log) => {
          const event = events ? eventTrigger(`${view}EventTrigger`, log, at) : undefined;
          const asLog = logs !== undefined && (log.event === undefined || logs.has('redundancy'));
          return [event ?? [], asLog ? logTrigger(`${view}LogTrigger`, log, at) : []].flat();
        });
    });
  }

  #ofTransactions(context: WalletContext, moment: Moment): Trigger[] {
    const settings = this.subscription.wanted.get('transaction');
    if (settings === undefined) return [];
    let energyBefore = 0n;
    let logsBefore = 0;
    return triggerTransactions(context, moment.block).map((found: HistoricTransaction) => {
      const ethereum = { energyPriceSun: energyPrice(context), energyBefore, logsBefore };
      energyBefore += found.info.receipt?.energy_usage_total ?? 0n;
      logsBefore += found.info.log.length;
      return transactionTrigger(found, moment, settings.has('ethCompatible') ? ethereum : undefined);
    });
  }

  #passes({ contract, topics: given }: TriggerLog): boolean {
    const { contracts, topics } = this.subscription;
    if (contracts.size > 0 && !contracts.has(contract)) return false;
    return topics.size === 0 || given.some((topic) => topics.has(topic));
  }

  #wants(kind: TriggerKind): boolean {
    return this.subscription.wanted.has(kind);
  }

  #whenSolid(kind: 'block' | 'transaction'): boolean {
    return this.subscription.wanted.get(kind)?.has('solidified') ?? false;
  }
}

function mapped(outlines: Iterable<BlockOutline>, made: (block: BlockOutline) => Trigger): Iterable<Trigger> {
  return flat(outlines, (block) => [made(block)]);
}

function* reversed(outlines: Iterable<BlockOutline>, made: (block: BlockOutline) => Trigger): Iterable<Trigger> {
  for (const block of [...outlines].reverse()) yield made(block);
}

function* flat(outlines: Iterable<BlockOutline>, made: (block: BlockOutline) => readonly Trigger[]): Iterable<Trigger> {
  for (const block of outlines) yield* made(block);
}
