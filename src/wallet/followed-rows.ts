/**
 * What is derived from all rows of a table, kept in memory for lists: the store finds rows by key only. Built from the
 * store on the first request; after that, each commit says which rows to read again. A rollback discards it. Pending
 * transactions are not in it.
 */

import type { Chain } from '../node/chain/chain.js';
import type { Commit } from '../node/storage/commits.js';
import type { Address } from '../primitives/ids.js';
import type { TableSpec } from '../state/table-spec.js';
import type { Turn } from './context.js';

/** Rows between two turns of other work. */
const BATCH = 256;

export class FollowedRows<Entry> {
  readonly #entries = new Map<Address, Entry>();
  /** Written since the last reading. */
  readonly #changed = new Set<Address>();
  #revision = -1;
  #version = 0;
  #reading: Promise<void> | undefined;

  /**
   * @param table its keys are addresses
   * @param written names of the tables whose rows change an entry
   * @param entryAt undefined: the address has none
   */
  constructor(
    private readonly chain: Chain,
    private readonly table: Pick<TableSpec<unknown>, 'prefix'>,
    private readonly written: ReadonlySet<Commit['images'][number]['table']>,
    private readonly entryAt: (address: Address) => Promise<Entry | undefined>,
  ) {
    chain.commitWatchers.add((commit) => this.#committed(commit));
  }

  /** Changes with the entries: what is derived from them can be kept for one version. */
  get version(): number {
    return this.#version;
  }

  /** In no particular order. @param turn awaited within a long reading */
  async all(turn: Turn): Promise<ReadonlyMap<Address, Entry>> {
    do {
      // Requests that come together share one reading.
      this.#reading ??= this.#read(turn).finally(() => {
        this.#reading = undefined;
      });
      await this.#reading;
    } while (this.#revision !== this.chain.back.revision);
    return this.#entries;
  }

  #committed({ images }: Commit): void {
    for (const { table, key } of images) if (this.written.has(table)) this.#changed.add(key as Address);
  }

  async #read(turn: Turn): Promise<void> {
    const { revision } = this.chain.back;
    const { prefix } = this.table;
    if (this.#revision !== revision) {
      this.#entries.clear();
      this.#changed.clear();
      for await (const { key } of this.chain.store.rows(prefix)) this.#changed.add(key.slice(prefix.length) as Address);
      this.#revision = revision;
      // Also if no row is left.
      this.#version++;
    }
    if (this.#changed.size === 0) return;
    let left = BATCH;
    for (const address of this.#changed) {
      // Deleted first: a commit during the reading adds it again.
      this.#changed.delete(address);
      const entry = await this.entryAt(address);
      if (entry === undefined) this.#entries.delete(address);
      else this.#entries.set(address, entry);
      if (--left > 0) continue;
      left = BATCH;
      await turn();
    }
    this.#version++;
  }
}

/** A row of the chain itself: reading it by key would make a fork ask its network for rows that are absent. */
export async function ownRow<Value>(
  { store }: Chain,
  { prefix, decode }: TableSpec<Value>,
  address: Address,
): Promise<Value | undefined> {
  for await (const { value } of store.rows(prefix + address, { limit: 1 })) return decode(value);
  return undefined;
}
