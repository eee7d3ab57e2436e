/**
 * LevelDB as a `Store`. The database handle comes from above (`devnet/` opens it), so that nothing here opens a file.
 *
 * Batches are pipelined: a row of a batch that LevelDB has not accepted yet is read from an overlay. Every row carries a
 * checksum (`state/row-checksum.ts`); one that does not hold ends the store: from then on it answers nothing.
 */

import { DamagedRowError, DamagedStoreError, withChecksum, withoutChecksum } from '../../state/row-checksum.js';
import { bytesOf, type Store, type StoreRow, type StoreWrite } from '../../state/store.js';
import { FORMAT_KEY, TABLES } from '../../state/tables.js';
import { WrittenIds } from './written-ids.js';

const TRANSACTION = TABLES.transactions.prefix;

/** The part of `level`'s API that we use, with strings as keys and bytes as values. */
export interface LevelDatabase {
  getSync(key: string): Uint8Array | undefined;
  batch(): LevelBatch;
  iterator(options: {
    gte?: string;
    gt?: string;
    lt?: string;
    lte?: string;
    reverse?: boolean;
    limit?: number;
  }): AsyncIterable<[string, Uint8Array]>;
  /** Makes a table of what is in memory, and begins a new log, as part of compacting the range. Says nothing of errors. */
  compactRange(from: string, to: string): Promise<void>;
  getProperty(name: 'leveldb.sstables'): string;
  /** Opens it again after `close`. */
  open(): Promise<void>;
  close(): Promise<void>;
}

/** A batch that is filled row by row: 0.5 µs a row, where one of an array of operations costs 7 (measured). */
export interface LevelBatch {
  put(key: string, value: Uint8Array): unknown;
  del(key: string): unknown;
  write(options?: { sync?: boolean }): Promise<void>;
}

export interface LevelStoreOptions {
  /** Whether each batch waits for the disk: survives power loss, not only a killed process. */
  readonly sync?: boolean;
  /** Where the database lies, for those who have to be told that it is damaged. */
  readonly place?: string;
  /** Whether it is empty: then it holds nothing but what is written from here on. */
  readonly isNew?: boolean;
  /** Told once, when a row turns out to be damaged. */
  readonly onDamage?: (damage: DamagedStoreError) => void;
  /** Called when it is closed. */
  readonly onClose?: () => void;
}

interface InFlight {
  readonly batch: number;
  readonly value: Uint8Array | undefined;
}

export class LevelStore implements Store {
  readonly #inFlight = new Map<string, InFlight>();
  readonly #place: string;
  readonly #transactions: WrittenIds | undefined;
  #batches = 0;
  #last: Promise<void> = Promise.resolve();
  #damage: DamagedStoreError | undefined;
  #refusal: unknown;
  /** Rows of refused batches as LevelDB has them. */
  readonly #refused = new Map<string, Uint8Array | undefined>();

  constructor(
    private readonly database: LevelDatabase,
    private readonly options: LevelStoreOptions = {},
  ) {
    this.#place = options.place ?? 'this directory';
    if (options.isNew) this.#transactions = new WrittenIds();
  }

  get damage(): DamagedStoreError | undefined {
    return this.#damage;
  }

  get(key: string): Uint8Array | undefined {
    this.#checkWhole();
    const flying = this.#inFlight.get(key);
    if (flying !== undefined) return flying.value;
    if (key.startsWith(TRANSACTION) && this.#transactions?.mayHave(key.slice(TRANSACTION.length)) === false)
      return undefined;
    const stored = this.#stored(key);
    return stored === undefined ? undefined : this.#verified(key, stored);
  }

  /** @throws DamagedRowError where LevelDB cannot read what it has: a block of a table that is none */
  #stored(key: string): Uint8Array | undefined {
    try {
      return this.database.getSync(key);
    } catch (error) {
      throw isDamage(error)
        ? this.damaged(new DamagedRowError(key, this.#place, CANNOT_BE_READ, { cause: error }))
        : error;
    }
  }

  /** Ends the store: it answers nothing from now on. @returns what it is ended with */
  damaged(damage: DamagedStoreError): DamagedStoreError {
    if (this.#damage === undefined) {
      this.#damage = damage;
      this.options.onDamage?.(damage);
    }
    return this.#damage;
  }

  write(changes: readonly StoreWrite[]): Promise<void> {
    if (this.#damage !== undefined) return Promise.reject(this.#damage);
    if (this.#refusal !== undefined) return Promise.reject(this.#refusal);
    const batch = ++this.#batches;
    const writes = changes.map(({ key, value }) => ({ key, value: value && bytesOf(value) }));
    for (const { key, value } of writes) {
      this.#inFlight.set(key, { batch, value });
      if (key.startsWith(TRANSACTION)) this.#transactions?.add(key.slice(TRANSACTION.length));
    }
    // LevelDB runs concurrent batches in any order; ours follow one another. A failed one fails all after it.
    this.#last = this.#last.then(async () => {
      // What was decided before the damage was found may have been decided by it.
      this.#checkWhole();
      const operations = this.database.batch();
      for (const { key, value } of writes) {
        if (value === undefined) operations.del(key);
        else operations.put(key, withChecksum(key, value));
      }
      try {
        await operations.write({ sync: this.options.sync ?? false });
      } catch (error) {
        this.#refusal = error;
        throw error;
      }
      for (const { key } of writes) if (this.#inFlight.get(key)?.batch === batch) this.#inFlight.delete(key);
    });
    return this.#last;
  }

  async *rows(
    prefix: string,
    options: { reverse?: boolean; from?: string; limit?: number } = {},
  ): AsyncIterable<StoreRow> {
    await this.#last.catch(() => undefined);
    const { reverse = false, from, limit } = options;
    const end =
      prefix === ''
        ? undefined
        : `${prefix.slice(0, -1)}${String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1)}`;
    const inside = from !== undefined && from >= prefix && (end === undefined || from < end) ? from : undefined;
    if (from !== undefined && inside === undefined && (reverse ? from < prefix : end !== undefined && from >= end))
      return;
    const range = {
      gte: reverse ? prefix : (inside ?? prefix),
      ...(reverse && inside !== undefined ? { lte: inside } : end === undefined ? {} : { lt: end }),
      reverse,
      ...(limit === undefined ? {} : { limit }),
    };
    try {
      for await (const [key, stored] of this.database.iterator(range)) {
        this.#checkWhole();
        yield { key, value: this.#verified(key, stored) };
      }
    } catch (error) {
      if (!isDamage(error)) throw error;
      throw this.damaged(new DamagedStoreError(this.#place, `its rows ${prefix}… cannot be read`, { cause: error }));
    }
  }

  forgetRefused(): void {
    for (const key of this.#inFlight.keys()) this.#refused.set(key, this.database.getSync(key));
    this.#inFlight.clear();
    this.#last = Promise.resolve();
  }

  async retry(): Promise<boolean> {
    if (this.#refusal === undefined) return true;
    try {
      if (!(await this.#beginsNewLog())) {
        // It has failed to write a table, and stays so until it is opened anew. Until then nothing can be read.
        await this.database.close();
        await this.database.open();
      }
      // Half a batch may have lain in a buffer and come to light since: its rows are to be as they were.
      const operations = this.database.batch();
      for (const [key, stored] of this.#refused) {
        if (stored === undefined) operations.del(key);
        else operations.put(key, stored);
      }
      await operations.write({ sync: true });
    } catch {
      // Still no room. What it said the first time has been told.
      return false;
    }
    this.#refused.clear();
    this.#refusal = undefined;
    return true;
  }

  /** A log whose last batch is half written hides every one after it, so none is to follow. */
  async #beginsNewLog(): Promise<boolean> {
    const tables = () => this.database.getProperty('leveldb.sstables');
    const before = tables();
    await this.database.compactRange(FORMAT_KEY, FORMAT_KEY);
    return tables() !== before;
  }

  async close(): Promise<void> {
    this.options.onClose?.();
    await this.#last.catch(() => undefined);
    await this.database.close();
  }

  #verified(key: string, stored: Uint8Array): Uint8Array {
    const value = withoutChecksum(key, stored);
    if (value !== undefined) return value;
    throw this.damaged(new DamagedRowError(key, this.#place));
  }

  #checkWhole(): void {
    if (this.#damage !== undefined) throw this.#damage;
  }
}

const CANNOT_BE_READ = 'cannot be read';

/** LevelDB's own error lies beneath that of the package around it, or is thrown as it is. */
function isDamage(error: unknown): boolean {
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: { readonly code?: unknown } };
  return [code, cause?.code].some((one) => one === 'LEVEL_CORRUPTION' || one === 'LEVEL_IO_ERROR');
}

/**
 * The format that the rows of a database are written in; undefined where there is none yet.
 *
 * @throws DamagedRowError when the row that says so is no such row
 */
export function formatOf(database: LevelDatabase, place: string): number | undefined {
  const stored = database.getSync(FORMAT_KEY);
  if (stored === undefined) return undefined;
  // Before format 3, rows had no checksum.
  const value = withoutChecksum(FORMAT_KEY, stored) ?? (stored.length <= 2 ? stored : undefined);
  const format = value === undefined ? Number.NaN : Number(Buffer.from(value).toString('latin1'));
  if (!Number.isInteger(format)) throw new DamagedRowError(FORMAT_KEY, place);
  return format;
}
