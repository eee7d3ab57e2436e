/**
 * The store of a fork: some rows belong to the network and are fetched on first read. To the code above, fetched rows
 * have always been there. Owns which tables have such rows, and how fetched rows are stored: under a separate prefix,
 * with the block at which each was read, so that a fork on a disk opens without requests. Requests are made by
 * `RemoteRows`, and waiting is in `node/with-rows.ts`.
 */

import { OperationError } from '../../errors/operation-error.js';
import { MissingRow, type Obtain } from '../missing-row.js';
import type { FetchedRow, RemoteRows, RowName, WantedRow } from '../remote-rows.js';
import type { Store, StoreRow, StoreWrite } from '../store.js';
import type { FetchedValue } from '../table-spec.js';
import { TABLES } from '../tables.js';
import { type CallerDeadline, Turns } from './turns.js';

/**
 * Tables that are fetched row by row. Resident tables are fetched at the start; blocks, transactions and operations of
 * the fork exist only here.
 */
const FORKED = [
  'accounts',
  'accountNames',
  'accountIds',
  'witnessRewards',
  'rewardHistory',
  'voterSettlements',
  'delegations',
  'delegationPartners',
  'delegationLists',
  'marketAccounts',
  'marketOrders',
  'contracts',
  'abis',
  'codes',
  'contractStates',
  'storage',
  'earlierBlockIds',
] as const satisfies readonly (keyof typeof TABLES)[];

type ForkedTable = (typeof FORKED)[number];

const TABLE_OF_PREFIX: ReadonlyMap<string, ForkedTable> = new Map(FORKED.map((name) => [TABLES[name].prefix, name]));

/** A fetched row, by its key: the block in six bytes, then the row if it exists. */
const FETCHED = 'f:';
/** Fetched rows that the fork has deleted. */
const GONE = 'fx:';
const BLOCK_BYTES = 6;
const NOTHING = new Uint8Array();

/** Prefix of rows that belong to no table: see {@link isReadableFetched}. */
export const FETCHED_PREFIXES: readonly string[] = [FETCHED, GONE];

const PREFIXES: ReadonlySet<string> = new Set(TABLE_OF_PREFIX.keys());

export class ForkedStore implements Store, RemoteRows {
  readonly elsewhere = PREFIXES;
  readonly #underWay = new Map<string, Promise<void>>();
  readonly #turns: Turns;

  /**
   * @param onKept called with newly fetched rows
   * @param deadline of callers
   * @param onRefused called when the store has refused fetched rows: it accepts nothing more until it is tried again
   */
  constructor(
    private readonly own: Store,
    private readonly remote: RemoteRows,
    private readonly onKept: (rows: readonly FetchedRow[]) => void = () => {},
    deadline?: CallerDeadline,
    private readonly onRefused: (cause: unknown) => void = () => {},
  ) {
    this.#turns = new Turns(deadline);
  }

  /** @throws MissingRow for a row that was not fetched yet */
  get(key: string): Uint8Array | undefined {
    const own = this.own.get(key);
    const table = own === undefined ? TABLE_OF_PREFIX.get(prefixOf(key)) : undefined;
    if (table === undefined) return own;
    const fetched = this.own.get(FETCHED + key);
    if (fetched === undefined) {
      throw new MissingRow([{ table, key: key.slice(TABLES[table].prefix.length) }], this.#obtain);
    }
    return this.own.get(GONE + key) === undefined ? rowIn(fetched) : undefined;
  }

  fetched(key: string): FetchedValue | undefined {
    const fetched = this.own.get(FETCHED + key);
    const readAtBlock = blockOf(fetched);
    return fetched === undefined || readAtBlock === undefined ? undefined : { value: rowIn(fetched), readAtBlock };
  }

  async *fetchedRows(): AsyncIterable<FetchedRow> {
    for await (const { key, value } of this.own.rows(FETCHED)) {
      const row = key.slice(FETCHED.length);
      const table = TABLE_OF_PREFIX.get(prefixOf(row));
      const readAtBlock = blockOf(value);
      if (table === undefined || readAtBlock === undefined) throw new Error(`${key} is no row that was fetched`);
      yield { table, key: row.slice(TABLES[table].prefix.length), value: rowIn(value), readAtBlock };
    }
  }

  /** For sibling forks: rows that this store has fetched, or fetches for them, so that all forks see the same. */
  async fetch(wanted: readonly WantedRow[]): Promise<readonly FetchedRow[]> {
    await this.#obtainNow(wanted);
    return wanted.map(({ table, key }) => {
      const fetched = this.fetched(keyOf({ table, key }));
      if (fetched === undefined) throw new Error(`${table} ${key} was obtained and is not there`);
      return { table, key, ...fetched };
    });
  }

  async keepFetched(rows: readonly FetchedRow[]): Promise<void> {
    // A row keeps its first value, even if a later answer contains it again.
    const unknown = rows.filter((row) => this.own.get(FETCHED + keyOf(row)) === undefined);
    if (unknown.length === 0) return;
    await this.own.write(unknown.map(stored));
    this.onKept(unknown);
  }

  async replaceFetched(rows: readonly FetchedRow[]): Promise<void> {
    const unknown: FetchedRow[] = [];
    const writes: StoreWrite[] = [];
    for (const row of rows) {
      const key = keyOf(row);
      const before = this.fetched(key);
      if (before === undefined) unknown.push(row);
      else if (before.readAtBlock !== row.readAtBlock || !isSameValue(before.value, row.value)) {
        // A row that a rollback has put back is the fork's own, with the value that goes.
        for (const above of [key, GONE + key])
          if (this.own.get(above) !== undefined) writes.push({ key: above, value: undefined });
      } else continue;
      writes.push(stored(row));
    }
    if (writes.length > 0) await this.own.write(writes);
    if (unknown.length > 0) this.onKept(unknown);
  }

  /** The fork's changes of fetched rows, and all of its own rows: equal for equal chains. */
  async *changedRows(): AsyncIterable<StoreRow> {
    for await (const row of this.rows('')) {
      const { key, value } = row;
      if (key.startsWith(GONE)) {
        // A marker exists also for a row that a revert has restored.
        if (this.own.get(key.slice(GONE.length)) === undefined) yield row;
        continue;
      }
      const fetched = TABLE_OF_PREFIX.has(prefixOf(key)) ? this.fetched(key)?.value : undefined;
      if (fetched === undefined || Buffer.compare(fetched, value) !== 0) yield row;
    }
  }

  /** For a reset: a chain that starts over has changed no fetched row. */
  deleteWithNext(keys: readonly string[]): void {
    this.own.deleteWithNext(keys);
  }

  write(batch: readonly StoreWrite[]): Promise<void> {
    return this.own.write(this.#withMarkers(batch));
  }

  writeWithNext(batch: readonly StoreWrite[]): void {
    this.own.writeWithNext(this.#withMarkers(batch));
  }

  #withMarkers(batch: readonly StoreWrite[]): readonly StoreWrite[] {
    const gone = batch.filter(({ key, value }) => value === undefined && this.#isFetched(key));
    return gone.length === 0 ? batch : [...batch, ...gone.map(({ key }) => ({ key: GONE + key, value: NOTHING }))];
  }

  /** Rows of the chain itself: fetched rows are read only by key. */
  async *rows(prefix: string, options?: Parameters<Store['rows']>[1]): AsyncIterable<StoreRow> {
    for await (const row of this.own.rows(prefix, options)) if (!row.key.startsWith(FETCHED)) yield row;
  }

  get keptBlocks(): number | undefined {
    return this.own.keptBlocks;
  }

  get damage(): Error | undefined {
    return this.own.damage;
  }

  forgetRefused(): void {
    this.own.forgetRefused?.();
  }

  sync(): Promise<void> {
    return this.own.sync?.() ?? Promise.resolve();
  }

  retry(): Promise<boolean> {
    return this.own.retry?.() ?? Promise.resolve(true);
  }

  close(): Promise<void> {
    return this.own.close();
  }

  #isFetched(key: string): boolean {
    return TABLE_OF_PREFIX.has(prefixOf(key)) && (this.own.get(FETCHED + key)?.length ?? 0) > BLOCK_BYTES;
  }

  readonly #obtain: Obtain = (wanted, forWhom) => {
    if (forWhom === 'caller') return this.#turns.take(wanted, wanted.length, () => this.#obtainNow(wanted));
    const obtaining = this.#obtainNow(wanted);
    return forWhom === 'block' ? obtaining : this.#turns.inTime(wanted, obtaining);
  };

  /** Concurrent requests for a row share one answer. */
  async #obtainNow(wanted: readonly WantedRow[]): Promise<void> {
    const awaited: Promise<void>[] = [];
    const unknown: WantedRow[] = [];
    for (const row of wanted) {
      const underWay = this.#underWay.get(keyOf(row));
      if (underWay !== undefined) awaited.push(underWay);
      else if (this.own.get(FETCHED + keyOf(row)) === undefined) unknown.push(row);
    }
    if (unknown.length > 0) {
      const keys = unknown.map(keyOf);
      const obtaining = this.#fetch(unknown).finally(() => {
        for (const key of keys) this.#underWay.delete(key);
      });
      for (const key of keys) this.#underWay.set(key, obtaining);
      awaited.push(obtaining);
    }
    await Promise.all(awaited);
  }

  async #fetch(wanted: readonly WantedRow[]): Promise<void> {
    const known = wanted.map((row) => this.#ofNoContract(row)).filter((row) => row !== undefined);
    const keys = new Set(known.map(keyOf));
    const asked = wanted.filter((row) => !keys.has(keyOf(row)));
    const fetched = [...known, ...(asked.length === 0 ? [] : await this.remote.fetch(asked))];
    const given = new Set(fetched.map(keyOf));
    const missing = wanted.find((row) => !given.has(keyOf(row)));
    if (missing !== undefined)
      throw new Error(`the remote was asked for ${missing.table} ${missing.key} and gave other rows`);
    // A row that a full disk refuses would be fetched again and again.
    await this.keepFetched(fetched).catch((cause: unknown) => {
      this.onRefused(cause);
      throw new OperationError('a row of the network was read but cannot be stored: the disk cannot be written', {
        cause,
      });
    });
  }

  /** A slot of a contract that the fork has created: the network has none, so no request is needed. */
  #ofNoContract({ table, key, slot }: WantedRow): FetchedRow | undefined {
    if (slot === undefined) return undefined;
    const contract = this.own.get(FETCHED + TABLES.contracts.prefix + slot.contract);
    if (contract?.length !== BLOCK_BYTES) return undefined;
    return { table, key, value: undefined, readAtBlock: blockOf(contract) as number };
  }
}

const keyOf = ({ table, key }: RowName): string => TABLES[table].prefix + key;

function prefixOf(key: string): string {
  return key.slice(0, key.indexOf(':') + 1);
}

function isSameValue(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  return one === undefined || other === undefined ? one === other : Buffer.compare(one, other) === 0;
}

/** The byte after the block distinguishes an empty row from a missing one. */
function rowIn(fetched: Uint8Array): Uint8Array | undefined {
  return fetched.length === BLOCK_BYTES ? undefined : fetched.subarray(BLOCK_BYTES + 1);
}

function blockOf(fetched: Uint8Array | undefined): number | undefined {
  return fetched && Buffer.from(fetched.buffer, fetched.byteOffset, BLOCK_BYTES).readUIntBE(0, BLOCK_BYTES);
}

function stored({ table, key, value, readAtBlock }: FetchedRow): StoreWrite {
  const bytes = Buffer.alloc(value === undefined ? BLOCK_BYTES : BLOCK_BYTES + 1 + value.length);
  bytes.writeUIntBE(readAtBlock, 0, BLOCK_BYTES);
  if (value !== undefined) bytes.set(value, BLOCK_BYTES + 1);
  return { key: FETCHED + keyOf({ table, key }), value: bytes };
}

/** Whether a row under {@link FETCHED_PREFIXES} is well formed. */
export function isReadableFetched(key: string, value: Uint8Array): boolean {
  if (key.startsWith(GONE)) return TABLE_OF_PREFIX.has(prefixOf(key.slice(GONE.length))) && value.length === 0;
  const table = TABLE_OF_PREFIX.get(prefixOf(key.slice(FETCHED.length)));
  if (table === undefined || value.length < BLOCK_BYTES) return false;
  const row = rowIn(value);
  try {
    if (row !== undefined) TABLES[table].decode(row);
    return true;
  } catch {
    // A codec's error for foreign bytes is not relevant here.
    return false;
  }
}

/** For stores that only read a fork: unfetched rows are not available. */
export const NOBODY: RemoteRows = {
  fetch: ([row]) =>
    Promise.reject(new OperationError(`${row?.table} ${row?.key} of the network was not read while the fork ran`)),
};
