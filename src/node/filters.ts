/**
 * Filters that clients of JSON-RPC have installed (json-rpc.md A.8.6): what they ask for and up to which block they have
 * been told.
 *
 * java-tron appends every matching log to every filter's queue as blocks come. A filter here is a place on the chain: the
 * answer is looked up when it is asked for, so blocks cost nothing, and a snapshot is a copy of a small map. Reverting
 * takes filters back with everything else.
 */

import type { LogCriteria } from '../ledger/blocks/log-index.js';
import type { Hex } from '../primitives/hex.js';
import { sha256OfHex } from '../protocol/hashes.js';

/** 5 minutes since it was made or last asked for changes. */
const LIFETIME_MS = 300_000n;

export interface FilterOptions {
  /** 16 bytes. */
  readonly newId: () => Hex;
  /** The time that clients live in, which is not the chain's: a chain whose clock is moved must not lose filters. */
  readonly nowMs: () => bigint;
}

export interface LogSubscription {
  readonly criteria: LogCriteria;
  readonly from: bigint;
  /** `undefined`: without end. */
  readonly to: bigint | undefined;
}

export interface Filter {
  /** Absent for a filter of blocks. */
  readonly logs: LogSubscription | undefined;
  /** Blocks up to this one have been told of. */
  readonly toldTo: number;
  readonly askedMs: bigint;
}

/** Ids in a sequence that is the same in every run, and no expiry: for a chain without a wall clock. */
export function repeatableFilters(): FilterOptions {
  let made = 0;
  return { newId: () => sha256OfHex((++made).toString(16).padStart(16, '0')).slice(0, 32), nowMs: () => 0n };
}

export class Filters {
  #filters = new Map<Hex, Filter>();

  constructor(private readonly options: FilterOptions) {}

  /** @returns the new filter's id, 32 hex digits */
  add(logs: LogSubscription | undefined, head: number): Hex {
    const id = this.options.newId();
    this.#filters.set(id, { logs, toldTo: head, askedMs: this.options.nowMs() });
    return id;
  }

  get(id: Hex): Filter | undefined {
    return this.#filters.get(id);
  }

  remove(id: Hex): boolean {
    return this.#filters.delete(id);
  }

  /** Takes note that a client has been told of everything up to `head`. */
  told(id: Hex, head: number): void {
    const filter = this.#filters.get(id);
    if (filter !== undefined) this.#filters.set(id, { ...filter, toldTo: head, askedMs: this.options.nowMs() });
  }

  /** Forgets what nobody asks for. Happens with a block and not before: on an idle chain an old filter still answers. */
  blockApplied(): void {
    if (this.#filters.size === 0) return;
    const oldest = this.options.nowMs() - LIFETIME_MS;
    for (const [id, { askedMs }] of this.#filters) if (askedMs < oldest) this.#filters.delete(id);
  }

  save(): ReadonlyMap<Hex, Filter> {
    return new Map(this.#filters);
  }

  restore(saved: ReadonlyMap<Hex, Filter>): void {
    this.#filters = new Map(saved);
  }
}
