/**
 * Filters of JSON-RPC clients (protocol/json-rpc.md#filters): their criteria, and the block up to which they were
 * answered. java-tron appends every matching log to every filter's queue. Here a filter is a position on the chain:
 * logs are searched on request, so blocks cost nothing, and a snapshot is a copy of a small map. A revert to a
 * snapshot restores filters. On other rollbacks a filter keeps the logs that it has reported, to report their removal.
 */

import type { LogCriteria } from '../../ledger/history/log-index.js';
import type { Hex } from '../../primitives/hex.js';
import { sha256OfHex } from '../../protocol/hashes.js';

/** 5 minutes since the creation or the last request. */
const LIFETIME_MS = 300_000n;

/** Limits of later java-tron releases. */
export const MAX_LOG_FILTERS = 20_000;
export const MAX_BLOCK_FILTERS = 50_000;
/** Maximum addresses and topics of all filters together, about 100 MB. */
const MAX_CRITERIA = 500_000;
/** Maximum characters of removed logs in all filters of a view. */
const MAX_REMOVED_LOGS = 16_777_216;

/** The client has to wait until other filters expire. */
export class TooManyFiltersError extends Error {
  override readonly name = 'TooManyFiltersError';
}

export interface FilterOptions {
  /** 16 bytes. */
  readonly newId: () => Hex;
  /** The clients' time, not the chain's: a moved clock must not expire filters. */
  readonly nowMs: () => bigint;
}

export interface LogSubscription {
  readonly criteria: LogCriteria;
  readonly from: bigint;
  /** `undefined`: no end. */
  readonly to: bigint | undefined;
}

/**
 * The logs of a subscription in blocks `first` … `last`, which are about to be removed, in JSON and chain order. May
 * throw if there are too many.
 */
export type LogReader = (first: bigint, last: bigint) => readonly string[];

export interface Filter {
  /** Absent for a filter of blocks or pending transactions. */
  readonly logs: LogSubscription | undefined;
  /** Of a filter of pending transactions: the pending ones that were reported, as the client knows them. */
  readonly reportedPending?: ReadonlySet<string> | undefined;
  /** Blocks up to this one were reported. */
  readonly reportedTo: number;
  readonly askedMs: bigint;
  readonly readLogs?: LogReader | undefined;
  /** Reported logs that were removed, last first, in the form of the next answer. */
  readonly removedLogs: readonly string[];
}

/** Ids in a reproducible sequence and no expiry, for a chain without a wall clock. */
export function repeatableFilters(): FilterOptions {
  let made = 0;
  return { newId: () => sha256OfHex((++made).toString(16).padStart(16, '0')).slice(0, 32), nowMs: () => 0n };
}

function criteriaIn({ criteria: { addresses, topics } }: LogSubscription): number {
  return topics.reduce((sum, alternatives) => sum + alternatives.length, addresses.length);
}

/** Its reported logs above `height`, last first. */
function logsAbove({ logs, readLogs, reportedTo }: Filter, height: number): readonly string[] {
  if (logs === undefined || readLogs === undefined) return [];
  const [first, last] = [BigInt(height + 1), BigInt(reportedTo)];
  const from = logs.from > first ? logs.from : first;
  return readLogs(from, logs.to === undefined || logs.to > last ? last : logs.to).toReversed();
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length, 0);
}

export class Filters {
  #filters = new Map<Hex, Filter>();
  #logFilters = 0;
  #criteria = 0;

  constructor(private readonly options: FilterOptions) {}

  /** @returns the new filter's id, 32 hex digits. @throws TooManyFiltersError */
  add(
    logs: LogSubscription | undefined,
    head: number,
    { readLogs, reportedPending }: Pick<Filter, 'readLogs' | 'reportedPending'> = {},
  ): Hex {
    if (!this.#hasRoom(logs)) {
      this.blockApplied();
      if (!this.#hasRoom(logs)) throw new TooManyFiltersError();
    }
    const id = this.options.newId();
    this.#count(logs, 1);
    const askedMs = this.options.nowMs();
    this.#filters.set(id, { logs, reportedTo: head, askedMs, readLogs, reportedPending, removedLogs: [] });
    return id;
  }

  get(id: Hex): Filter | undefined {
    return this.#filters.get(id);
  }

  remove(id: Hex): boolean {
    this.#count(this.#filters.get(id)?.logs, -1);
    return this.#filters.delete(id);
  }

  /** Records that a client got everything up to `head`. @param reportedPending the pending transactions that it got */
  markReported(id: Hex, head: number, reportedPending?: ReadonlySet<string>): void {
    const filter = this.#filters.get(id);
    if (filter === undefined) return;
    this.#filters.set(id, {
      ...filter,
      reportedTo: head,
      reportedPending,
      askedMs: this.options.nowMs(),
      removedLogs: [],
    });
  }

  /**
   * Blocks above `height` are about to be rolled back, or have left the solidity view, and can still be read: they or
   * their replacements are reported again. A filter that would exceed the memory limit is removed, so that its client
   * notices.
   */
  rollingBack(height: number): void {
    let kept = 0;
    for (const { removedLogs } of this.#filters.values()) kept += lengthOf(removedLogs);
    for (const [id, filter] of this.#filters) {
      if (filter.reportedTo <= height) continue;
      try {
        const removed = logsAbove(filter, height);
        kept += lengthOf(removed);
        if (kept > MAX_REMOVED_LOGS) throw new RangeError();
        this.#filters.set(id, { ...filter, reportedTo: height, removedLogs: [...filter.removedLogs, ...removed] });
      } catch {
        this.remove(id);
      }
    }
  }

  /** The store refused the blocks above `head`: an answer about them did not reach its client. */
  storeRefused(head: number): void {
    for (const [id, filter] of this.#filters)
      if (filter.reportedTo > head) this.#filters.set(id, { ...filter, reportedTo: head });
  }

  /** Removes expired filters. Only happens with a block: on an idle chain an old filter still answers. */
  blockApplied(): void {
    if (this.#filters.size === 0) return;
    const oldest = this.options.nowMs() - LIFETIME_MS;
    for (const [id, { askedMs }] of this.#filters) if (askedMs < oldest) this.remove(id);
  }

  #hasRoom(logs: LogSubscription | undefined): boolean {
    if (logs === undefined) return this.#filters.size - this.#logFilters < MAX_BLOCK_FILTERS;
    return this.#logFilters < MAX_LOG_FILTERS && this.#criteria + criteriaIn(logs) <= MAX_CRITERIA;
  }

  #count(logs: LogSubscription | undefined, times: 1 | -1): void {
    if (logs === undefined) return;
    this.#logFilters += times;
    this.#criteria += times * criteriaIn(logs);
  }

  save(): ReadonlyMap<Hex, Filter> {
    return new Map(this.#filters);
  }

  restore(saved: ReadonlyMap<Hex, Filter>): void {
    for (const id of this.#filters.keys()) this.remove(id);
    this.#filters = new Map(saved);
    for (const { logs } of saved.values()) this.#count(logs, 1);
  }
}
